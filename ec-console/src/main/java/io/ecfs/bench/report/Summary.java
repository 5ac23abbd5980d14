package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The repetitions of one measurement.
 *
 * @param figures at least one, in order
 */
public record Summary(FigureKey key, List<Figure> figures) {
    public Summary {
        figures = List.copyOf(figures);
    }

    /** One for each measurement, in the order in which they first came. */
    public static List<Summary> of(List<Figure> figures) {
        Map<FigureKey, List<Figure>> byKey = new LinkedHashMap<>();
        figures.forEach(figure -> byKey.computeIfAbsent(FigureKey.of(figure), key -> new ArrayList<>())
                .add(figure));
        return byKey.entrySet().stream()
                .map(entry -> new Summary(entry.getKey(), entry.getValue()))
                .toList();
    }

    public double median() {
        return median(figures.stream().mapToDouble(Figure::value).toArray());
    }

    public double least() {
        return figures.stream().mapToDouble(Figure::value).min().orElseThrow();
    }

    public double most() {
        return figures.stream().mapToDouble(Figure::value).max().orElseThrow();
    }

    /** Median of a parameter; empty unless every repetition has it. */
    public OptionalDouble median(String param) {
        List<OptionalDouble> values = figures.stream().map(f -> f.number(param)).toList();
        return values.stream().anyMatch(OptionalDouble::isEmpty)
                ? OptionalDouble.empty()
                : OptionalDouble.of(median(
                        values.stream().mapToDouble(OptionalDouble::getAsDouble).toArray()));
    }

    /**
     * Median of one parameter by another; empty unless every repetition has both. Records of all releases and of the
     * HDFS peer have CPU seconds, bytes and operations, so what is shown by byte or operation is computed here.
     *
     * @param unit that many of {@code divisor} count as one
     */
    OptionalDouble median(String param, String divisor, double unit) {
        double[] values = new double[figures.size()];
        for (int i = 0; i < values.length; i++) {
            OptionalDouble amount = figures.get(i).number(param);
            OptionalDouble by = figures.get(i).number(divisor);
            if (amount.isEmpty() || by.isEmpty() || by.getAsDouble() <= 0) {
                return OptionalDouble.empty();
            }
            values[i] = amount.getAsDouble() / (by.getAsDouble() / unit);
        }
        return OptionalDouble.of(median(values));
    }

    /** The repetition whose value is the median, or the one below it. */
    public Figure typical() {
        return figures.stream()
                .sorted(Comparator.comparingDouble(Figure::value))
                .toList()
                .get((figures.size() - 1) / 2);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
