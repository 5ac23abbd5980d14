package io.ecfs.bench.erails;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * One line of a figure: the paper's number, ours, the limit and the target.
 *
 * @param name of its line of {@code --json}
 * @param quantity for people
 * @param params that tell it from others, besides those of the figure
 * @param paper empty when it gives none
 * @param limit of any system on these devices
 * @param least that ours must reach
 * @param most that ours must not pass
 * @param note may be empty
 */
record FigureRow(
        String name,
        String quantity,
        Map<String, Object> params,
        String unit,
        double ours,
        OptionalDouble paper,
        OptionalDouble limit,
        OptionalDouble least,
        OptionalDouble most,
        String note) {
    static final List<String> HEADS = List.of("QUANTITY", "PAPER", "OURS", "LIMIT", "TARGET", "NOTE");

    static final double MEBI = 1 << 20;

    private static final String RATIO = "ratio";
    private static final int DIGITS = 4;

    FigureRow {
        params = Collections.unmodifiableMap(new TreeMap<>(params)); // in one order, whatever the machine
    }

    /** Without paper, limit and target. */
    static FigureRow of(String quantity, String unit, double ours) {
        return new FigureRow(
                unit.equals(RATIO) ? "erails_ratio" : "erails_rate",
                quantity,
                Map.of(),
                unit,
                ours,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "");
    }

    static FigureRow ratio(String quantity, double ours) {
        return of(quantity, RATIO, ours);
    }

    /** Of bytes a second, as MB/s. */
    static FigureRow rate(String quantity, double bytesPerSecond) {
        return of(quantity, "MB/s", bytesPerSecond / MEBI);
    }

    /** The same under a name of its own in {@code --json}. */
    FigureRow named(String other) {
        return new FigureRow(other, quantity, params, unit, ours, paper, limit, least, most, note);
    }

    FigureRow paper(double value) {
        return new FigureRow(name, quantity, params, unit, ours, OptionalDouble.of(value), limit, least, most, note);
    }

    FigureRow limit(double value) {
        return new FigureRow(name, quantity, params, unit, ours, paper, OptionalDouble.of(value), least, most, note);
    }

    FigureRow atLeast(double value) {
        return new FigureRow(name, quantity, params, unit, ours, paper, limit, OptionalDouble.of(value), most, note);
    }

    FigureRow atMost(double value) {
        return new FigureRow(name, quantity, params, unit, ours, paper, limit, least, OptionalDouble.of(value), note);
    }

    FigureRow with(String param, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(params);
        more.put(param, value);
        return new FigureRow(name, quantity, more, unit, ours, paper, limit, least, most, note);
    }

    FigureRow note(String text) {
        return new FigureRow(name, quantity, params, unit, ours, paper, limit, least, most, text);
    }

    /** True without a target, too. */
    boolean met() {
        return !(ours < least.orElse(Double.NEGATIVE_INFINITY) || ours > most.orElse(Double.POSITIVE_INFINITY));
    }

    private boolean hasTarget() {
        return least.isPresent() || most.isPresent();
    }

    private String target() {
        if (least.isPresent() && most.isPresent()) {
            return number(least) + " to " + number(most);
        }
        return least.isPresent() ? ">= " + number(least) : "<= " + number(most);
    }

    List<String> cells() {
        String unitText = unit.equals(RATIO) ? "" : " " + unit;
        return List.of(
                quantity + unitText,
                number(paper),
                number(OptionalDouble.of(ours)),
                number(limit),
                hasTarget() ? target() + (met() ? ": met" : ": SHORT") : "",
                note);
    }

    /** Near one, where what matters is what is missing, with four digits. */
    private static String number(OptionalDouble value) {
        double size = Math.abs(value.orElse(0));
        return size > 0.9 && size < 1.3 ? Cells.number(value, DIGITS) : Cells.number(value);
    }

    Figure figure(ErailsShown shown, Map<String, Object> setting) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("figure", shown.word());
        all.put("title", shown.title());
        all.put(unit.equals(RATIO) ? "quantity" : "op", quantity); // ratios alone are plotted on one axis
        all.putAll(setting);
        all.putAll(params);
        paper.ifPresent(value -> all.put("paper", value));
        limit.ifPresent(value -> all.put("limit", value));
        least.ifPresent(value -> all.put("least", value));
        most.ifPresent(value -> all.put("most", value));
        if (hasTarget()) {
            all.put("target", target());
            all.put("met", met());
        }
        return new Figure(name, ours, unit, all);
    }
}
