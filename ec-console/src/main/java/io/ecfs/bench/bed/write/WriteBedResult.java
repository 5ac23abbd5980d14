package io.ecfs.bench.bed.write;

import io.ecfs.plan.write.WriteStep;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a run showed.
 *
 * @param bytes of users
 * @param seconds until the last answer
 * @param stepSeconds of the five steps, added up over all stripes
 * @param busiestMaster stripes of the datanode that encoded most, of the mean over all; 0 where clients encode
 * @param clientCpu share of the time that the busiest client's thread worked
 * @param datanodeCpu share of the time that the cores of the busiest datanode worked
 */
public record WriteBedResult(
        long bytes,
        double seconds,
        Map<WriteStep, Double> stepSeconds,
        double busiestMaster,
        double clientCpu,
        double datanodeCpu) {
    private static final double MEGA = 1e6;

    public WriteBedResult {
        Map<WriteStep, Double> copy = new EnumMap<>(WriteStep.class);
        copy.putAll(stepSeconds);
        stepSeconds = copy;
    }

    /** MB/s (10^6 bytes) of all clients. */
    public double rate() {
        return bytes / seconds / MEGA;
    }

    /** Seconds of all steps; more than {@link #seconds} where stripes overlap. */
    public double sumSeconds() {
        return stepSeconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
