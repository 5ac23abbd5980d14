package io.ecfs.fault.lab;

import io.ecfs.bench.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How much each setting of a sweep matters: the recovery time at its worst value by that at its best, each the median
 * over all combinations with that value (ECFault, section 4, compares settings so).
 */
public record Sensitivity(String setting, String best, double bestSeconds, String worst, double worstSeconds) {
    /** Of all settings, the one that matters most first. */
    public static List<Sensitivity> of(List<SweepPoint> points) {
        List<Sensitivity> all = new ArrayList<>();
        for (String setting : points.get(0).settings().keySet()) {
            Map<String, List<Double>> byValue = new LinkedHashMap<>();
            points.forEach(point -> byValue.computeIfAbsent(point.settings().get(setting), key -> new ArrayList<>())
                    .add(point.medianSeconds()));
            Map<String, Double> medians = new LinkedHashMap<>();
            byValue.forEach((value, seconds) -> medians.put(value, median(seconds)));
            Map.Entry<String, Double> best = medians.entrySet().stream()
                    .min(Map.Entry.comparingByValue())
                    .orElseThrow();
            Map.Entry<String, Double> worst = medians.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .orElseThrow();
            all.add(new Sensitivity(setting, best.getKey(), best.getValue(), worst.getKey(), worst.getValue()));
        }
        all.sort(Comparator.comparingDouble(Sensitivity::spread).reversed());
        return all;
    }

    /** Worst by best; 1 for a setting that does not matter, and where nothing took any time. */
    public double spread() {
        return bestSeconds == 0 ? 1 : worstSeconds / bestSeconds;
    }

    /** For people. */
    public static Table table(List<Sensitivity> all) {
        return new Table(
                "Sensitivity: seconds from injected to healed, median over all combinations with the value",
                List.of("SETTING", "BEST", "SECONDS", "WORST", "SECONDS", "WORST / BEST"),
                all.stream()
                        .map(one -> List.of(
                                one.setting,
                                one.best,
                                number(one.bestSeconds),
                                one.worst,
                                number(one.worstSeconds),
                                number(one.spread())))
                        .toList());
    }

    /** The middle of an odd number of values, the mean of the two middle ones of an even number; 0 of none. */
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.isEmpty()
                ? 0
                : sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
