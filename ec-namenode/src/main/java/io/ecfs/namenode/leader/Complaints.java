package io.ecfs.namenode.leader;

import io.ecfs.message.chunk.BadChunk;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.stats.CallerBudgets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports of bad chunks by readers. Each costs a datanode the read of a whole chunk, so it is taken only from callers
 * that may read the file, at the rate at which reading files would cost as much, and about chunks that are where it
 * says. Datanodes report on the sources of what they rebuild.
 */
public final class Complaints {
    private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);
    public static final int AT_ONCE = 100;
    static final int OF_ALL_AT_ONCE = 1000;
    private static final double A_SECOND = 1;
    private static final double OF_ALL_A_SECOND = 20;
    private static final String EVERYBODY = "";

    private final NamenodeContext context;
    private final HeartbeatOrders orders;
    private final CallerBudgets own = new CallerBudgets(A_SECOND, AT_ONCE);
    private final CallerBudgets all = new CallerBudgets(OF_ALL_A_SECOND, OF_ALL_AT_ONCE);

    Complaints(NamenodeContext context, HeartbeatOrders orders) {
        this.context = context;
        this.orders = orders;
    }

    public void take(MetadataView view, CallerIdentity caller, List<BadChunk> chunks) {
        long now = context.nowMillis();
        for (BadChunk bad : chunks.subList(0, own.take(caller.user(), chunks.size(), now))) {
            if (concerns(view, caller, bad) && all.take(EVERYBODY, 1, now) == 1 && orders.complained(view, bad)) {
                LOG.warn(
                        "event=bad_chunk chunk={} volume={} datanode={} reason={} user=\"{}\"",
                        bad.chunk(),
                        bad.volume(),
                        bad.datanode(),
                        bad.reason(),
                        caller.user());
            }
        }
    }

    private boolean concerns(MetadataView view, CallerIdentity caller, BadChunk bad) {
        return caller.isDatanode()
                || view.group(bad.chunk().group())
                        .filter(group -> view.knownNamespace().mayRead(group, caller))
                        .isPresent();
    }
}
