package io.ecfs.wire;

import io.ecfs.wire.tls.TlsOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The bounds of the wire, for servers and clients alike.
 *
 * @param maxFrameBytes largest head and payload together; a longer announced length ends the connection before anything
 *     is allocated
 * @param maxConnections a server answers further ones with {@code BUSY} and closes them
 * @param connectionsPerAddress of one host that a server serves, its own not counted; further ones as above
 * @param connectionsPerPeer a client's connections to one address; calls about one chunk share one
 * @param maxCallsInFlight on one connection; a client lets further ones wait, a server stops reading
 * @param maxBytesInFlight request bytes (and, at a server, answer bytes) on one connection, as above; a single larger
 *     one passes alone
 * @param maxCallsWaiting on one connection of a client; further ones fail with {@code BUSY}
 * @param serverRequestBytes request bytes a server holds for the connections of all users, of which one user and one
 *     address have a quarter at most; past it connections stop reading. Daemons have an eighth more
 * @param serverAnswerBytes answer payload a server holds for all its connections until it is sent
 * @param connectTimeout of TCP
 * @param handshakeTimeout from the TCP connection to the peer's greeting, TLS included
 * @param idleTimeout after which a client closes an unused connection, a server one that neither asks nor takes
 *     answers; also how long a silent peer is believed to be alive
 */
public record WireOptions(
        int maxFrameBytes,
        int maxConnections,
        int connectionsPerAddress,
        int connectionsPerPeer,
        int maxCallsInFlight,
        long maxBytesInFlight,
        int maxCallsWaiting,
        long serverRequestBytes,
        long serverAnswerBytes,
        Duration connectTimeout,
        Duration handshakeTimeout,
        Duration idleTimeout,
        Optional<TlsOptions> tls) {
    private static final int MIN_FRAME_BYTES = 4096;
    private static final int MAX_FRAME_BYTES = 1 << 30;

    public WireOptions {
        requireRange("maxFrameBytes", maxFrameBytes, MIN_FRAME_BYTES, MAX_FRAME_BYTES);
        requireRange("maxConnections", maxConnections, 1, 1_000_000);
        requireRange("connectionsPerAddress", connectionsPerAddress, 1, 1_000_000);
        requireRange("connectionsPerPeer", connectionsPerPeer, 1, 64);
        requireRange("maxCallsInFlight", maxCallsInFlight, 1, 1_000_000);
        requireRange("maxBytesInFlight", maxBytesInFlight, 1, Long.MAX_VALUE);
        requireRange("maxCallsWaiting", maxCallsWaiting, 0, 10_000_000);
        requireRange("serverRequestBytes", serverRequestBytes, maxFrameBytes, Long.MAX_VALUE);
        requireRange("serverAnswerBytes", serverAnswerBytes, maxFrameBytes, Long.MAX_VALUE);
        requirePositive("connectTimeout", connectTimeout);
        requirePositive("handshakeTimeout", handshakeTimeout);
        requirePositive("idleTimeout", idleTimeout);
        Objects.requireNonNull(tls, "tls");
    }

    /**
     * 16 MiB of payload and 64 KiB for its head and checksums; 64 MiB in flight on a connection; half a GiB in a
     * server.
     */
    public static WireOptions defaults() {
        return new WireOptions(
                (16 << 20) + (64 << 10),
                4096,
                64,
                1,
                1024,
                64L << 20,
                16_384,
                512L << 20,
                512L << 20,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Optional.empty());
    }

    private static void requireRange(String name, long value, long from, long to) {
        if (value < from || value > to) {
            throw new IllegalArgumentException(name + " must be "
                    + (to == Long.MAX_VALUE ? "at least " + from : "in [" + from + ", " + to + "]") + ", got " + value);
        }
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isNegative() || duration.toMillis() <= 0 || duration.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " must be at least 1ms and at most 24d, got " + duration);
        }
    }
}
