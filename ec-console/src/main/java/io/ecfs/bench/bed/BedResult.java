package io.ecfs.bench.bed;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measurements of one run.
 *
 * @param latencies of requests
 * @param siteBytes read at each site that did not fail
 * @param visits of sites that did not fail: messages for which a disk did work, moves included, without those that
 *     were cancelled before
 * @param moves of chunks
 * @param statisticsBytes of a namenode at the end, where chunks are moved and the statistics are accessible
 * @param storedBytes of all chunks
 * @param cacheUse of configurations that plan
 * @param planningTimes where planning is timed
 */
public record BedResult(
        LatencyLog latencies,
        long[] siteBytes,
        long visits,
        long moves,
        OptionalLong statisticsBytes,
        long storedBytes,
        double seconds,
        Optional<CacheUse> cacheUse,
        Optional<PlanningTimes> planningTimes) {
    double meanMillis() {
        return latencies.meanMillis();
    }

    double millisAt(double percentile) {
        return latencies.millisAt(percentile);
    }

    /** Imbalance of load: how far the site that read most is above the average, in per cent of it. */
    double lambda() {
        double average = Arrays.stream(siteBytes).average().orElse(0);
        double most = Arrays.stream(siteBytes).max().orElse(0);
        return average == 0 ? 0 : 100 * (most - average) / average;
    }

    double visitsPerRequest() {
        return latencies.count() == 0 ? 0 : (double) visits / latencies.count();
    }

    double statisticsOfStored() {
        return 100.0 * statisticsBytes.orElseThrow() / storedBytes;
    }

    double requestsPerSecond() {
        return latencies.count() / seconds;
    }
}
