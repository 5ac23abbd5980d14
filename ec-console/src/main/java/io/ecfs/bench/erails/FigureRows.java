package io.ecfs.bench.erails;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects the lines of one figure. */
final class FigureRows {
    private final ErailsShown shown;
    private final Map<String, Object> setting;
    private final List<FigureRow> rows = new ArrayList<>();
    private final List<Figure> curves = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** @param setting parameters of all its lines */
    FigureRows(ErailsShown shown, Map<String, Object> setting) {
        this.shown = shown;
        this.setting = new TreeMap<>(setting);
    }

    void add(FigureRow row) {
        rows.add(row);
    }

    /** A line for people. */
    void note(String text) {
        notes.add(text);
    }

    /** A line of {@code --json} alone, of points over time. */
    void curve(String name, String unit, double value, Map<String, Object> params) {
        Map<String, Object> all = new LinkedHashMap<>(setting);
        all.put("figure", shown.word());
        all.putAll(new TreeMap<>(params));
        curves.add(new Figure(name, value, unit, all));
    }

    Report report() {
        List<Figure> figures = new ArrayList<>(
                rows.stream().map(row -> row.figure(shown, setting)).toList());
        figures.addAll(curves);
        Table table = new Table(
                shown.word() + ": " + shown.title(),
                FigureRow.HEADS,
                rows.stream().map(FigureRow::cells).toList());
        return new Report(List.of(table), notes, figures);
    }
}
