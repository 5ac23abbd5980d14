package io.ecfs.client.base;

import java.time.Duration;

/**
 * How small files share groups.
 *
 * @param on whether files are packed that directories do not say otherwise of
 * @param most length in bytes up to which a file is packed; a stripe's data at most
 * @param idle after which a pack without new files is sealed
 * @param open most packs at a time; each has memory for the stripes of one writer
 */
public record PackConfig(boolean on, int most, Duration idle, int open) {
    public PackConfig {
        ConfigBounds.requireAtLeast("most", most, 1);
        ConfigBounds.requirePositive("idle", idle);
        ConfigBounds.requireAtLeast("open", open, 1);
    }

    public static PackConfig defaults() {
        return new PackConfig(true, 1 << 20, Duration.ofSeconds(5), 4);
    }
}
