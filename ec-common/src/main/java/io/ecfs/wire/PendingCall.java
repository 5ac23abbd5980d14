package io.ecfs.wire;

import io.ecfs.error.EcfsException;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A call from {@link WireClient#call} to its outcome. It owns its frame until {@link #send}. Touched by its connection's event loop
 * only, but for {@link #result}.
 */
final class PendingCall {
    /** What a timer can count in nanoseconds, and longer than anybody waits. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final CompletableFuture<Parcel> result = new CompletableFuture<>();
    private final String request;
    private final Duration timeout;
    private final int bytes;
    private final boolean hasPayload;
    private EncodedFrame frame; // null once it is sent or released
    private ScheduledFuture<?> timer;
    private long id;
    private Future<?> departure; // from send on

    PendingCall(String request, EncodedFrame frame, Duration timeout) {
        this.request = request;
        this.frame = frame;
        this.bytes = frame.bytes();
        this.hasPayload = frame.payload().isReadable();
        this.timeout = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
    }

    CompletableFuture<Parcel> result() {
        return result;
    }

    /** Kind of the request, for messages. */
    String request() {
        return request;
    }

    Duration timeout() {
        return timeout;
    }

    int bytes() {
        return bytes;
    }

    boolean isSent() {
        return id != 0;
    }

    /** Its number on the connection; 0 until it is sent. */
    long id() {
        return id;
    }

    /** Numbers the call and gives up its frame to be sent. */
    EncodedFrame send(long number) {
        id = number;
        frame.number(number);
        EncodedFrame sent = frame;
        frame = null;
        return sent;
    }

    /** @param written completes when the frame has been handed to the system */
    void departs(Future<?> written) {
        departure = written;
    }

    /** Whether memory of the caller still waits in the channel to be sent. */
    boolean holdsPayload() {
        return hasPayload && departure != null && !departure.isDone();
    }

    void timer(ScheduledFuture<?> running) {
        timer = running;
    }

    /** Gives the answer to the caller; one that nobody waits for any more is released. */
    void answer(Parcel parcel) {
        end();
        if (!result.complete(parcel)) {
            parcel.release();
        }
    }

    void fail(EcfsException reason) {
        end();
        result.completeExceptionally(reason);
    }

    /** Releases what the call still holds. */
    void end() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        if (frame != null) {
            frame.release();
            frame = null;
        }
    }
}
