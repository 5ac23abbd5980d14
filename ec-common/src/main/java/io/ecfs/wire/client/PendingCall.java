package io.ecfs.wire.client;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.AnswerBytes;
import io.ecfs.wire.Envelope;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A call from {@link WireClient#call} to its outcome. Its request leaves with a {@link OutboundBatch}. Used by its
 * connection's event loop only, except {@link #result}.
 */
final class PendingCall {
    /** Longest timeout: within what a timer counts in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final CompletableFuture<Envelope> result = new CompletableFuture<>();
    private final String request;
    private final boolean read;
    private final Duration timeout;
    private OutboundBatch batch; // set before the call is published
    private ScheduledFuture<?> timer;
    private long id; // this and the next are set when it is sent
    private final long answerBytes;
    private long bytes;
    private boolean over;

    PendingCall(Message request, Duration timeout) {
        this.request = request.getClass().getSimpleName();
        this.read = request instanceof ChunkRequest.ReadChunk;
        this.answerBytes = AnswerBytes.promised(request);
        this.timeout = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
    }

    void leavesWith(OutboundBatch mine) {
        batch = mine;
    }

    OutboundBatch batch() {
        return batch;
    }

    CompletableFuture<Envelope> result() {
        return result;
    }

    /** Kind of the request, for messages. */
    String request() {
        return request;
    }

    /** Returns whether the call can be cancelled at the peer; see {@link io.ecfs.message.CancelCalls}. */
    boolean cancellable() {
        return read;
    }

    Duration timeout() {
        return timeout;
    }

    /** Bytes of the expected answer; 0 for a spare, which reserves none at the server before the answer exists. */
    long answerBytes() {
        return answerBytes;
    }

    /** Bytes that it takes of the server's budgets: its share of the sent bytes, and its answer's. */
    long bytes() {
        return bytes;
    }

    boolean isSent() {
        return id != 0;
    }

    /** Its number on the connection; 0 until it is sent. */
    long id() {
        return id;
    }

    /** @param share of the sent bytes */
    void sent(long number, int share) {
        id = number;
        bytes = over ? 0 : share + answerBytes;
    }

    /** Returns whether its connection has finished with it; its result may complete a little earlier. */
    boolean isOver() {
        return over;
    }

    void timer(ScheduledFuture<?> running) {
        timer = running;
    }

    /** Completes the result with the answer, or releases it if the call was cancelled. */
    void answer(Envelope envelope) {
        end();
        if (!result.complete(envelope)) {
            envelope.release();
        }
    }

    void fail(EcfsException reason) {
        end();
        result.completeExceptionally(reason);
    }

    void end() {
        over = true;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
