package io.ecfs.wire.client;

import io.ecfs.error.EcfsException;
import io.ecfs.wire.frame.EncodedFrame;
import io.netty.util.concurrent.Future;
import java.util.List;

/**
 * Calls that leave in one frame, with numbers in a row: one call, or several reads of chunks. It owns its frame until
 * {@link #send}. Touched by its connection's event loop only.
 */
final class OutboundBatch {
    private final List<PendingCall> calls;
    private final int bytes;
    private final boolean hasPayload;
    private EncodedFrame frame; // null once it is sent or released
    private Future<?> written; // from send on

    /** @param calls at least one */
    OutboundBatch(EncodedFrame frame, List<PendingCall> calls) {
        this.frame = frame;
        this.calls = List.copyOf(calls);
        this.bytes = frame.bytes();
        this.hasPayload = frame.payload().isReadable();
        this.calls.forEach(call -> call.leavesWith(this));
    }

    List<PendingCall> calls() {
        return calls;
    }

    /** Its own, and those of the answers that are expected. */
    long bytes() {
        return bytes + calls.stream().mapToLong(PendingCall::answerBytes).sum();
    }

    /** Returns whether one of its calls is not finished. */
    boolean wanted() {
        return calls.stream().anyMatch(call -> !call.result().isDone());
    }

    /** Numbers the calls and gives up the frame to be sent. Its bytes are those of the first call that is not over. */
    EncodedFrame send(long first) {
        int share = bytes;
        for (int i = 0; i < calls.size(); i++) {
            PendingCall call = calls.get(i);
            call.sent(first + i, call.isOver() ? 0 : share);
            share = call.isOver() ? share : 0;
        }
        frame.number(first);
        EncodedFrame sent = frame;
        frame = null;
        return sent;
    }

    /** @param done completes when the frame has been handed to the system */
    void departs(Future<?> done) {
        written = done;
    }

    /** Returns whether memory of the caller still waits in the channel to be sent. */
    boolean holdsPayload() {
        return hasPayload && written != null && !written.isDone();
    }

    /** Fails all calls, before it was sent. */
    void fail(EcfsException reason) {
        calls.forEach(call -> call.fail(reason));
        release();
    }

    /** Releases the frame, when it was not sent. */
    void release() {
        if (frame != null) {
            frame.release();
            frame = null;
        }
    }
}
