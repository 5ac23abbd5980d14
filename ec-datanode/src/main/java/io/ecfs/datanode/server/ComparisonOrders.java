package io.ecfs.datanode.server;

import io.ecfs.datanode.repair.Repairer;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the leader's orders to compare chunks: as many at a time as rebuilds, apart from the other orders, since
 * they take long; many orders for small chunks come with one heartbeat and wait here. A pair that waits or is being
 * compared is not added again. Owner thread: the control plane's.
 */
final class ComparisonOrders {
    private static final Logger LOG = LoggerFactory.getLogger(ComparisonOrders.class);

    private final Scheduler scheduler;
    private final ChangeSink changes;
    private final Repairer repairer;
    private final Consumer<BadChunk> badChunks;
    private final int waitingBound;
    /** Waiting orders by the old chunk. */
    private final Map<ChunkId, DatanodeOrder.Compare> waiting = new LinkedHashMap<>();

    private final Set<ChunkId> comparing = new HashSet<>();

    /**
     * @param badChunks receives chunks that could not be used when they were read
     * @param waitingBound most waiting orders; further ones are dropped, and come again with a later heartbeat
     */
    ComparisonOrders(
            Scheduler scheduler,
            ChangeSink changes,
            Repairer repairer,
            Consumer<BadChunk> badChunks,
            int waitingBound) {
        this.scheduler = scheduler;
        this.changes = changes;
        this.repairer = repairer;
        this.badChunks = badChunks;
        this.waitingBound = waitingBound;
    }

    void take(DatanodeOrder.Compare order) {
        ChunkId old = order.old().chunk();
        if (!comparing.contains(old) && waiting.size() < waitingBound) {
            waiting.put(old, order);
            beginSome();
        }
    }

    /** Drops the waiting orders: their leader is deposed. */
    void dropWaiting() {
        waiting.clear();
    }

    private void beginSome() {
        Iterator<DatanodeOrder.Compare> next = waiting.values().iterator();
        while (comparing.size() < repairer.atOnce() && next.hasNext()) {
            DatanodeOrder.Compare order = next.next();
            next.remove();
            begin(order);
        }
    }

    private void begin(DatanodeOrder.Compare order) {
        comparing.add(order.old().chunk());
        repairer.compare(order, badChunks)
                .whenComplete((alike, failure) -> scheduler.execute(() -> {
                    comparing.remove(order.old().chunk());
                    if (failure != null) {
                        LOG.info(
                                "event=chunks_not_compared chunk={} old={} error=\"{}\"",
                                order.fresh().chunk(),
                                order.old().chunk(),
                                EcfsException.of(failure).getMessage());
                    }
                    changes.changed(new ChunkChange.Compared(
                            order.volume(), order.fresh().chunk(), order.old().chunk(), Optional.ofNullable(alike)));
                    beginSome();
                }));
    }
}
