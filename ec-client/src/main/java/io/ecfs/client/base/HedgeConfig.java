package io.ecfs.client.base;

import java.time.Duration;

/**
 * Settings of hedged reads, which request more chunks than needed.
 *
 * @param delta late binding: each read requests k + delta chunks at once and takes the first that suffice; 0: only the
 *     needed ones
 * @param adaptive whether a chunk that takes longer than most of its size did lately is replaced by others, and
 *     datanodes that do so again and again are left out
 * @param quantile of the chunk reads of similar size that a chunk may take before it is replaced
 * @param least shortest such wait, so that a busy moment does not add work
 * @param share of chunk reads that may be asked again in this way, in the long run; past it {@code lateAfter} applies
 * @param firstTrial after which a slow datanode is tried again; it doubles with each trial, up to {@code suspicion}
 */
public record HedgeConfig(
        int delta, boolean adaptive, double quantile, Duration least, double share, Duration firstTrial) {
    public HedgeConfig {
        if (delta < 0 || delta > 255) {
            throw new IllegalArgumentException("delta must be from 0 to 255, got " + delta);
        }
        if (!(quantile > 0 && quantile < 1)) {
            throw new IllegalArgumentException("quantile must be above 0 and below 1, got " + quantile);
        }
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be from 0 to 1, got " + share);
        }
        ConfigBounds.requirePositive("least", least);
        ConfigBounds.requirePositive("firstTrial", firstTrial);
    }

    public static HedgeConfig defaults() {
        return new HedgeConfig(0, true, 0.99, Duration.ofMillis(10), 0.05, Duration.ofSeconds(1));
    }
}
