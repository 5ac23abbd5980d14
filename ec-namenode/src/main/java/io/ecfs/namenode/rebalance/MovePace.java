package io.ecfs.namenode.rebalance;

/**
 * Pace of moves: below a number of chunks a second, and below a share of the bytes that datanodes exchange with all
 * peers (with a least rate, so that a quiet cluster can move at all). Times are monotonic milliseconds.
 */
final class MovePace {
    private static final double MILLIS = 1000;

    /** Expected time between two calls of {@link #may}: what was allowed since the last one is not lost. */
    private static final double TICK_MILLIS = 1000;

    private final double chunksPerSecond;
    private final double bandwidthShare;
    private final double leastBytesPerSecond;
    private double mayAtMillis = Double.NEGATIVE_INFINITY;

    public MovePace(double chunksPerSecond, double bandwidthShare, double leastBytesPerSecond) {
        if (!(chunksPerSecond > 0) || !(bandwidthShare >= 0) || !(leastBytesPerSecond > 0)) {
            throw new IllegalArgumentException("a pace must be positive: " + chunksPerSecond + " chunks/s, share "
                    + bandwidthShare + ", at least " + leastBytesPerSecond + " bytes/s");
        }
        this.chunksPerSecond = chunksPerSecond;
        this.bandwidthShare = bandwidthShare;
        this.leastBytesPerSecond = leastBytesPerSecond;
    }

    public boolean may(long nowMillis) {
        return nowMillis >= mayAtMillis;
    }

    /** @param traffic bytes a second of all datanodes together */
    public void moved(long bytes, double traffic, long nowMillis) {
        double since = Math.max(mayAtMillis, nowMillis - TICK_MILLIS);
        double rate = Math.max(leastBytesPerSecond, bandwidthShare * traffic);
        mayAtMillis = since + MILLIS * Math.max(1 / chunksPerSecond, bytes / rate);
    }
}
