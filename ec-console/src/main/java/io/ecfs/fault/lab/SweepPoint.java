package io.ecfs.fault.lab;

import io.ecfs.bench.report.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

    /** One row for each combination. */
    public static Table table(List<SweepPoint> points) {
        List<String> heads = new ArrayList<>(points.get(0).settings.keySet());
        heads.addAll(List.of("REPS", "SECONDS"));
        return new Table(
                "Combinations: seconds from injected to healed",
                heads,
                points.stream()
                        .map(point -> {
                            List<String> row = new ArrayList<>(point.settings.values());
                            row.add(String.valueOf(point.results.size()));
                            row.add(String.format(Locale.ROOT, "%.2f", point.medianSeconds()));
                            return row;
                        })
                        .toList());
    }
}
