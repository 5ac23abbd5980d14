package io.ecfs.wire;

import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Calls other processes: {@code WireClient} over the network, the simulation over its own. Safe for use by several
 * threads.
 */
public interface Caller extends AutoCloseable {
    /**
     * Sends one request. The payload belongs to the call from here on, which releases it once in any case. Calls of one
     * thread to one address arrive in the order they were made, those about one chunk too; answers come in any order.
     * Callbacks on the returned future may run on the caller's network thread and must not block it.
     *
     * <p>Cancelling the future cancels the call: a request that is not sent yet is dropped, a read of a chunk that was
     * sent is cancelled at the peer, and a late answer is released here.
     *
     * @param timeout from now to the answer, waiting and connecting included; positive
     * @return the answer, whose payload belongs to the caller; or {@link io.ecfs.error.EcfsException}: the peer's own
     *     failure, {@code UNREACHABLE} (not sent), {@code CONNECTION_LOST} and {@code TIMEOUT} (the outcome is
     *     unknown), {@code BUSY} (too many calls wait), {@code WRONG_CLUSTER}, {@code INCOMPATIBLE_VERSION},
     *     {@code MALFORMED} (not an ECFS peer)
     */
    CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout);

    /** A call without payload. */
    default CompletableFuture<Envelope> call(Address to, Message request, Duration timeout) {
        return call(to, request, Unpooled.EMPTY_BUFFER, timeout);
    }

    /**
     * Sends several reads of chunks in as few messages as their answers allow. Otherwise each is a call of its own; see
     * {@link #call(Address, Message, ByteBuf, Duration)}. They are not ordered with other calls about their chunks.
     *
     * @return for each read its answer
     */
    default List<CompletableFuture<Envelope>> callAll(
            Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
        return reads.stream().map(read -> call(to, read, timeout)).toList();
    }

    /** Closes all connections; calls that are under way fail with {@code CONNECTION_LOST}, later ones too. */
    @Override
    void close();
}
