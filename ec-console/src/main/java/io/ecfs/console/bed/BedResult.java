package io.ecfs.console.bed;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * What was measured.
 *
 * @param latencies of requests, in nanoseconds
 * @param siteBytes read at each site that did not fail
 * @param accesses sites asked, over all requests
 * @param moves of chunks
 * @param statisticsBytes of a namenode at the end, where chunks are moved and they can be looked at
 * @param storedBytes of all chunks
 */
public record BedResult(
        Histogram latencies,
        long[] siteBytes,
        long accesses,
        long moves,
        OptionalLong statisticsBytes,
        long storedBytes,
        double seconds,
        Optional<Planning> planning) {
    private static final double MILLI = 1e6;

    double meanMillis() {
        return latencies.getMean() / MILLI;
    }

    double millisAt(double percentile) {
        return latencies.getValueAtPercentile(percentile) / MILLI;
    }

    /** Imbalance of load: how far the site that read most is above the average, in per cent of it. */
    double lambda() {
        double average = Arrays.stream(siteBytes).average().orElse(0);
        double most = Arrays.stream(siteBytes).max().orElse(0);
        return average == 0 ? 0 : 100 * (most - average) / average;
    }

    double sitesPerRequest() {
        return latencies.getTotalCount() == 0 ? 0 : (double) accesses / latencies.getTotalCount();
    }

    double statisticsOfStored() {
        return 100.0 * statisticsBytes.orElseThrow() / storedBytes;
    }

    double requestsPerSecond() {
        return latencies.getTotalCount() / seconds;
    }
}
