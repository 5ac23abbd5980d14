package io.ecfs.datanode.server;

import java.time.Duration;

/**
 * Settings of the datanode's reports to its namenodes.
 *
 * @param heartbeatInterval between two heartbeats to one namenode; also between two attempts when it does not answer
 * @param callTimeout of one call to a namenode
 * @param changeDelay least time between two reports of changes, in which the many changes of small files are collected
 * @param fullReportInterval between two full reports of a volume to one namenode
 * @param reportPageChunks chunks in one page of a full report
 * @param changeBatch changes in one report
 * @param changeBound most changes queued for one namenode; past it a full report replaces them
 * @param orderBound most queued orders, of comparisons and of parity checks as many each; further ones come again
 *     with a later heartbeat
 * @param ordersAtOnce orders executed at the same time
 */
public record ControlSettings(
        Duration heartbeatInterval,
        Duration callTimeout,
        Duration changeDelay,
        Duration fullReportInterval,
        int reportPageChunks,
        int changeBatch,
        int changeBound,
        int orderBound,
        int ordersAtOnce) {
    public ControlSettings {
        requirePositive("heartbeatInterval", heartbeatInterval);
        requirePositive("callTimeout", callTimeout);
        requirePositive("changeDelay", changeDelay);
        requirePositive("fullReportInterval", fullReportInterval);
        requirePositive("reportPageChunks", reportPageChunks);
        requirePositive("changeBatch", changeBatch);
        requirePositive("changeBound", changeBound);
        requirePositive("orderBound", orderBound);
        requirePositive("ordersAtOnce", ordersAtOnce);
    }

    public static ControlSettings defaults() {
        return new ControlSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofMillis(20),
                Duration.ofHours(6),
                10_000,
                1000,
                100_000,
                20_000,
                32);
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, got " + duration);
        }
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, got " + value);
        }
    }
}
