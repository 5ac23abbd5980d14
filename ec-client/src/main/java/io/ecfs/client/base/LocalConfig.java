package io.ecfs.client.base;

import java.time.Duration;

/**
 * When chunks on the client's own machine are read from their files.
 *
 * @param on whether they are, where datanodes allow it
 * @param chunks most chunks kept open, two files each
 * @param idle after which an unused one is closed: a chunk that was deleted takes its space until then
 * @param threads that read files
 */
public record LocalConfig(boolean on, int chunks, Duration idle, int threads) {
    public LocalConfig {
        ClientConfig.requireAtLeast("chunks", chunks, 1);
        ClientConfig.requirePositive("idle", idle);
        ClientConfig.requireAtLeast("threads", threads, 1);
    }

    public static LocalConfig defaults() {
        return new LocalConfig(true, 256, Duration.ofSeconds(60), 4);
    }
}
