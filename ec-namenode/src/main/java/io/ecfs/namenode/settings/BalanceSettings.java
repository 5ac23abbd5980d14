package io.ecfs.namenode.settings;

/**
 * Settings of balancing.
 * @param background whether chunks are moved without an operator's request
 * @param threshold largest difference of a volume's share of used bytes from that of all volumes together, in (0, 1]
 */
public record BalanceSettings(boolean background, double threshold) {
    public BalanceSettings {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException("balance.threshold must be in (0, 1]: " + threshold);
        }
    }

    public static BalanceSettings defaults() {
        return new BalanceSettings(true, 0.1);
    }
}
