package io.ecfs.message;

import java.util.List;

/**
 * Nobody waits any more for the answers to these calls of this connection. It is answered by nothing. Reads of chunks
 * that have not begun are not begun then, and fail; all other calls, those that are over, and numbers that were never
 * given are left alone.
 *
 * @param calls their numbers, at least one
 */
public record CancelCalls(List<Long> calls) implements Message {
    /** In one message. */
    public static final int MOST = 1024;

    public CancelCalls {
        calls = List.copyOf(calls);
        if (calls.isEmpty() || calls.size() > MOST) {
            throw new IllegalArgumentException(
                    "a message that calls " + calls.size() + " calls off: it is from 1 to " + MOST);
        }
    }
}
