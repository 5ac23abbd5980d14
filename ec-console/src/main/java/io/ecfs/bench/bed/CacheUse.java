package io.ecfs.bench.bed;

import io.ecfs.client.access.ReadPlans;

/**
 * What the cache of plans was good for.
 *
 * @param hits plans that were kept ones
 * @param misses plans that were made
 */
public record CacheUse(long hits, long misses) {
    private static final double PERCENT = 100;

    public static CacheUse between(ReadPlans.Counts before, ReadPlans.Counts now) {
        return new CacheUse(now.hits() - before.hits(), now.misses() - before.misses());
    }

    double hitPercent() {
        return hits + misses == 0 ? 0 : PERCENT * hits / (hits + misses);
    }
}
