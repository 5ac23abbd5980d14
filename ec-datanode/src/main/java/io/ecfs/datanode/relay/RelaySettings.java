package io.ecfs.datanode.relay;

import java.time.Duration;

/**
 * The bounds of the relays of a datanode.
 *
 * @param bytes memory of the stripes of all writers; past it writers are refused with {@code BUSY}. An eighth of what
 *     the server takes in for users at most: the cells of a stripe that has begun always find room there
 * @param most relays; 0: none, every writer distributes itself
 * @param idle a relay that gets no cell for so long is dropped, with its unfinished stripe
 * @param writeTimeout of a cell, from the request to the other datanode to its answer
 * @param threads that encode
 */
public record RelaySettings(long bytes, int most, Duration idle, Duration writeTimeout, int threads) {
    /** Divisor of the server's memory for the requests of users: of these one user gets a quarter. */
    private static final int SHARE = 8;

    public RelaySettings {
        if (bytes < 1 || most < 0 || threads < 1) {
            throw new IllegalArgumentException("relay.bytes and relay.threads must be positive and relay.most at least"
                    + " 0, got " + bytes + ", " + threads + " and " + most);
        }
        if (idle.isNegative() || idle.isZero() || writeTimeout.isNegative() || writeTimeout.isZero()) {
            throw new IllegalArgumentException(
                    "relay.idle and relay.writeTimeout must be positive, got " + idle + " and " + writeTimeout);
        }
    }

    public static RelaySettings defaults() {
        return new RelaySettings(64L << 20, 1024, Duration.ofSeconds(60), Duration.ofSeconds(30), 2);
    }

    /** The same for a server that takes in so many bytes of requests. */
    public RelaySettings within(long serverRequestBytes) {
        long share = Math.max(1, serverRequestBytes / SHARE);
        return new RelaySettings(Math.min(bytes, share), most, idle, writeTimeout, threads);
    }
}
