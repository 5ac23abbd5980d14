package io.ecfs.bench.bed.erails;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Requests that were completed, by slices of virtual time. */
public final class RateLog {
    /** Of a slice. */
    public static final long SLICE_NANOS = 25_000_000;

    /** Around a turn, where a dip would be: before it a volume settles, after it reads are drained. */
    private static final long BEFORE_TURN_NANOS = 250_000_000;

    private static final long AFTER_TURN_NANOS = 750_000_000;

    /** A span around turns: a tenth of a second, or as many slices as have enough requests to compare. */
    private static final int LEAST_DIP_SLICES = 4;

    private static final int MOST_DIP_SLICES = (int) ((BEFORE_TURN_NANOS + AFTER_TURN_NANOS) / SLICE_NANOS);
    private static final int DIP_REQUESTS = 100;
    private static final double SECOND = 1e9;

    private int[] slices = new int[1024];
    private int used;

    void add(long nanos) {
        int slice = (int) (nanos / SLICE_NANOS);
        if (slice >= slices.length) {
            slices = Arrays.copyOf(slices, Math.max(slice + 1, 2 * slices.length));
        }
        slices[slice]++;
        used = Math.max(used, slice + 1);
    }

    /** Requests a second in a span, whole slices of it. */
    public double rate(long from, long to) {
        int first = (int) ((from + SLICE_NANOS - 1) / SLICE_NANOS);
        int end = (int) Math.min(to / SLICE_NANOS, used);
        return end <= first ? 0 : sum(first, end) / ((end - first) * SLICE_NANOS / SECOND);
    }

    /**
     * The lowest rate around turns.
     *
     * @param rate requests a second; infinite without a turn
     * @param over time that it was the rate of
     */
    public record Dip(double rate, Duration over) {
        public boolean isKnown() {
            return Double.isFinite(rate);
        }
    }

    private double leastRate(long from, long to, int slices) {
        int first = (int) ((from + SLICE_NANOS - 1) / SLICE_NANOS);
        int last = (int) (to / SLICE_NANOS) - slices;
        double least = Double.POSITIVE_INFINITY;
        for (int slice = Math.max(0, first); slice <= Math.min(last, used - slices); slice++) {
            least = Math.min(least, sum(slice, slice + slices) / (slices * SLICE_NANOS / SECOND));
        }
        return least;
    }

    /**
     * The lowest rate around turns whose surroundings lie in a span: of a tenth of a second, or of as much time as a
     * hundred requests take at the mean rate, a second at most.
     *
     * @param firstTurn when one was
     * @param turn between two
     */
    public Dip dipAtTurns(long firstTurn, Duration turn, long from, long to) {
        double inSlice = rate(from, to) * SLICE_NANOS / SECOND;
        int slices = Math.max(LEAST_DIP_SLICES, (int) Math.min(MOST_DIP_SLICES, Math.ceil(DIP_REQUESTS / inSlice)));
        double least = Double.POSITIVE_INFINITY;
        for (long at = firstTurn; at + AFTER_TURN_NANOS <= to; at += turn.toNanos()) {
            if (at - BEFORE_TURN_NANOS >= from) {
                least = Math.min(least, leastRate(at - BEFORE_TURN_NANOS, at + AFTER_TURN_NANOS, slices));
            }
        }
        return new Dip(least, Duration.ofNanos(slices * SLICE_NANOS));
    }

    private long sum(int first, int end) {
        long sum = 0;
        for (int slice = first; slice < end; slice++) {
            sum += slices[slice];
        }
        return sum;
    }

    /** Points (seconds, requests a second), at most so many. */
    public List<List<Double>> points(int most) {
        int each = Math.max(1, (used + most - 1) / most);
        List<List<Double>> points = new ArrayList<>();
        for (int slice = 0; slice + each <= used; slice += each) {
            points.add(List.of(
                    (slice + each / 2.0) * SLICE_NANOS / SECOND,
                    sum(slice, slice + each) / (each * SLICE_NANOS / SECOND)));
        }
        return points;
    }
}
