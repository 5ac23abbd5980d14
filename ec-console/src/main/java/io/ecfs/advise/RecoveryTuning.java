package io.ecfs.advise;

import java.time.Duration;

/**
 * When chunks of a dead datanode are rebuilt, and how many at a time.
 *
 * @param notice silence after which a datanode is suspected
 * @param grace that a suspected one may stay away before it is dead
 * @param atOnce repairs under way in the cluster
 * @param perDatanode repairs under way with one datanode as their target
 */
public record RecoveryTuning(Duration notice, Duration grace, int atOnce, int perDatanode) {
    public RecoveryTuning {
        if (notice.isNegative() || grace.isNegative()) {
            throw new IllegalArgumentException("the time until a datanode is dead is not negative, got " + notice
                    + " and " + grace + ": use --grace 10m");
        }
        if (atOnce < 1 || perDatanode < 1) {
            throw new IllegalArgumentException(
                    "repairs under way are at least 1, got " + atOnce + " and " + perDatanode + " for each datanode");
        }
    }
}
