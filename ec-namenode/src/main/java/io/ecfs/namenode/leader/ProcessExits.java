package io.ecfs.namenode.leader;

import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.ConnectProbe;
import io.ecfs.namenode.context.NamenodeContext;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects, on the leader, that the process of a datanode has ended, without waiting for its silence. When a process
 * dies, its system closes its connections and refuses new ones. A network that is cut does neither.
 *
 * <pre>
 *   a connection of the datanode closed --&gt; connect to its address --refused--&gt; suspected from now on
 *                                                ^          |--no answer-----&gt; nothing: it may be the network
 *                                                |          `--accepted------&gt; it lives, or is about to end:
 *                                                `---- a moment later, a few times, until it reports
 * </pre>
 *
 * A report that arrives meanwhile ends it, and one that arrives later ends the suspicion. Owner thread: the namenode's
 * event thread.
 */
final class ProcessExits {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessExits.class);

    /**
     * Connects after a connection was closed. A dying process may close its connections before it ceases to listen;
     * all are over within 0.7 s.
     */
    private static final int MOST_CONNECTS = 4;

    private static final Duration FIRST_WAIT = Duration.ofMillis(100);

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final ConnectProbe probe;
    private final Consumer<DatanodeId> ended;
    private final TreeSet<DatanodeId> probed = new TreeSet<>();
    private boolean stopped;

    /** @param ended receives a datanode that is suspected now since its process has ended */
    ProcessExits(NamenodeContext context, ClusterView cluster, ConnectProbe probe, Consumer<DatanodeId> ended) {
        this.context = context;
        this.cluster = cluster;
        this.probe = probe;
        this.ended = ended;
    }

    void stop() {
        stopped = true;
    }

    /** A connection of a datanode was closed. It may have others, or open one anew. */
    void connectionClosed(DatanodeId datanode) {
        if (cluster.state(datanode) == DatanodeState.HEALTHY && probed.add(datanode)) {
            connect(datanode, context.nowMillis(), 1);
        }
    }

    private void connect(DatanodeId datanode, long closedMillis, int connects) {
        Optional<Address> address = cluster.topology()
                .datanode(datanode)
                .filter(facts -> mayHaveEnded(datanode, closedMillis))
                .map(DatanodeFacts::address);
        if (address.isEmpty()) {
            probed.remove(datanode);
            return;
        }
        long askedMillis = context.nowMillis();
        probe.refused(address.get())
                .whenComplete((refused, failure) -> context.scheduler().execute(() -> {
                    if (failure == null && refused) {
                        probed.remove(datanode);
                        refused(datanode, address.get(), closedMillis);
                    } else if (connects == MOST_CONNECTS || context.passed(FIRST_WAIT.multipliedBy(4), askedMillis)) {
                        probed.remove(datanode); // it lives, or does not answer
                    } else {
                        context.scheduler()
                                .schedule(
                                        FIRST_WAIT.multipliedBy(1L << (connects - 1)),
                                        () -> connect(datanode, closedMillis, connects + 1));
                    }
                }));
    }

    private boolean mayHaveEnded(DatanodeId datanode, long closedMillis) {
        return !stopped
                && cluster.state(datanode) == DatanodeState.HEALTHY
                && !cluster.table().reportedAfter(datanode, closedMillis);
    }

    private void refused(DatanodeId datanode, Address address, long closedMillis) {
        if (!mayHaveEnded(datanode, closedMillis)) {
            return;
        }
        LOG.warn(
                "event=datanode_process_ended datanode={} address={} millis={} consequence=\"suspected at once\"",
                datanode,
                address,
                context.nowMillis() - closedMillis);
        cluster.table().processEnded(datanode, context.nowMillis());
        ended.accept(datanode);
    }
}
