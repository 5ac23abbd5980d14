package io.ecfs.transfer;

/**
 * Recent latencies of chunk reads: counts in buckets of a quarter of an octave, from 4 µs to a minute, halved whenever
 * there are many, so that the old fades. Not safe for use by several threads.
 */
public final class LatencyWindow {
    private static final int MANY = 2048;
    /** Fewer answers say nothing about a tail. */
    private static final int ENOUGH = 20;

    private static final int UNIT_BITS = 12;
    private static final int STEP_BITS = 2;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int OCTAVES = 24;

    private final int[] counts = new int[OCTAVES * STEPS];
    private int total;

    public void record(long nanos) {
        counts[bucket(nanos)]++;
        if (++total == MANY) {
            total = 0;
            for (int i = 0; i < counts.length; i++) {
                counts[i] /= 2;
                total += counts[i];
            }
        }
    }

    /** Returns whether a tail can be told from the latencies so far. */
    public boolean hasEnough() {
        return total >= ENOUGH;
    }

    /** @return nanoseconds within which this share of the reads was answered; the upper edge of a bucket */
    public long quantile(double share) {
        long below = 0;
        for (int i = 0; i < counts.length; i++) {
            below += counts[i];
            if (below >= share * total && below > 0) {
                return upperEdge(i);
            }
        }
        return upperEdge(counts.length - 1);
    }

    private static int bucket(long nanos) {
        long units = Math.max(STEPS, nanos >> UNIT_BITS);
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - STEP_BITS;
        int step = (int) (units >> octave) & (STEPS - 1);
        return Math.min(octave * STEPS + step, OCTAVES * STEPS - 1);
    }

    private static long upperEdge(int bucket) {
        int octave = bucket / STEPS;
        long units = (long) (STEPS + bucket % STEPS + 1) << octave;
        return units << UNIT_BITS;
    }
}
