package io.ecfs.datanode.repair;

import java.time.Duration;
import java.util.Objects;

/**
 * The bounds of rebuilding.
 *
 * @param atOnce chunks rebuilt at the same time
 * @param threads that compute
 * @param bufferBytes for all slices under way, what their sources sent included
 * @param sliceBytes most of one chunk that is read at a time; codes with sub-chunks take a cell at a time
 * @param slicesAtOnce of one chunk: while one is written, the next ones are computed and read
 * @param crossCheckOneSliceIn of so many slices one, and the last, is computed a second time from other chunks where
 *     one chunk more is enough for that, and the two are compared: finds a chunk that is wrong though its checksums
 *     match, for that share of one chunk's bytes; 1: every slice, 0: none. What replaces a chunk that can still be read
 *     is compared with that instead. Of what replaces one that is corrupt or was found wrong, every slice is
 *     cross-checked, unless this is 0
 * @param readTimeout of one read from a source
 * @param limit how fast sources are read
 */
public record RepairSettings(
        int atOnce,
        int threads,
        long bufferBytes,
        int sliceBytes,
        int slicesAtOnce,
        int crossCheckOneSliceIn,
        Duration readTimeout,
        Limit limit) {
    private static final int LEAST_SLICE = 4096;

    public RepairSettings {
        if (atOnce < 1 || threads < 1 || bufferBytes < 1 || slicesAtOnce < 1 || sliceBytes < LEAST_SLICE) {
            throw new IllegalArgumentException(
                    "repair needs atOnce, threads, bufferBytes and slicesAtOnce of at least 1 and sliceBytes of at"
                            + " least "
                            + LEAST_SLICE + ", got " + atOnce + ", " + threads + ", " + bufferBytes + ", "
                            + slicesAtOnce + " and " + sliceBytes);
        }
        if (crossCheckOneSliceIn < 0) {
            throw new IllegalArgumentException(
                    "repair.crossCheckOneSliceIn must not be negative, got " + crossCheckOneSliceIn);
        }
        if (readTimeout.isZero() || readTimeout.isNegative()) {
            throw new IllegalArgumentException("repair.readTimeout must be positive, got " + readTimeout);
        }
        Objects.requireNonNull(limit, "limit");
    }

    /**
     * Bytes that this datanode reads from others in a second, on average, to rebuild and move chunks, to compare a
     * chunk with the one that it stands in for and to check the parity of groups; 0: no limit.
     *
     * <p>What it reads to bring open chunks of a lost writer up to full stripes counts too and makes the others wait,
     * but does not wait itself: users wait for the lease, and a chunk that is not brought up within
     * {@code settings.leaseRecoveryWait} is left out and rebuilt whole, from more bytes. Records of a tail, less than
     * a stripe, do not count.
     *
     * @param bytesPerSecond at any time
     * @param busyBytesPerSecond while users are at work
     * @param busyAbove they are when clients exchange more bytes than this with this datanode in a second
     * @param yieldingBytesPerSecond to move chunks of which nothing is lost, when others keep the machine's processors
     *     busy: such moves take what is left over, and so much; 0: they do not give way
     */
    public record Limit(long bytesPerSecond, long busyBytesPerSecond, long busyAbove, long yieldingBytesPerSecond) {
        public static final Limit NONE = new Limit(0, 0, 0, 0);

        public Limit {
            if (bytesPerSecond < 0 || busyBytesPerSecond < 0 || busyAbove < 0 || yieldingBytesPerSecond < 0) {
                throw new IllegalArgumentException("limits of repair must not be negative, got " + bytesPerSecond + ", "
                        + busyBytesPerSecond + ", " + busyAbove + " and " + yieldingBytesPerSecond);
            }
        }

        /** The same with another bound for any time. */
        Limit atMost(long bytes) {
            return new Limit(bytes, busyBytesPerSecond, busyAbove, yieldingBytesPerSecond);
        }

        /** In bytes a second; 0: none. */
        long rate(boolean busy) {
            boolean lower = busy && busyBytesPerSecond > 0;
            return lower && (bytesPerSecond == 0 || busyBytesPerSecond < bytesPerSecond)
                    ? busyBytesPerSecond
                    : bytesPerSecond;
        }
    }

    public static RepairSettings defaults() {
        return new RepairSettings(
                4, 2, 256L << 20, 1 << 20, 3, 8, Duration.ofSeconds(30), new Limit(0, 64L << 20, 16L << 20, 2L << 20));
    }
}
