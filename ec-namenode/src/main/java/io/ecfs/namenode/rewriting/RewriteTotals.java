package io.ecfs.namenode.rewriting;

import java.util.Map;
import java.util.TreeMap;

/** Totals of rewrites in this leader's term, by why they were done. Owner thread: the namenode's event thread. */
public final class RewriteTotals {
    private final Map<String, Sums> byReason = new TreeMap<>();

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

    void rewritten(String why, long bytesRead, long bytesWritten) {
        byReason.merge(why, new Sums(1, bytesRead, bytesWritten), Sums::plus);
    }

    /** Has sums of 0 for a reason that may come. */
    void expect(String why) {
        byReason.putIfAbsent(why, Sums.NONE);
    }

    /** By reason: converted, cleaned and so on. */
    public Map<String, Sums> byReason() {
        return Map.copyOf(byReason);
    }
}
