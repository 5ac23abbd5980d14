package io.ecfs.bench.bed;

import org.HdrHistogram.Histogram;

/**
 * Times of planning on this machine.
 *
 * @param requests planned
 * @param processorNanos CPU time, exact plans included
 * @param ofTenBlocks planning times of requests for ten blocks, in the reader's path; nanoseconds
 */
record PlanningTimes(long requests, long processorNanos, Histogram ofTenBlocks) {
    private static final double SECOND = 1e9;
    private static final double MICRO = 1e3;
    private static final double PERCENT = 100;

    /** Part of a processor that this many requests a second take, in per cent. */
    double processorPercent(double requestsPerSecond) {
        return requests == 0 ? 0 : PERCENT * processorNanos / requests * requestsPerSecond / SECOND;
    }

    double microsAt(double percentile) {
        return ofTenBlocks.getValueAtPercentile(percentile) / MICRO;
    }
}
