package io.ecfs.client.base;

import io.ecfs.message.BlockToken;
import io.ecfs.message.ChunkLocation;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import java.util.concurrent.CompletableFuture;

/** Where reads get the bytes of chunks from. */
public interface ChunkSource {
    /**
     * Reads chunk bytes [offset, offset + bytes), which the chunk must have.
     *
     * @return verified bytes that cover the range, owned by whoever takes them; fails with {@link io.ecfs.error.EcfsException}, as
     *     {@link ChunkClient#read} does. Cancel to give up
     */
    CompletableFuture<ChunkBytes> read(ChunkLocation location, long offset, int bytes, BlockToken token);

    /** From the datanodes, over the network. */
    static ChunkSource network(ChunkClient datanodes) {
        return (location, offset, bytes, token) ->
                datanodes.read(location.address(), location.chunk(), location.volume(), offset, bytes, token);
    }
}
