package io.ecfs.fault.paper;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A number of a figure beside the paper's. Less is better in all of them.
 *
 * @param quantity what it is
 * @param paper its number, where its text has one
 * @param limit the least that is possible
 * @param target of ours
 */
public record PaperRow(
        String figure,
        String quantity,
        String unit,
        OptionalDouble paper,
        double ours,
        OptionalDouble limit,
        OptionalDouble target) {
    public PaperRow {
        Objects.requireNonNull(figure, "figure");
        Objects.requireNonNull(quantity, "quantity");
        Objects.requireNonNull(unit, "unit");
    }

    /** A number without anything beside it. */
    static PaperRow plain(String figure, String quantity, String unit, double ours) {
        return new PaperRow(
                figure, quantity, unit, OptionalDouble.empty(), ours, OptionalDouble.empty(), OptionalDouble.empty());
    }

    Figure figureLine() {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("figure", figure);
        params.put("quantity", quantity);
        paper.ifPresent(value -> params.put("paper", value));
        limit.ifPresent(value -> params.put("limit", value));
        target.ifPresent(value -> params.put("target", value));
        return new Figure("ecfault", ours, unit, params);
    }

    /** For people. */
    public static Table table(String title, List<PaperRow> rows) {
        return new Table(
                title,
                List.of("QUANTITY", "PAPER", "OURS", "LIMIT", "TARGET", ""),
                rows.stream()
                        .map(row -> List.of(
                                row.quantity,
                                text(row.paper),
                                number(row.ours) + (row.unit.equals("ratio") ? "" : " " + row.unit),
                                text(row.limit),
                                row.target.isPresent() ? "<= " + number(row.target.getAsDouble()) : "-",
                                row.verdict()))
                        .toList());
    }

    private String verdict() {
        return target.isEmpty() ? "" : ours <= target.getAsDouble() ? "met" : "missed";
    }

    private static String text(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "-";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
    }
}
