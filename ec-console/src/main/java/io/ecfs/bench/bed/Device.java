package io.ecfs.bench.bed;

import com.google.errorprone.annotations.Immutable;

/**
 * Service time of a site: an overhead for each request, independent of its number of chunks, and a time for each
 * byte. The cost model's {@code o_j} without load, and {@code m_j}.
 *
 * @param bytesPerSecond of the disk
 */
@Immutable
public record Device(long overheadNanos, long bytesPerSecond) {
    private static final double NANOS = 1e9;

    /**
     * The paper's disks (Seagate Constellation ES.3, 175 MB/s), with {@code o = 5} where a chunk of 50 KB has
     * {@code m z = 1}.
     */
    public static final Device OF_THE_PAPER = new Device(1_430_000, 175_000_000);

    public Device {
        if (overheadNanos < 0 || bytesPerSecond <= 0) {
            throw new IllegalArgumentException("a device takes 0 ns or more a request and moves bytes, got "
                    + overheadNanos + ", " + bytesPerSecond);
        }
    }

    /** To read or write so many. */
    public long readNanos(long bytes) {
        return Math.round(bytes * nanosPerByte());
    }

    /** {@code m_j} of the cost model. */
    public double nanosPerByte() {
        return NANOS / bytesPerSecond;
    }

    /** The same proportion of both, so many times slower. */
    public Device slower(int times) {
        return new Device(Math.multiplyExact(overheadNanos, (long) times), bytesPerSecond / times);
    }
}
