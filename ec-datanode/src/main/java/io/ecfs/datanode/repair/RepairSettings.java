package io.ecfs.datanode.repair;

import java.time.Duration;

/**
 * The bounds of rebuilding.
 *
 * @param atOnce chunks rebuilt at the same time
 * @param threads that compute
 * @param bufferBytes for all slices under way
 * @param sliceBytes most of one chunk that is read at a time; codes with sub-chunks take a cell at a time
 * @param readTimeout of one read from a source
 */
public record RepairSettings(int atOnce, int threads, long bufferBytes, int sliceBytes, Duration readTimeout) {
    private static final int LEAST_SLICE = 4096;

    public RepairSettings {
        if (atOnce < 1 || threads < 1 || bufferBytes < 1 || sliceBytes < LEAST_SLICE) {
            throw new IllegalArgumentException(
                    "repair needs atOnce, threads and bufferBytes of at least 1 and sliceBytes of at least "
                            + LEAST_SLICE + ", got " + atOnce + ", " + threads + ", " + bufferBytes + " and "
                            + sliceBytes);
        }
        if (readTimeout.isZero() || readTimeout.isNegative()) {
            throw new IllegalArgumentException("repair.readTimeout must be positive, got " + readTimeout);
        }
    }

    public static RepairSettings defaults() {
        return new RepairSettings(4, 2, 256L << 20, 1 << 20, Duration.ofSeconds(30));
    }
}
