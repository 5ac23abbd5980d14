package io.ecfs.bench.bed;

import org.HdrHistogram.Histogram;

/**
 * What planning took on this machine.
 *
 * @param requests planned
 * @param processorNanos that they took, exact plans included
 * @param ofTenBlocks times of requests for ten blocks, while the reader waited; nanoseconds
 */
public record PlanningTimes(long requests, long processorNanos, Histogram ofTenBlocks) {
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
