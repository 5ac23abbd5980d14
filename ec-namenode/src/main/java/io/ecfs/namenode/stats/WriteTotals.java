package io.ecfs.namenode.stats;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.RelayFallbacks;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Time of writes by policy and encoding side, and relay fallbacks by reason, added up from the reports that clients
 * send to this namenode, since the first report or question. Clients are believed, within a bound on the number of
 * policies. Owner thread: the namenode's event thread.
 */
public final class WriteTotals {
    /** Policies and sides; further ones are dropped. */
    static final int MOST_SHARES = 512;

    private final long sinceMillis;
    private final Map<WriteShare.Key, WriteShare> shares = new HashMap<>();
    private final Map<ErrorCode, Long> fallbacks = new EnumMap<>(ErrorCode.class);

    public WriteTotals(long sinceMillis) {
        this.sinceMillis = sinceMillis;
    }

    /** Adds what one client wrote since its last report. */
    public void add(List<WriteShare> more) {
        for (WriteShare share : more) {
            if (shares.containsKey(share.key()) || shares.size() < MOST_SHARES) {
                shares.merge(share.key(), share, WriteShare::plus);
            }
        }
    }

    /** Adds fallbacks of one client since its last report; a sum that would overflow stays at the largest number. */
    public void addFallbacks(List<RelayFallbacks> more) {
        for (RelayFallbacks fallback : more) {
            fallbacks.merge(
                    fallback.reason(),
                    fallback.groups(),
                    (before, added) -> before + Math.min(added, Long.MAX_VALUE - before));
        }
    }

    /** @param masters the datanodes that relay */
    public WriteReport report(List<WriteReport.Master> masters) {
        return new WriteReport(
                sinceMillis,
                shares.values().stream()
                        .sorted(Comparator.comparing(
                                        (WriteShare share) -> share.policy().name())
                                .thenComparing(WriteShare::side))
                        .toList(),
                Optional.of(RelayFallbacks.of(fallbacks)),
                Optional.of(masters));
    }
}
