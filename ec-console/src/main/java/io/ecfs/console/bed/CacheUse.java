package io.ecfs.console.bed;

/**
 * What the cache of plans was good for.
 *
 * @param hits plans that were kept ones
 * @param misses plans that were made
 */
public record CacheUse(long hits, long misses) {
    private static final double PERCENT = 100;

    double hitPercent() {
        return hits + misses == 0 ? 0 : PERCENT * hits / (hits + misses);
    }
}
