package io.ecfs.datanode.server;

import java.time.Duration;

/**
 * How the datanode keeps its namenodes informed.
 *
 * @param heartbeatInterval between two signs of life to one namenode; also between two attempts when it does not answer
 * @param callTimeout of one call to a namenode
 * @param changeDelay least time between two reports of changes; those of small files are many, and gather meanwhile
 * @param fullReportInterval between two full reports of a volume to one namenode
 * @param reportPageChunks chunks in one page of a full report
 * @param changeBatch changes in one report
 * @param changeBound changes kept for one namenode; past it a full report takes their place
 * @param orderBound orders kept; further ones come again with a later heartbeat
 * @param ordersAtOnce orders carried out at the same time
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
