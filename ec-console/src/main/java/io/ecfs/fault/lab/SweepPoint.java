package io.ecfs.fault.lab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results of one combination of a sweep.
 *
 * @param settings value by key
 */
public record SweepPoint(Map<String, String> settings, List<ExperimentResult> results) {
    public SweepPoint {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        results = List.copyOf(results);
    }

    /** Median of the times from injected to healed, in seconds. */
    double medianSeconds() {
        return Sensitivity.median(
                results.stream().map(result -> result.phases().totalSeconds()).toList());
    }
}
