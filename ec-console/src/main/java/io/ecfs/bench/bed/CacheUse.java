package io.ecfs.bench.bed;

import io.ecfs.client.access.ReadPlans;

/**
 * Use of the cache of plans.
 *
 * @param hits plans taken from the cache
 * @param misses plans that were computed
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
