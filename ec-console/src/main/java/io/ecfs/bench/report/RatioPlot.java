package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Measured ratios beside those that they are compared with, on one logarithmic axis: a row for each figure that has a
 * parameter {@code quantity}, with {@code paper}, {@code rules}, {@code limit}, {@code least} and {@code most} of the
 * target, its text {@code target}, and {@code met}, where it has them.
 */
final class RatioPlot {
    private static final String QUANTITY = "quantity";

    private static final int WIDTH = 720;
    private static final int MARGIN = 20;
    private static final int LEGEND = 26;
    private static final int ROW = 44;
    private static final int LANE = 30;
    private static final int BELOW = 22;
    private static final double HALF = 5;

    private static final String PAPER = "#c8743c";
    private static final String RULES = "#8d6aa8";
    private static final String OURS = "#2f6f9f";
    private static final String SHORT = "#c0392b";
    private static final String WANTED = "#5b8c5a";

    private final LogScale scale;
    private final List<Row> rows;

    private RatioPlot(List<Row> rows) {
        this.rows = rows;
        this.scale = LogScale.over(rows.stream().flatMapToDouble(Row::values).toArray());
    }

    /** True for a figure that has a row. */
    static boolean has(Summary summary) {
        return summary.key().params().containsKey(QUANTITY);
    }

    /** A plot for each figure of a paper, in the order in which they first came. */
    static List<Plot> of(List<Summary> summaries) {
        Map<String, List<Row>> plots = new LinkedHashMap<>();
        for (Summary summary : summaries) {
            if (has(summary) && Double.isFinite(summary.median())) {
                Row row = Row.of(summary);
                plots.computeIfAbsent(row.figure(), figure -> new ArrayList<>()).add(row);
            }
        }
        return plots.entrySet().stream()
                .map(entry -> new Plot(
                        entry.getKey(),
                        note(entry.getValue()),
                        new RatioPlot(entry.getValue()).svg(label(entry.getKey(), entry.getValue()))))
                .toList();
    }

    private static String label(String title, List<Row> rows) {
        return title + "; " + rows.stream().map(Row::inWords).collect(Collectors.joining("; "));
    }

    private static String note(List<Row> rows) {
        return "ours: " + rows.stream().map(Row::of).distinct().collect(Collectors.joining(", "));
    }

    /** @param of the policy that the ratio is of */
    private record Row(
            String figure,
            String label,
            String of,
            double ours,
            OptionalDouble paper,
            OptionalDouble rules,
            OptionalDouble limit,
            OptionalDouble least,
            OptionalDouble most,
            boolean isShort,
            String verdict) {
        static Row of(Summary summary) {
            Figure figure = summary.typical();
            Map<String, String> names = summary.key().params();
            String target = text(figure, "target");
            boolean met = Boolean.parseBoolean(text(figure, "met"));
            String unit = figure.unit().equals("ratio") ? "" : " " + figure.unit();
            String title = text(figure, "title");
            return new Row(
                    names.getOrDefault("figure", figure.name()) + (title.isEmpty() ? "" : ": " + title),
                    names.get(QUANTITY),
                    names.getOrDefault("of", ""),
                    summary.median(),
                    number(figure, "paper"),
                    number(figure, "rules"),
                    number(figure, "limit"),
                    number(figure, "least"),
                    number(figure, "most"),
                    !target.isEmpty() && !met,
                    Cells.number(summary.median())
                            + unit
                            + (target.isEmpty() ? "" : ", target " + target + (met ? ": met" : ": short")));
        }

        private static String text(Figure figure, String param) {
            Object value = figure.params().get(param);
            return value == null ? "" : value.toString();
        }

        private static OptionalDouble number(Figure figure, String param) {
            OptionalDouble value = figure.number(param);
            return value.isPresent() && Double.isFinite(value.getAsDouble()) ? value : OptionalDouble.empty();
        }

        /** For who does not see it. */
        String inWords() {
            return label + ": " + verdict + inWords("paper", paper) + inWords("rules", rules) + inWords("limit", limit);
        }

        private static String inWords(String name, OptionalDouble value) {
            return value.isPresent() ? ", " + name + " " + Cells.number(value) : "";
        }

        DoubleStream values() {
            return DoubleStream.concat(
                    DoubleStream.of(ours),
                    List.of(paper, rules, limit, least, most).stream().flatMapToDouble(OptionalDouble::stream));
        }
    }

