package io.ecfs.namenode.rewriting;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Totals of rewrites in this leader's term, by reason. Owner thread: the namenode's event thread. */
public final class RewriteTotals {
    private final Map<RewriteReason, Sums> byReason = new EnumMap<>(RewriteReason.class);

    /**
     * @param groups that took the place of others
     * @param bytesRead users' bytes of these groups
     * @param bytesWritten of their chunks
     */
    public record Sums(long groups, long bytesRead, long bytesWritten) {
        static final Sums NONE = new Sums(0, 0, 0);

        private Sums plus(Sums more) {
            return new Sums(groups + more.groups, bytesRead + more.bytesRead, bytesWritten + more.bytesWritten);
        }
    }

    void rewritten(RewriteReason reason, long bytesRead, long bytesWritten) {
        byReason.merge(reason, new Sums(1, bytesRead, bytesWritten), Sums::plus);
    }

    /** By the label of the reason, those included for which nothing was rewritten. */
    public Map<String, Sums> byReason() {
        return Stream.of(RewriteReason.values())
                .collect(Collectors.toMap(RewriteReason::label, reason -> byReason.getOrDefault(reason, Sums.NONE)));
    }
}
