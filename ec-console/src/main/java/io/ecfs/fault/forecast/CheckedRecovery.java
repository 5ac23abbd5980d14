package io.ecfs.fault.forecast;

import io.ecfs.advise.Bottleneck;

/**
 * A recovery on this machine beside its forecast, each from dead to healed.
 *
 * @param difference of the prediction, by the measured time
 * @param bottleneck by the model
 */
public record CheckedRecovery(
        String configuration,
        double measuredSeconds,
        double predictedSeconds,
        double difference,
        Bottleneck bottleneck) {
    /** Largest difference of a model that holds. */
    public static final double TOLERANCE = 0.35;

    CheckedRecovery(String configuration, double measuredSeconds, double predictedSeconds, Bottleneck bottleneck) {
        this(
                configuration,
                measuredSeconds,
                predictedSeconds,
                measuredSeconds > 0 ? predictedSeconds / measuredSeconds - 1 : Double.POSITIVE_INFINITY,
                bottleneck);
    }

    public boolean holds() {
        return Math.abs(difference) <= TOLERANCE;
    }
}