    private String svg(String label) {
        int height = LEGEND + ROW * rows.size() + BELOW;
        Svg svg = new Svg(WIDTH, height, label);
        legend(svg);
        int bottom = height - BELOW;
        if (scale.nothing()) {
            tick(svg, 0, bottom);
        }
        scale.ticks().forEach(tick -> tick(svg, tick, bottom));
        for (int i = 0; i < rows.size(); i++) {
            row(svg, rows.get(i), LEGEND + i * ROW);
        }
        return svg.end();
    }

    private static void legend(Svg svg) {
        int y = 12;
        paper(svg, MARGIN, y, "paper");
        svg.text(MARGIN + 10, y + 4, "start", "paper");
        rules(svg, MARGIN + 75, y, "rules");
        svg.text(MARGIN + 85, y + 4, "start", "rules");
        svg.circle(MARGIN + 160, y, HALF, OURS, "ours");
        svg.text(MARGIN + 170, y + 4, "start", "ours");
        svg.circle(MARGIN + 220, y, HALF, SHORT, "ours");
        svg.text(MARGIN + 230, y + 4, "start", "ours, short of the target");
        limit(svg, MARGIN + 385, y, "limit");
        svg.text(MARGIN + 393, y + 4, "start", "limit");
        svg.band(MARGIN + 445, y - HALF, 24, 2 * HALF, WANTED, "target");
        svg.text(MARGIN + 475, y + 4, "start", "target");
    }

    private void tick(Svg svg, double value, int bottom) {
        double x = x(value);
        svg.grid(x, LEGEND, x, bottom);
        svg.text(
                x,
                bottom + 14,
                "middle",
                value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value));
    }

    private void row(Svg svg, Row row, int top) {
        svg.text(MARGIN, top + 12, "start", row.label());
        svg.text(WIDTH - MARGIN, top + 12, "end", row.verdict());
        double y = top + LANE;
        if (row.least().isPresent() || row.most().isPresent()) {
            double from = row.least().isPresent() ? x(row.least().getAsDouble()) : MARGIN;
            double to = row.most().isPresent() ? x(row.most().getAsDouble()) : WIDTH - MARGIN;
            svg.band(from - 1, y - HALF - 2, to - from + 2, 2 * HALF + 4, WANTED, "target");
        }
        svg.grid(MARGIN, y, WIDTH - MARGIN, y);
        row.limit().ifPresent(value -> limit(svg, x(value), y, "limit " + Cells.number(value)));
        row.paper().ifPresent(value -> paper(svg, x(value), y, "paper " + Cells.number(value)));
        row.rules().ifPresent(value -> rules(svg, x(value), y, "rules " + Cells.number(value)));
        svg.circle(x(row.ours()), y, HALF, row.isShort() ? SHORT : OURS, "ours " + Cells.number(row.ours()));
    }

    private double x(double value) {
        return MARGIN + (WIDTH - 2 * MARGIN) * scale.share(value);
    }

    private static void limit(Svg svg, double x, double y, String title) {
        svg.line(x, y - HALF - 3, x, y + HALF + 3, Svg.TEXT, 2, title);
    }

    /** A rhomb. */
    private static void paper(Svg svg, double x, double y, String title) {
        svg.polygon(corners(x - HALF - 1, y, x, y - HALF - 1, x + HALF + 1, y, x, y + HALF + 1), PAPER, title);
    }

    /** A triangle. */
    private static void rules(Svg svg, double x, double y, String title) {
        svg.polygon(corners(x - HALF, y + HALF, x, y - HALF, x + HALF, y + HALF), RULES, title);
    }

    private static String corners(double... coordinates) {
        StringBuilder corners = new StringBuilder();
        for (int i = 0; i < coordinates.length; i += 2) {
            corners.append(i == 0 ? "" : " ")
                    .append(String.format(Locale.ROOT, "%.1f,%.1f", coordinates[i], coordinates[i + 1]));
        }
        return corners.toString();
    }
}
