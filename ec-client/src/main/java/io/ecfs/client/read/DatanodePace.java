package io.ecfs.client.read;

import java.util.Arrays;

/**
 * The latency of one datanode, and whether it is slow.
 *
 * <pre>
 *   FAST  --late three times in a row--&gt;  SLOW  --an answer in good time--&gt;  FAST
 *                                          `-- tried now and then, the pause doubles each time
 * </pre>
 *
 * Requests that were under way together when it was late count once: one pause of its process is one lapse.
 */
final class DatanodePace {
    private static final int LAPSES = 3;
    private static final float WEIGHT = 1 / 8f;

    private final float[] meanNanos = new float[ReadSizes.CLASSES];
    private int lapses;
    private long lapsedAt;
    private boolean slow;
    private boolean trying;
    private long pauseNanos;
    private long trialAt;

    DatanodePace() {
        Arrays.fill(meanNanos, Float.NaN);
    }

    boolean slow() {
        return slow;
    }

    /** Not a number while nothing is known. */
    float meanNanos(int sizeClass) {
        return meanNanos[sizeClass];
    }

    /** An answer came in good time. */
    void timely() {
        lapses = 0;
        slow = false;
    }

    /** Counts an answer for what is usual of this datanode. */
    void learn(int sizeClass, long nanos) {
        float before = meanNanos[sizeClass];
        meanNanos[sizeClass] = Float.isNaN(before) ? nanos : before + WEIGHT * (nanos - before);
    }

    /**
     * A request was late: answered so, or given up.
     *
     * @param firstPause until the first trial of a datanode that becomes slow by this
     * @return whether it did
     */
    boolean late(long began, long now, long firstPause) {
        if (slow || (lapses > 0 && began - lapsedAt < 0)) {
            return false;
        }
        lapsedAt = now;
        if (++lapses < LAPSES) {
            return false;
        }
        slow = true;
        pauseNanos = firstPause;
        trialAt = now + firstPause;
        return true;
    }

    /** Whether it is time for a trial; if so, it is under way from now on. */
    boolean takeTrial(long now, long longestPause) {
        if (!slow || trying || now - trialAt < 0) {
            return false;
        }
        trying = true;
        pauseNanos = Math.min(2 * pauseNanos, longestPause);
        return true;
    }

    void tried(long now) {
        trying = false;
        trialAt = now + pauseNanos;
    }
}
