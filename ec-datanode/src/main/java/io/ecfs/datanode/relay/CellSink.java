package io.ecfs.datanode.relay;

import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.transfer.ChunkClient;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/** Where the cells of a relay go. */
@FunctionalInterface
public interface CellSink {
    /**
     * Appends a cell to a chunk. Cells of one chunk that are given one after the other arrive in that order.
     *
     * @param payload belongs to the call from here on
     * @return fails with {@link io.ecfs.error.EcfsException}
     */
    CompletableFuture<ChunkReply.Written> write(RelayTarget target, ChunkRequest.WriteCells cell, ByteBuf payload);

    /** Sends each cell to the datanode of its chunk. */
    static CellSink through(ChunkClient client) {
        return (target, cell, payload) -> client.write(target.address(), cell, payload);
    }
}
