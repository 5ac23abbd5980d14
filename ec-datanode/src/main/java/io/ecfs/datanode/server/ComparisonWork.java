package io.ecfs.datanode.server;

import io.ecfs.datanode.repair.Repairer;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares chunks as the leader orders; an old chunk with one replacement at a time.
 *
 * @param badChunks receives chunks that could not be used when they were read
 */
record ComparisonWork(ChangeSink changes, Repairer repairer, Consumer<BadChunk> badChunks)
        implements OrderQueue.Work<ChunkId, DatanodeOrder.Compare, Boolean> {
    private static final Logger LOG = LoggerFactory.getLogger(ComparisonWork.class);

    @Override
    public ChunkId subject(DatanodeOrder.Compare order) {
        return order.old().chunk();
    }

    @Override
    public CompletableFuture<Boolean> execute(DatanodeOrder.Compare order) {
        return repairer.compare(order, badChunks);
    }

    @Override
    public void ended(DatanodeOrder.Compare order, Optional<Boolean> alike, Optional<EcfsException> failure) {
        failure.ifPresent(error -> LOG.info(
                "event=chunks_not_compared chunk={} old={} error=\"{}\"",
                order.fresh().chunk(),
                order.old().chunk(),
                error.getMessage()));
        changes.changed(new ChunkChange.Compared(
                order.volume(), order.fresh().chunk(), order.old().chunk(), alike));
    }
}
