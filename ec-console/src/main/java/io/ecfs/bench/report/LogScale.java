package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A logarithmic axis from 0 to 1, with a place of its own at 0 for what is nothing.
 *
 * <pre>
 *   | 0 |  0.5    1    2    5   10 |
 * </pre>
 *
 * @param least at the left end of the logarithmic part, 1, 2 or 5 times a power of ten
 * @param most at the right end, above {@code least}
 * @param nothing whether 0 has a place
 */
record LogScale(double least, double most, boolean nothing) {
    /** Values beyond are drawn at the ends. */
    private static final double FURTHEST = 1e9;

    private static final double WHERE_NOTHING_ENDS = 0.07;
    private static final double WHERE_NOTHING_IS = 0.02;
    private static final int MOST_TICKS = 10;
    private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0);

    /** The axis that has all values, and 1. */
    static LogScale over(double... values) {
        double least = 1;
        double most = 1;
        for (double value : values) {
            if (value > 0) {
                double within = Math.max(1 / FURTHEST, Math.min(FURTHEST, value));
                least = Math.min(least, within);
                most = Math.max(most, within);
            }
        }
        List<Double> marks = marks();
        double left = least;
        double right = most;
        double from =
                marks.stream().filter(mark -> mark <= left).reduce((a, b) -> b).orElseThrow();
        double to = marks.stream()
                .filter(mark -> mark >= right && mark > from)
                .findFirst()
                .orElseThrow();
        return new LogScale(from, to, DoubleStream.of(values).anyMatch(value -> value <= 0));
    }

    /** Share of the axis at which a value lies. */
    double share(double value) {
        double begin = nothing ? WHERE_NOTHING_ENDS : 0;
        if (value <= 0) {
            return nothing ? WHERE_NOTHING_IS : 0;
        }
        double share = Math.log(value / least) / Math.log(most / least);
        return begin + (1 - begin) * Math.max(0, Math.min(1, share));
    }

    /** Values to name, in order, without 0. */
    List<Double> ticks() {
        List<Double> all =
                marks().stream().filter(mark -> mark >= least && mark <= most).toList();
        for (int decades = 1; all.size() > MOST_TICKS; decades++) {
            int every = decades;
            all = all.stream()
                    .filter(mark -> Math.rint(Math.log10(mark)) % every == 0 && isPower(mark))
                    .toList();
        }
        return all;
    }

    private static boolean isPower(double mark) {
        return Math.abs(Math.log10(mark) - Math.rint(Math.log10(mark))) < 1e-9;
    }

    private static List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        int furthest = (int) Math.rint(Math.log10(FURTHEST));
        for (int power = -furthest; power <= furthest + 1; power++) {
            for (double step : STEPS) {
                // As it is written: a product would have digits that it has not.
                marks.add(Double.parseDouble((int) step + "e" + power));
            }
        }
        return marks;
    }
}
