package io.ecfs.plan.write;

/**
 * Links of clients and datanodes, all alike, each with its full rate in both directions at once.
 *
 * @param bytesPerSecond of a link in one direction; infinite for a network that is never waited for
 * @param latencyNanos of one way, without the time of the bytes
 */
public record Network(double bytesPerSecond, long latencyNanos) {
    private static final double BYTES_OF_GIGABIT = 125e6;

    public Network {
        if (!(bytesPerSecond > 0) || latencyNanos < 0) {
            throw new IllegalArgumentException("a link moves bytes and its latency is 0 ns or more, got "
                    + bytesPerSecond + " bytes/s, " + latencyNanos + " ns");
        }
    }

    /** @param gigabits per second, 10^9 bits each */
    public static Network ofGigabits(double gigabits, long latencyNanos) {
        return new Network(gigabits * BYTES_OF_GIGABIT, latencyNanos);
    }
}
