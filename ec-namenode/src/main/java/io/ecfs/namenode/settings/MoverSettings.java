package io.ecfs.namenode.settings;

/**
 * Settings of moves to where reading costs less (ec-store paper, IV-C and IV-D).
 * @param on whether chunks are moved
 * @param chunksPerSecond most moves begun a second, in the whole cluster
 * @param bandwidthShare of the bytes that datanodes exchange with all peers, for moves
 * @param leastBytesPerSecond that moves may take when the datanodes exchange few; and the least average traffic of a
 *     datanode for differences of load to count
 * @param leastRequestsPerSecond of clients, over the window: with fewer nothing moves
 * @param leastWaitNanos queueing time of reads below which nothing moves: one read from several datanodes at a time is
 *     faster then
 * @param weights w1 and w2
 * @param leastGain gain that a move must exceed: smaller ones are within the variation from minute to minute
 * @param standardErrors number of its own standard errors subtracted from a gain before it is compared with {@code
 *     leastGain}
 * @param overheadNanos least cost of a request to a datanode, beside its queues: network and handling
 * @param perByteNanos cost of reading a byte of a chunk: m
 */
public record MoverSettings(
        boolean on,
        double chunksPerSecond,
        double bandwidthShare,
        long leastBytesPerSecond,
        double leastRequestsPerSecond,
        long leastWaitNanos,
        MoverWeights weights,
        double leastGain,
        double standardErrors,
        long overheadNanos,
        double perByteNanos) {
    public MoverSettings {
        if (!(chunksPerSecond > 0 && chunksPerSecond <= 1000)) {
            throw new IllegalArgumentException("mover.chunksPerSecond must be in (0, 1000]: " + chunksPerSecond);
        }
        if (!(bandwidthShare >= 0 && bandwidthShare <= 1) || leastBytesPerSecond < 1) {
            throw new IllegalArgumentException("mover.bandwidthShare must be in [0, 1] and leastBytesPerSecond at least"
                    + " 1: " + bandwidthShare + ", " + leastBytesPerSecond);
        }
        if (!(leastRequestsPerSecond >= 0) || leastWaitNanos < 0 || !(standardErrors >= 0)) {
            throw new IllegalArgumentException(
                    "mover.leastRequestsPerSecond, leastWaitNanos and standardErrors are not negative: "
                            + leastRequestsPerSecond + ", " + leastWaitNanos + ", " + standardErrors);
        }
        if (!(leastGain > 0) || overheadNanos < 1 || !(perByteNanos >= 0)) {
            throw new IllegalArgumentException(
                    "mover.leastGain and overheadNanos must be positive, perByteNanos not negative: " + leastGain + ", "
                            + overheadNanos + ", " + perByteNanos);
        }
    }

    public static MoverSettings defaults() {
        return new MoverSettings(true, 0.9, 0.05, 1 << 20, 1, 200_000, MoverWeights.PAPER, 0.3, 3, 200_000, 1);
    }

    /** The same settings for other devices; reads that wait for less than the overhead do not count as waiting. */
    public MoverSettings withCosts(long overhead, double perByte) {
        return new MoverSettings(
                on,
                chunksPerSecond,
                bandwidthShare,
                leastBytesPerSecond,
                leastRequestsPerSecond,
                overhead,
                weights,
                leastGain,
                standardErrors,
                overhead,
                perByte);
    }
}
