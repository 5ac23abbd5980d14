package io.ecfs.namenode.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the reconstruction of lost chunks.
 * @param grace how long a suspected datanode may stay away before it is dead and its chunks are rebuilt elsewhere; 0:
 *     at once
 * @param graceAlways false: a group that could not lose another chunk is not given the grace, and is rebuilt when the
 *     datanode is suspected
 * @param settle how long a chunk must be missing from a live datanode, or from the facts, before it is rebuilt: a
 *     writer's request may overtake the report of its chunk. A chunk known to be corrupt, or on a failed volume, is
 *     rebuilt at once
 * @param deadline of one attempt; past it another one begins elsewhere, with twice the time
 * @param retryAfter how long a group waits after its first attempt that failed; doubles with each further one
 * @param retryAtMost longest wait between two attempts
 * @param atOnce repairs under way in the cluster; 0: nothing is repaired
 * @param perDatanode repairs under way with one datanode as their target
 */
public record RecoverySettings(
        Duration grace,
        boolean graceAlways,
        Duration settle,
        Duration deadline,
        Duration retryAfter,
        Duration retryAtMost,
        int atOnce,
        int perDatanode) {
    private static final int MOST_DOUBLINGS = 6;

    public RecoverySettings {
        Objects.requireNonNull(settle, "settle");
        if (grace.isNegative() || settle.isNegative()) {
            throw new IllegalArgumentException(
                    "recovery.grace and recovery.settle must not be negative: " + grace + ", " + settle);
        }
        if (deadline.isZero() || deadline.isNegative() || retryAfter.isZero() || retryAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "recovery.deadline and recovery.retryAfter must be positive: " + deadline + ", " + retryAfter);
        }
        if (retryAtMost.compareTo(retryAfter) < 0) {
            throw new IllegalArgumentException(
                    "recovery.retryAtMost " + retryAtMost + " is below recovery.retryAfter " + retryAfter);
        }
        if (atOnce < 0 || perDatanode < 1) {
            throw new IllegalArgumentException(
                    "recovery.atOnce must be at least 0 and recovery.perDatanode at least 1: " + atOnce + ", "
                            + perDatanode);
        }
    }

    public static RecoverySettings defaults() {
        return new RecoverySettings(
                Duration.ofMinutes(10),
                false,
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                200,
                4);
    }

    /** The same settings with repairs off. */
    public RecoverySettings off() {
        return new RecoverySettings(grace, graceAlways, settle, deadline, retryAfter, retryAtMost, 0, perDatanode);
    }

    /**
     * The deadline of the next attempt: doubles with each one that failed, so that a low pace makes a repair late,
     * never impossible.
     * @param failures in a row
     */
    public Duration deadlineAfter(int failures) {
        return deadline.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    }

    /**
     * The wait after a failed attempt.
     * @param failures in a row, at least 1
     */
    public Duration waitAfter(int failures) {
        Duration wait = retryAfter;
        for (int i = 1; i < failures && wait.compareTo(retryAtMost) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(retryAtMost) < 0 ? wait : retryAtMost;
    }
}
