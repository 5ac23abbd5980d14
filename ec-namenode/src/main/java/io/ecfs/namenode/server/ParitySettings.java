package io.ecfs.namenode.server;

/**
 * How often groups are read whole to compare the parity with the data.
 *
 * @param on whether they are
 * @param bytesPerSecond read for that in the whole cluster, on average
 */
public record ParitySettings(boolean on, long bytesPerSecond) {
    public ParitySettings {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("parityCheck.bytesPerSecond must be at least 1, got " + bytesPerSecond);
        }
    }

    public static ParitySettings defaults() {
        return new ParitySettings(true, 8L << 20);
    }
}
