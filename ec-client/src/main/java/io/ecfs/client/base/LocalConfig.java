package io.ecfs.client.base;

import java.time.Duration;

/**
 * Settings of local reads, from the files of chunks on the client's own machine.
 *
 * @param on whether local reads are used, if datanodes allow them
 * @param chunks most open chunks, two files each
 * @param idle after which an unused chunk is closed: a deleted chunk occupies its space until then
 * @param threads that read files
 */
public record LocalConfig(boolean on, int chunks, Duration idle, int threads) {
    public LocalConfig {
        ConfigBounds.requireAtLeast("chunks", chunks, 1);
        ConfigBounds.requirePositive("idle", idle);
        ConfigBounds.requireAtLeast("threads", threads, 1);
    }

    public static LocalConfig defaults() {
        return new LocalConfig(true, 256, Duration.ofSeconds(60), 4);
    }
}
