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
     * @param label what it shows, for screen readers
     * @param fromZero whether the vertical axis begins at zero; otherwise at the least value
     */
    static String svg(String label, String horizontal, String vertical, boolean fromZero, List<Series> series) {
        Axis x = Axis.over(series, 0, false);
        Axis y = Axis.over(series, 1, fromZero);
        Svg svg = new Svg(LEFT + WIDTH + NAMES, HEIGHT + BELOW, label);
        for (int i = 0; i <= TICKS; i++) {
            double share = (double) i / TICKS;
            double height = HEIGHT * (1 - share);
            svg.grid(LEFT, height, LEFT + WIDTH, height);
            svg.text(LEFT - 6, height + 4, "end", Cells.number(y.at(share)));
            svg.text(LEFT + WIDTH * share, HEIGHT + 14, "middle", Cells.number(x.at(share)));
        }
        svg.text(LEFT + WIDTH / 2.0, HEIGHT + BELOW - 4, "middle", horizontal);
        svg.text(LEFT + 6, 12, "start", vertical);
        for (int i = 0; i < series.size(); i++) {
            String colour = Chart.colour(i);
            List<String> points = new ArrayList<>();
            for (double[] point : series.get(i).points()) {
                points.add(String.format(
                        Locale.ROOT, "%.1f,%.1f", LEFT + WIDTH * x.share(point[0]), HEIGHT * (1 - y.share(point[1]))));
            }
            svg.polyline(String.join(" ", points), colour);
            String name = series.get(i).name();
            double base = (i + 1) * ROW;
            svg.line(LEFT + WIDTH + 8, base - 4, LEFT + WIDTH + 24, base - 4, colour, 2, name);
            svg.text(LEFT + WIDTH + 30, base, "start", name);
        }
        return svg.end();
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
