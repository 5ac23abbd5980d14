package io.ecfs.wire.server;

import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.AnswerBytes;
import io.ecfs.wire.Envelope;
import java.util.concurrent.CompletableFuture;

/**
 * A request under way at a server, and the bytes that it reserves until its answer is sent. Belongs to its connection's
 * event loop, except {@link #cancelled}.
 */
final class ServerCall {
    final long id;
    final Envelope request;
    final long requestBytes;

    /** Bytes reserved for the answer. */
    final long answerBytes;

    /** Bytes of the answer to a spare, once it exists. */
    final long spareBytes;

    final long arrivedNanos;
    boolean hasSpareBytes;
    CompletableFuture<Envelope> answer; // of a read, while it is with the handler
    volatile boolean cancelled;

    ServerCall(long id, Envelope request, long requestBytes, long arrivedNanos) {
        this.id = id;
        this.request = request;
        this.requestBytes = requestBytes;
        this.answerBytes = AnswerBytes.promised(request.head());
        this.spareBytes = AnswerBytes.expected(request.head()) - answerBytes;
        this.arrivedNanos = arrivedNanos;
    }

    /** Bytes that the connection counts for it. */
    long bytes() {
        return requestBytes + answerBytes;
    }

    /** Returns whether it can be cancelled: only reads, since a change must never be half undone. */
    boolean cancellable() {
        return request.head() instanceof ChunkRequest.ReadChunk;
    }
}
