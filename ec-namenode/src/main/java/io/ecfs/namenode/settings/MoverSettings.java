package io.ecfs.namenode.settings;

/**
 * How chunks are moved to where reading them costs less (ec-store paper, IV-C and IV-D).
 *
 * @param on whether they are
 * @param chunksPerSecond most moves begun a second, in the whole cluster
 * @param bandwidthShare of the bytes that datanodes exchange with everybody, for moves
 * @param leastBytesPerSecond that moves may take when the datanodes exchange few; and what a datanode exchanges on
 *     average at least for differences of load to count
 * @param leastRequestsPerSecond of clients, over the window: fewer move nothing
 * @param leastWaitNanos where reads wait less than that for their turn, nothing moves: one read from several datanodes
 *     at a time is done sooner
 * @param weights w1 and w2
 * @param leastGain a move has to gain more: below lies what changes by itself from minute to minute
 * @param standardErrors so many of its own are taken off a gain before it is compared with {@code leastGain}
 * @param overheadNanos what asking a datanode costs at least, beside its queues: network and handling
 * @param perByteNanos what reading a byte of a chunk costs: m
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

    /** The same for other devices; reads that wait for less than the overhead do not count as waiting. */
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
