package io.ecfs.wire;

import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Asks other processes. {@link WireClient} does it over the network, the simulation over its own. Safe for use by several threads. */
public interface Caller extends AutoCloseable {
    /**
     * Sends one request. The payload belongs to the call from here on: it is released once, whatever happens. Calls of one thread to
     * one address arrive in the order they were made, those about one chunk too; answers come in any order. Callbacks on the returned
     * future may run on the caller's network thread and must not block it.
     *
     * <p>Cancelling the future gives the call up: a request that is not sent yet is not sent, an answer that comes too late is
     * released here.
     *
     * @param timeout from now to the answer, waiting and connecting included; positive
     * @return the answer, whose payload belongs to whoever takes it; or {@link io.ecfs.error.EcfsException}: the peer's own failure,
     *     {@code UNREACHABLE} (not sent), {@code CONNECTION_LOST} and {@code TIMEOUT} (the outcome is unknown), {@code BUSY} (too
     *     many calls wait), {@code WRONG_CLUSTER}, {@code INCOMPATIBLE_VERSION}, {@code MALFORMED} (not an ECFS peer)
     */
    CompletableFuture<Parcel> call(Address to, Message request, ByteBuf payload, Duration timeout);

    /** A call without payload. */
    default CompletableFuture<Parcel> call(Address to, Message request, Duration timeout) {
        return call(to, request, Unpooled.EMPTY_BUFFER, timeout);
    }

    /** Closes all connections; calls that are under way fail with {@code CONNECTION_LOST}, later ones too. */
    @Override
    void close();
}
