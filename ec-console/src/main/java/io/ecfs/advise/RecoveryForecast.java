package io.ecfs.advise;

import io.ecfs.layout.Policy;
import java.util.EnumMap;
import java.util.Map;

/**
 * Time of one recovery.
 *
 * @param waitSeconds from the death until the first chunk is read
 * @param skew reads from the busiest datanode by those from the mean one
 * @param workSeconds that each bottleneck alone would take, those of sources, links and processors with the skew
 */
public record RecoveryForecast(double waitSeconds, double skew, Map<Bottleneck, Double> workSeconds) {
    public RecoveryForecast {
        workSeconds = Map.copyOf(workSeconds);
    }

    /**
     * Of a datanode that had so many chunks of one policy.
     *
     * @param bytes of these
     * @param machines the lost one included; at least two
     */
    public static RecoveryForecast of(
            Policy policy, double bytes, double chunks, Machines machines, RecoveryTuning tuning) {
        Loss loss = Loss.of(policy, RepairReading.of(policy.code()), chunks, bytes / chunks, machines.cpu());
        return new RecoveryModel(tuning).forecast(loss, machines);
    }

    /** With more work of one kind. */
    public RecoveryForecast plus(Bottleneck kind, double seconds) {
        Map<Bottleneck, Double> more = new EnumMap<>(workSeconds);
        more.merge(kind, seconds, Double::sum);
        return new RecoveryForecast(waitSeconds, skew, more);
    }

    public Bottleneck bottleneck() {
        Bottleneck longest = Bottleneck.DISK;
        for (Bottleneck one : Bottleneck.values()) {
            longest = workSeconds.get(one) > workSeconds.get(longest) ? one : longest;
        }
        return longest;
    }

    public double seconds() {
        return waitSeconds + workSeconds.get(bottleneck());
    }
}
