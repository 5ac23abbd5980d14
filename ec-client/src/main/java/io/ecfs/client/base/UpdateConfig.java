package io.ecfs.client.base;

import java.time.Duration;

/**
 * Bounds of files that are updated in place.
 *
 * @param mapBytes memory of one file's map from which on regions of many pieces are merged
 * @param idle time without calls after which a file is cleaned and merged at once
 * @param waitingBytes most bytes of one file's writes that wait for the batch under way, with
 *     {@value #BYTES_OF_A_CALL} more for each call
 */
public record UpdateConfig(long mapBytes, Duration idle, long waitingBytes) {
    /** Memory of a call that waits, beside the bytes that it writes. */
    public static final int BYTES_OF_A_CALL = 256;

    public UpdateConfig {
        ConfigBounds.requireAtLeast("mapBytes", mapBytes, 1);
        ConfigBounds.requirePositive("idle", idle);
        ConfigBounds.requireAtLeast("waitingBytes", waitingBytes, 1);
    }

    public static UpdateConfig defaults() {
        return new UpdateConfig(64L << 20, Duration.ofMillis(500), 128L << 20);
    }
}
