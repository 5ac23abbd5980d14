package io.ecfs.bench.bed.erails;

import io.ecfs.layout.Ring;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The fewest writers that bear the demand: the smallest w with w/colours at least 1.15 times the share of the time that
 * a volume writes, and twice the guard for each turn, on the evidence of three rotations.
 */
final class AdaptiveWriters {
    private static final double RESERVE = 1.15;
    private static final int ROTATIONS = 3;

    private final int most;
    private final double writeRate;
    private final double guardsOfTurn;
    private final Deque<Double> demands = new ArrayDeque<>();
    private Ring ring;

    /**
     * @param most writers by the rule of the code
     * @param writeRate of a volume that only writes, in bytes a second
     * @param guardsOfTurn twice the guard by the time between turns
     */
    AdaptiveWriters(Ring ring, int most, double writeRate, double guardsOfTurn) {
        this.ring = ring;
        this.most = most;
        this.writeRate = writeRate;
        this.guardsOfTurn = guardsOfTurn;
    }

    Ring ring() {
        return ring;
    }

    /** @param demand on each volume over one rotation, in bytes a second */
    void rotated(double demand) {
        demands.addLast(demand);
        if (demands.size() > ROTATIONS) {
            demands.removeFirst();
        }
        if (demands.size() == ROTATIONS) {
            double highest = demands.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            ring = new Ring(ring.colours(), writers(highest));
        }
    }

    private int writers(double demand) {
        double share = RESERVE * demand / writeRate + guardsOfTurn;
        int needed = (int) Math.ceil(share * ring.colours());
        return Math.max(1, Math.min(most, needed));
    }
}
