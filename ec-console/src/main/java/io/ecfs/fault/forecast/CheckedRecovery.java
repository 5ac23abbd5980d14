package io.ecfs.fault.forecast;

import io.ecfs.advise.Bottleneck;

/**
 * A recovery on this machine beside its forecast, each from dead to healed.
 *
 * @param rebuiltBytes of chunks
 * @param cpuSeconds measured, of all processes together
 * @param predictedCpuSeconds of all processes together
 * @param difference of the prediction, by the measured time
 * @param bottleneck by the model
 */
public record CheckedRecovery(
        String configuration,
        long rebuiltBytes,
        double cpuSeconds,
        double predictedCpuSeconds,
        double measuredSeconds,
        double predictedSeconds,
        double difference,
        Bottleneck bottleneck) {
    /** Largest difference of a model that holds. */
    public static final double TOLERANCE = 0.35;

    /** Of a prediction; an endless one where nothing was measured. */
    static double difference(double measuredSeconds, double predictedSeconds) {
        return measuredSeconds > 0 ? predictedSeconds / measuredSeconds - 1 : Double.POSITIVE_INFINITY;
    }

    public boolean holds() {
        return Math.abs(difference) <= TOLERANCE;
    }
}
