package io.ecfs.namenode.stats;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Time of writes by policy and encoding side, added up from the reports of clients since this namenode started. Clients
 * are believed, within a bound on the number of policies. Owner thread: the namenode's event thread.
 */
public final class WriteTotals {
    /** Policies and sides; further ones are dropped. */
    static final int MOST_SHARES = 512;

    private record Key(Policy policy, EncodingSide side) {}

    private final long sinceMillis;
    private final Map<Key, WriteShare> shares = new HashMap<>();

    public WriteTotals(long sinceMillis) {
        this.sinceMillis = sinceMillis;
    }

    /** Adds what one client wrote since its last report. */
    public void add(List<WriteShare> more) {
        for (WriteShare share : more) {
            Key key = new Key(share.policy(), share.side());
            if (shares.containsKey(key) || shares.size() < MOST_SHARES) {
                shares.merge(key, share, WriteShare::plus);
            }
        }
    }

    public WriteReport report() {
        List<WriteShare> all = new ArrayList<>(shares.values());
        all.sort((a, b) -> {
            int byPolicy = a.policy().name().compareTo(b.policy().name());
            return byPolicy != 0 ? byPolicy : a.side().compareTo(b.side());
        });
        return new WriteReport(sinceMillis, all);
    }
}
