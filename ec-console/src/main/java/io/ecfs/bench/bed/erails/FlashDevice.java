package io.ecfs.bench.bed.erails;

import com.google.errorprone.annotations.Immutable;
import io.ecfs.bench.bed.Device;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * A device whose reads suffer from its writes: while it writes, and for a while afterwards, a read gets a smaller share
 * of its bandwidth and stalls now and then (eRails, figures 9a and 10a; the numbers of both are not in the paper).
 *
 * @param reads when it only reads
 * @param writes when it only writes
 * @param lostShare of the read bandwidth that reads lose beside writes, 0 to less than 1
 * @param stallShare of the reads beside writes that stall
 * @param leastStallNanos of a stall; between this and the most all are as likely
 * @param afterNanos that reads still suffer when the last write has ended
 */
@Immutable
public record FlashDevice(
        Device reads,
        Device writes,
        double lostShare,
        double stallShare,
        long leastStallNanos,
        long mostStallNanos,
        long afterNanos) {
    /** Stalls of a flash device that collects garbage, and how long after a write they come. */
    public static final long LEAST_STALL_NANOS = 2_000_000;

    public static final long MOST_STALL_NANOS = 30_000_000;
    public static final long AFTER_NANOS = 50_000_000;

    public FlashDevice {
        Objects.requireNonNull(reads, "reads");
        Objects.requireNonNull(writes, "writes");
        if (!(lostShare >= 0 && lostShare < 1 && stallShare >= 0 && stallShare <= 1)) {
            throw new IllegalArgumentException("reads lose a share of 0 to less than 1 and stall with a probability of"
                    + " 0 to 1, got " + lostShare + ", " + stallShare);
        }
        if (leastStallNanos < 0 || mostStallNanos < leastStallNanos || afterNanos < 0) {
            throw new IllegalArgumentException("stalls last 0 ns or more, the longest at least as long as the"
                    + " shortest, got " + leastStallNanos + ", " + mostStallNanos + ", " + afterNanos);
        }
    }

    /** A device on which writes leave reads alone. */
    public static FlashDevice undisturbed(Device reads, Device writes) {
        return new FlashDevice(reads, writes, 0, 0, LEAST_STALL_NANOS, MOST_STALL_NANOS, 0);
    }

    /**
     * The same device with reads that take so many times as long beside writes on average: half of that is bandwidth
     * lost and half are stalls.
     *
     * @param times at least 1
     * @param bytes of the reads that this is true of
     */
    public FlashDevice withInterference(double times, long bytes) {
        if (!(times >= 1)) {
            throw new IllegalArgumentException("reads beside writes take at least as long, got " + times + " times");
        }
        double alone = meanReadNanos(bytes, false);
        double more = (times - 1) / 2;
        double byBandwidth = more * alone / reads.readNanos(bytes);
        double stalls = more * alone / ((leastStallNanos + mostStallNanos) / 2.0);
        if (stalls > 1) {
            throw new IllegalArgumentException("reads of " + bytes + " bytes beside writes take at most "
                    + Math.floor(1 + 2 * more / stalls) + " times as long on this device, got " + times);
        }
        return new FlashDevice(
                reads, writes, byBandwidth / (1 + byBandwidth), stalls, leastStallNanos, mostStallNanos, afterNanos);
    }

    /** How many times as long a read takes beside writes, on average. */
    public double interference(long bytes) {
        return meanReadNanos(bytes, true) / meanReadNanos(bytes, false);
    }

    /** Bytes read a second in reads of this size, one after the other. */
    public double readRate(long bytes, boolean besideWrites) {
        return bytes * 1e9 / meanReadNanos(bytes, besideWrites);
    }

    /** Bytes written a second in writes of this size, one after the other. */
    public double writeRate(long bytes) {
        return bytes * 1e9 / writeNanos(bytes);
    }

    /** The same device with rates so many times slower, and reads as many times as long beside writes. */
    public FlashDevice slower(int times, long bytes) {
        return new FlashDevice(
                        reads.slower(times), writes.slower(times), 0, 0, leastStallNanos, mostStallNanos, afterNanos)
                .withInterference(interference(bytes), bytes);
    }

    private double meanReadNanos(long bytes, boolean besideWrites) {
        double transfer = reads.readNanos(bytes);
        return reads.overheadNanos()
                + (besideWrites
                        ? transfer / (1 - lostShare) + stallShare * (leastStallNanos + mostStallNanos) / 2.0
                        : transfer);
    }

    /**
     * To read so many bytes.
     *
     * @param besideWrites while the device writes, or soon after
     */
    public long readNanos(long bytes, boolean besideWrites, SplittableRandom random) {
        long alone = reads.overheadNanos() + reads.readNanos(bytes);
        if (!besideWrites) {
            return alone;
        }
        long stall = random.nextDouble() < stallShare ? random.nextLong(leastStallNanos, mostStallNanos + 1) : 0;
        return reads.overheadNanos() + Math.round(reads.readNanos(bytes) / (1 - lostShare)) + stall;
    }

    /** To write so many bytes. */
    public long writeNanos(long bytes) {
        return writes.overheadNanos() + writes.readNanos(bytes);
    }
}
