package io.ecfs.message;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * Names one mutating call of one client, and stays the same when the call is sent again: the namenode remembers the
 * answer until the client has acknowledged it, so a retry after a failover has its effect once (HDFS: RetryCache; Raft
 * dissertation section 6.3).
 *
 * <p>The sequence is two numbers in one, so that a peer that knows only one still sees a number that differs from call
 * to call:
 *
 * <pre>
 *   bits 0 to 39    number of the call, growing by one
 *   bits 40 to 62   how many numbers were open when it was first sent, from the oldest to this one; 0: the client does
 *                   not say
 * </pre>
 *
 * @param client unique for each client instance; also the holder of its leases
 * @param sequence grows with every new call of this client
 */
public record RequestId(String client, long sequence) {
    private static final int NUMBER_BITS = 40;
    private static final long MOST_NUMBER = (1L << NUMBER_BITS) - 1;
    private static final long MOST_OPEN = (1L << (Long.SIZE - 1 - NUMBER_BITS)) - 1;

    public RequestId {
        Objects.requireNonNull(client, "client");
        if (client.isEmpty() || client.length() > 64) {
            throw new IllegalArgumentException("client id must have 1 to 64 characters, got " + client.length());
        }
    }

    /**
     * The id of a new call.
     *
     * @param oldestOpen smallest number whose answer the client still waits for, at most {@code number}: the answers
     *     below it are acknowledged
     */
    public static RequestId of(String client, long number, long oldestOpen) {
        if (number < 0 || number > MOST_NUMBER || oldestOpen < 0 || oldestOpen > number) {
            throw new IllegalArgumentException("call " + number + " with " + oldestOpen + " open");
        }
        long open = Math.min(number - oldestOpen + 1, MOST_OPEN);
        return new RequestId(client, open << NUMBER_BITS | number);
    }

    public long number() {
        return sequence & MOST_NUMBER;
    }

    /** The smallest number whose answer the client still waited for; empty when it does not say. */
    public OptionalLong oldestOpen() {
        long open = sequence >>> NUMBER_BITS;
        return open == 0 || open > number() + 1 ? OptionalLong.empty() : OptionalLong.of(number() - open + 1);
    }
}
