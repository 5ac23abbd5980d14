package io.ecfs.console.web.history;

import java.util.Collection;

/** Skew of a load over datanodes. */
public final class Imbalance {
    private Imbalance() {}

    /** λ = (max − avg) / avg × 100, in percent; 0 for no load (the load imbalance factor of EC-Store). */
    public static double percent(Collection<Double> loads) {
        double sum = 0;
        double most = 0;
        for (double load : loads) {
            sum += load;
            most = Math.max(most, load);
        }
        double average = loads.isEmpty() ? 0 : sum / loads.size();
        return average == 0 ? 0 : (most - average) / average * 100;
    }
}
