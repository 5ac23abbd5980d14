package io.ecfs.bench.bed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Latencies of requests: all of them, and by when they ended. */
public final class LatencyLog {
    private static final int DIGITS = 3;
    private static final int SLICES = 60;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    /** Percentiles of the curves, closer together in the tail. */
    private static final double[] PERCENTILES = DoubleStream.concat(
                    DoubleStream.iterate(1, p -> p < 95, p -> p + 1),
                    DoubleStream.iterate(95, p -> p < 99.95, p -> p + 0.1))
            .toArray();

    private final long began;
    private final long sliceNanos;
    private final Histogram all = new Histogram(DIGITS);
    private final List<Histogram> slices = new ArrayList<>();

    /**
     * @param began when what is measured began, in nanoseconds of a clock
     * @param length of that
     */
    public LatencyLog(long began, Duration length) {
        this.began = began;
        this.sliceNanos = Math.max(1, length.toNanos() / SLICES);
    }

    /** A request ended. */
    public void add(long endNanos, long tookNanos) {
        all.recordValue(tookNanos);
        int slice = (int) Math.min(SLICES - 1, (endNanos - began) / sliceNanos);
        while (slices.size() <= slice) {
            slices.add(new Histogram(DIGITS));
        }
        slices.get(slice).recordValue(tookNanos);
    }

    long count() {
        return all.getTotalCount();
    }

    double meanMillis() {
        return all.getMean() / MILLI;
    }

    double millisAt(double percentile) {
        return all.getValueAtPercentile(percentile) / MILLI;
    }

    /** Points (seconds since the begin, mean milliseconds) of the slices in which requests ended. */
    List<List<Double>> overTime() {
        List<List<Double>> points = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.get(i).getTotalCount() > 0) {
                points.add(
                        List.of((i + 0.5) * sliceNanos / SECOND, slices.get(i).getMean() / MILLI));
            }
        }
        return points;
    }

    /** Points (milliseconds, per cent of requests that took at most as long). */
    List<List<Double>> distribution() {
        List<List<Double>> points = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            points.add(List.of(millisAt(percentile), percentile));
        }
        return points;
    }
}
