package io.ecfs.namenode.ring;

import io.ecfs.message.ring.RingClock;
import java.util.List;
import java.util.OptionalInt;

/**
 * The number of writers that a ring needs (eRails: the fewer write, the more read). As many that their share of the
 * colours is the share of time in which a volume writes what comes, with a margin, and what the guards of a window
 * take: the smallest w_r with w_r / n_c >= 1.15 d / w + 2 g / T. Pure.
 */
public final class WriterChoice {
    /** Rotations whose demand must be known: one burst is no evidence. */
    static final int ROTATIONS = 3;

    private static final double MARGIN = 1.15;

    private WriterChoice() {}

    /**
     * @param colours of the ring
     * @param most writers that the rule allows
     * @param periodMillis of the ring
     * @param demands bytes a second written to a volume on average, of each of the last rotations
     * @param writeRate bytes a second of a volume that only writes
     * @return empty without evidence
     */
    public static OptionalInt writers(
            int colours, int most, long periodMillis, List<Double> demands, double writeRate) {
        if (demands.size() < ROTATIONS || most < 1 || !(writeRate > 0)) {
            return OptionalInt.empty();
        }
        double demand = demands.subList(demands.size() - ROTATIONS, demands.size()).stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
        double share = MARGIN * demand / writeRate + 2.0 * RingClock.GUARD_MILLIS / periodMillis;
        double wanted = Math.ceil(share * colours - 1e-9);
        return OptionalInt.of((int) Math.max(1, Math.min(most, wanted)));
    }
}
