package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines over two axes as inline SVG, one for each series, named beside it. */
final class Curves {
    private static final int LEFT = 60;
    private static final int WIDTH = 640;
    private static final int NAMES = 170;
    private static final int HEIGHT = 240;
    private static final int BELOW = 36;
    private static final int ROW = 16;
    private static final int TICKS = 4;

    /** @param points (x, y) in growing order of x */
    record Series(String name, List<double[]> points) {}

    private Curves() {}

    /**
     * The chart.
     *
     * @param fromZero whether the vertical axis begins at zero; otherwise at the least value
     */
    static String svg(String horizontal, String vertical, boolean fromZero, List<Series> series) {
        Axis x = Axis.over(series, 0, false);
        Axis y = Axis.over(series, 1, fromZero);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg role=\"img\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\">%n",
                LEFT + WIDTH + NAMES,
                HEIGHT + BELOW));
        for (int i = 0; i <= TICKS; i++) {
            double share = (double) i / TICKS;
            double height = HEIGHT * (1 - share);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    LEFT,
                    LEFT + WIDTH,
                    height,
                    height));
            svg.append(label(LEFT - 6, height + 4, "end", Cells.number(y.at(share))));
            svg.append(label(LEFT + WIDTH * share, HEIGHT + 14, "middle", Cells.number(x.at(share))));
        }
        svg.append(label(LEFT + WIDTH / 2.0, HEIGHT + BELOW - 4, "middle", horizontal));
        svg.append(label(LEFT + 6, 12, "start", vertical));
        for (int i = 0; i < series.size(); i++) {
            String colour = Chart.colour(i);
            List<String> points = new ArrayList<>();
            for (double[] point : series.get(i).points()) {
                points.add(String.format(
                        Locale.ROOT, "%.1f,%.1f", LEFT + WIDTH * x.share(point[0]), HEIGHT * (1 - y.share(point[1]))));
            }
            svg.append(String.format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n",
                    String.join(" ", points), colour));
            svg.append(String.format(
                    "<text x=\"%d\" y=\"%d\" style=\"fill:%s\">%s</text>%n",
                    LEFT + WIDTH + 10,
                    (i + 1) * ROW,
                    colour,
                    HtmlText.escaped(series.get(i).name())));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String label(double x, double y, String anchor, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                HtmlText.escaped(text));
    }

    private record Axis(double least, double most) {
        static Axis over(List<Series> series, int coordinate, boolean fromZero) {
            double[] values = series.stream()
                    .flatMap(one -> one.points().stream())
                    .mapToDouble(point -> point[coordinate])
                    .sorted()
                    .toArray();
            double first = values.length == 0 || fromZero ? 0 : values[0];
            double last = values.length == 0 ? 1 : values[values.length - 1];
            return new Axis(first, last > first ? last : first + 1);
        }

        double share(double value) {
            return (value - least) / (most - least);
        }

        double at(double share) {
            return least + share * (most - least);
        }
    }
}
