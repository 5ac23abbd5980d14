package io.ecfs.datanode.server;

import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the parity of groups as the leader orders.
 *
 * @param badChunks receives chunks that could not be used when they were read
 */
record ParityCheckWork(ChangeSink changes, Repairer repairer, Consumer<BadChunk> badChunks)
        implements OrderQueue.Work<GroupId, DatanodeOrder.CheckParity, Verdict> {
    private static final Logger LOG = LoggerFactory.getLogger(ParityCheckWork.class);

    @Override
    public GroupId subject(DatanodeOrder.CheckParity order) {
        return order.group();
    }

    @Override
    public CompletableFuture<Verdict> execute(DatanodeOrder.CheckParity order) {
        return repairer.check(order, badChunks);
    }

    @Override
    public void ended(DatanodeOrder.CheckParity order, Optional<Verdict> verdict, Optional<EcfsException> failure) {
        failure.ifPresent(
                error -> LOG.info("event=parity_not_checked group={} error=\"{}\"", order.group(), error.getMessage()));
        changes.changed(new ChunkChange.ParityChecked(
                order.volume(),
                order.group(),
                verdict.map(Verdict::finding),
                verdict.flatMap(found -> order.chunks().stream()
                        .map(ChunkLocation::chunk)
                        .filter(chunk -> found.index().equals(OptionalInt.of(chunk.index())))
                        .findFirst())));
    }
}
