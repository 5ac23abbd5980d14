package io.ecfs.bench.koh.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Bytes that were done in each tenth of a second. For one thread. */
final class TimeSeries {
    private static final long STEP_NANOS = 100_000_000;
    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;

    private final long begin;
    private long[] bytes = new long[64];
    private int steps;

    /** @param begin of {@link System#nanoTime} */
    TimeSeries(long begin) {
        this.begin = begin;
    }

    void add(long at, long done) {
        int step = (int) (Math.max(0, at - begin) / STEP_NANOS);
        if (step >= bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(step + 1, 2 * bytes.length));
        }
        bytes[step] += done;
        steps = Math.max(steps, step + 1);
    }

    /** The worst whole step beside the median one; empty for fewer than two whole steps. */
    OptionalDouble steadiness() {
        int whole = steps - 1; // the last one was not over
        if (whole < 2) {
            return OptionalDouble.empty();
        }
        long[] sorted = Arrays.copyOf(bytes, whole);
        Arrays.sort(sorted);
        double median = (sorted[(whole - 1) / 2] + sorted[whole / 2]) / 2.0;
        return median == 0 ? OptionalDouble.of(0) : OptionalDouble.of(sorted[0] / median);
    }

    /** Points of seconds and MB/s, of whole steps. */
    List<List<Double>> points() {
        List<List<Double>> points = new ArrayList<>();
        for (int i = 0; i < steps - 1; i++) {
            points.add(List.of(i * STEP_NANOS / NANOS, bytes[i] / MEGA / (STEP_NANOS / NANOS)));
        }
        return points;
    }
}
