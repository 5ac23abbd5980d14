package io.ecfs.advise;

import java.util.Map;

/**
 * Time of one recovery.
 *
 * @param waitSeconds from the death until the first chunk is read
 * @param skew reads from the busiest datanode by those from the mean one
 * @param workSeconds that each bottleneck alone would take, those of sources, links and processors with the skew
 */
record RecoveryForecast(double waitSeconds, double skew, Map<Bottleneck, Double> workSeconds) {
    RecoveryForecast {
        workSeconds = Map.copyOf(workSeconds);
    }

    Bottleneck bottleneck() {
        Bottleneck longest = Bottleneck.DISK;
        for (Bottleneck one : Bottleneck.values()) {
            longest = workSeconds.get(one) > workSeconds.get(longest) ? one : longest;
        }
        return longest;
    }

    double seconds() {
        return waitSeconds + workSeconds.get(bottleneck());
    }
}
