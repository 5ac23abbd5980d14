package io.ecfs.client.base;

import java.time.Duration;

/** Bounds of configured values; a value outside fails with {@code IllegalArgumentException} that names its key. */
final class ConfigBounds {
    private ConfigBounds() {}

    static void requirePositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, got " + duration);
        }
    }

    static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", got " + value);
        }
    }
}
