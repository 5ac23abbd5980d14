package io.ecfs.layout;

import io.ecfs.code.CodeSpec;
import java.util.Objects;

/**
 * What a ring can bear at most (eRails, sections 4 and 6.2): of rates in bytes a second. {@code q = n/k} bytes are
 * stored for each byte of users. Pure.
 *
 * @param volumes of the ring, spread evenly over its colours
 * @param readRate of one volume that only reads
 * @param writeRate of one volume that only writes
 */
public record RingRates(Ring ring, CodeSpec code, int volumes, double readRate, double writeRate) {
    public RingRates {
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(code, "code");
        if (volumes < ring.colours()) {
            throw new IllegalArgumentException(
                    "a ring of " + ring.colours() + " colours has at least as many volumes, not " + volumes);
        }
        if (!(readRate > 0 && writeRate > 0)) {
            throw new IllegalArgumentException("rates of a volume are positive: " + readRate + ", " + writeRate);
        }
    }

    /** Bytes stored for each byte of users. */
    public double storedPerByte() {
        return (double) code.chunks() / code.dataChunks();
    }

    private double writingShare() {
        return (double) ring.writers() / ring.colours();
    }

    /** Most bytes of users written a second: those that write do nothing else (N k w_r w / (n_c n); section 4). */
    public double writes() {
        return volumes * writingShare() * writeRate / storedPerByte();
    }

    /** Bytes read a second when the readers do nothing else: (N (n_c - w_r) / n_c) r. */
    public double reads() {
        return volumes * (1 - writingShare()) * readRate;
    }

    /**
     * Most bytes a volume has staged, when its window begins.
     *
     * @param seconds of a position
     */
    public double mostStaged(double userWrites, double seconds) {
        return userWrites * storedPerByte() / volumes * (ring.colours() - ring.writers()) * seconds;
    }
}
