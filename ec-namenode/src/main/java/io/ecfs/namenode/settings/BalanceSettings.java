package io.ecfs.namenode.settings;

/**
 * When volumes are filled too unevenly.
 *
 * @param background whether chunks are moved without being asked for
 * @param threshold by how much a volume's share of used bytes may differ from that of all volumes together, in (0, 1]
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
