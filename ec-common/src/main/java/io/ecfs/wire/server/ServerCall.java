package io.ecfs.wire.server;

import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.AnswerBytes;
import io.ecfs.wire.Envelope;
import java.util.concurrent.CompletableFuture;

/**
 * A request under way at a server, and what it holds until it is answered and sent. Belongs to its connection's event
 * loop, but for {@link #cancelled}.
 */
final class ServerCall {
    final long id;
    final Envelope request;
    final long requestBytes;

    /** Of the answer, from when it is promised. */
    final long answerBytes;

    /** Of the answer to a spare, from when it is there. */
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

    /** What the connection counts for it. */
    long bytes() {
        return requestBytes + answerBytes;
    }

    /** A change must never be half undone. */
    boolean cancellable() {
        return request.head() instanceof ChunkRequest.ReadChunk;
    }
}
