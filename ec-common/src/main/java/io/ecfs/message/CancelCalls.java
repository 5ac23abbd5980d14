package io.ecfs.message;

import java.util.List;

/**
 * Cancels calls of this connection whose answers the caller no longer needs. It has no answer. Reads of chunks that
 * have not begun fail without being begun; all other calls, finished calls and unknown numbers are ignored.
 *
 * @param calls their numbers, at least one
 */
public record CancelCalls(List<Long> calls) implements Message {
    /** Most calls in one message. */
    public static final int MOST = 1024;

    public CancelCalls {
        calls = List.copyOf(calls);
        if (calls.isEmpty() || calls.size() > MOST) {
            throw new IllegalArgumentException(
                    "a message that calls " + calls.size() + " calls off: it is from 1 to " + MOST);
        }
    }
}
