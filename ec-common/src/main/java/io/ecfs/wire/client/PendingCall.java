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
 * A call from {@link WireClient#call} to its outcome. Its request leaves with a {@link OutboundBatch}. Touched by its
 * connection's event loop only, but for {@link #result}.
 */
final class PendingCall {
    /** What a timer can count in nanoseconds, and longer than anybody waits. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final CompletableFuture<Envelope> result = new CompletableFuture<>();
    private final String request;
    private final boolean read;
    private final Duration timeout;
    private OutboundBatch batch; // set before anybody else sees the call
    private ScheduledFuture<?> timer;
    private long id; // as the next from when it is sent on
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

    /**
     * Whether the peer can be spared the work when nobody waits for the answer any more; see
     * {@link io.ecfs.message.CancelCalls}.
     */
    boolean canBeCalledOff() {
        return read;
    }

    Duration timeout() {
        return timeout;
    }

    /** Of the answer that is expected; 0 of a spare, which holds none at the server before it is there. */
    long answerBytes() {
        return answerBytes;
    }

    /** What counts as its own of the bytes that left, and its answer's: what it holds at the server. */
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

    /** @param share of the bytes that left */
    void sent(long number, int share) {
        id = number;
        bytes = over ? 0 : share + answerBytes;
    }

    /** Whether its connection has done with it; its result may be there a little sooner. */
    boolean isOver() {
        return over;
    }

    void timer(ScheduledFuture<?> running) {
        timer = running;
    }

    /** Gives the answer to the caller; one that nobody waits for any more is released. */
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
