package io.ecfs.namenode.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of parity checks: each period every group is read whole and its parity compared with the data, within bounds
 * of the rate.
 * @param on whether groups are checked
 * @param period in which every group is to be read once
 * @param leastBytesPerSecond read in the whole cluster, however little is stored
 * @param mostBytesPerSecondPerDatanode read in the whole cluster for each live datanode, however much is stored
 */
public record ParitySettings(
        boolean on, Duration period, long leastBytesPerSecond, long mostBytesPerSecondPerDatanode) {
    public ParitySettings {
        Objects.requireNonNull(period, "period");
        if (period.toSeconds() < 1 || leastBytesPerSecond < 1 || mostBytesPerSecondPerDatanode < 1) {
            throw new IllegalArgumentException("parityCheck needs a period of at least 1 s, and leastBytesPerSecond and"
                    + " mostBytesPerSecondPerDatanode of at least 1, got " + period + ", " + leastBytesPerSecond
                    + " and "
                    + mostBytesPerSecondPerDatanode);
        }
    }

    public static ParitySettings defaults() {
        return new ParitySettings(true, Duration.ofDays(90), 8L << 20, 16L << 20);
    }

    /**
     * The rate for the whole cluster.
     *
     * @param storedBytes of all chunks
     */
    public long bytesPerSecond(long storedBytes, long datanodes) {
        long most = Math.multiplyExact(mostBytesPerSecondPerDatanode, Math.max(1, datanodes));
        long wanted = storedBytes / period.toSeconds();
        return Math.max(1, Math.min(most, Math.max(leastBytesPerSecond, wanted)));
    }
}
