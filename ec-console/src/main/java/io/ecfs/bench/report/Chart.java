package io.ecfs.bench.report;

import java.util.List;
import java.util.Locale;

/** A bar chart as inline SVG: one horizontal bar for each value, with its range of repetitions as a thin line. */
final class Chart {
    private static final int LABEL_WIDTH = 300;
    private static final int BAR_WIDTH = 420;
    private static final int VALUE_WIDTH = 150;
    private static final int ROW = 24;
    private static final int BAR = 14;

    private static final List<String> COLOURS =
            List.of("#2f6f9f", "#c8743c", "#5b8c5a", "#8d6aa8", "#a34c4c", "#6b6b6b");

    /** @param group bars of one group have one colour */
    record Bar(String label, double value, double least, double most, int group) {}

    private Chart() {}

    static String colour(int group) {
        return COLOURS.get(Math.floorMod(group, COLOURS.size()));
    }

    static String svg(String unit, List<Bar> bars) {
        double top = bars.stream().mapToDouble(Bar::most).max().orElse(1);
        int height = ROW * bars.size() + 4;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n",
                LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH,
                height,
                LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH,
                height));
        for (int i = 0; i < bars.size(); i++) {
            svg.append(bar(bars.get(i), i * ROW + 4, top <= 0 ? 1 : top, unit));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String bar(Bar bar, int y, double top, String unit) {
        double scale = BAR_WIDTH / top;
        int middle = y + BAR / 2;
        return String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
                        LABEL_WIDTH - 8,
                        y + BAR - 3,
                        HtmlText.escaped(bar.label()))
                + String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                        LABEL_WIDTH,
                        y,
                        Math.max(1, bar.value() * scale),
                        BAR,
                        colour(bar.group()))
                + String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#222\"/>",
                        LABEL_WIDTH + bar.least() * scale,
                        LABEL_WIDTH + bar.most() * scale,
                        middle,
                        middle)
                + String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%d\">%s %s</text>%n",
                        LABEL_WIDTH + bar.most() * scale + 6,
                        y + BAR - 3,
                        Cells.number(bar.value()),
                        HtmlText.escaped(unit));
    }

    /** Parts of a whole as one bar, each part named below it. */
    static String stacked(List<Bar> parts) {
        double whole = parts.stream().mapToDouble(Bar::value).sum();
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg role=\"img\" viewBox=\"0 0 %1$d 44\" width=\"%1$d\" height=\"44\">%n",
                LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH));
        double x = 0;
        for (int i = 0; i < parts.size(); i++) {
            Bar part = parts.get(i);
            double width = whole <= 0 ? 0 : part.value() / whole * (LABEL_WIDTH + BAR_WIDTH);
            String colour = colour(i);
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"2\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>",
                    x,
                    width,
                    colour));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"38\" fill=\"%s\">%s %.0f %%</text>%n",
                    i * 170,
                    colour,
                    HtmlText.escaped(part.label()),
                    whole <= 0 ? 0 : 100 * part.value() / whole));
            x += width;
        }
        return svg.append("</svg>\n").toString();
    }
}
