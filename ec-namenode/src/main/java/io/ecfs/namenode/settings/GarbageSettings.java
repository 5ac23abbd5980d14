package io.ecfs.namenode.settings;

import java.time.Duration;

/**
 * Settings of the deletion of garbage.
 * @param delay how long the chunks of a file stay after it lost its name, unless room is scarce. What took its place
 *     may be in the memory of datanodes only; the delay must be longer than they take to write back what was closed
 *     ({@code store.syncInterval})
 */
public record GarbageSettings(Duration delay) {
    public GarbageSettings {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("garbage.delay must not be negative, got " + delay);
        }
    }

    public static GarbageSettings defaults() {
        return new GarbageSettings(Duration.ofMinutes(2));
    }
}
