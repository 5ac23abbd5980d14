package io.ecfs.client.access;

/**
 * Time of reads of one volume as a linear function of their bytes: the intercept o_j adapts to every read, the slope
 * m_j to many.
 *
 * <pre>
 *   m_j  slope over the last 2,048 reads, weighed against what is expected of any volume as if that had been seen
 *        in 32 reads
 *   o_j  average of (time - m_j bytes): a read soon after the last one counts an eighth, one after a silence up to
 *        a half
 * </pre>
 *
 * Waiting times in queues count for o_j: they change from one read to the next, and a slope that adapts so fast would
 * be noise.
 */
final class VolumeCost {
    /** Initial value: the proportion that the paper found, o = 5 for m z = 1 with its chunks of 50 KB. */
    static final double FIRST_ACCESS_NANOS = 1_000_000;

    static final double FIRST_NANOS_PER_BYTE = 4;

    /** Slope of a local disk's cache; measurements below are noise. */
    private static final double LEAST_NANOS_PER_BYTE = 0.1;

    private static final double LEAST_WEIGHT = 1 / 8.0;
    private static final double MOST_WEIGHT = 1 / 2.0;
    private static final double REMEMBERED_READS = 2048;

    /** Weight of the prior, equal to 32 reads whose sizes differ by 50 KB. */
    private static final double PRIOR = 32.0 * 50_000 * 50_000;

    /**
     * Number of last reads, of which the quickest decides whether the volume stands out: a single slow one proves
     * nothing.
     */
    private static final int LAST = 4;

    private double accessNanos = Double.NaN;
    private double nanosPerByte = FIRST_NANOS_PER_BYTE;
    private double reads;
    private double meanBytes;
    private double meanNanos;
    private double variance; // of the bytes
    private double covariance; // of bytes and time
    private final double[] last = new double[LAST];
    private int samples;
    private long measuredAt;

    boolean known() {
        return samples > 0;
    }

    double accessNanos() {
        return accessNanos;
    }

    double nanosPerByte() {
        return nanosPerByte;
    }

    /** Time of the last sample; only while {@link #known}. */
    long measuredAt() {
        return measuredAt;
    }

    /** The least access time of the last samples; 0 before there were {@value #LAST}. */
    double leastOfLateNanos() {
        double least = Double.POSITIVE_INFINITY;
        for (double one : last) {
            least = Math.min(least, one);
        }
        return samples < LAST ? 0 : least;
    }

    /**
     * Adds an answered read.
     *
     * @param bytes that the volume had to read for it
     * @param silence after which a sample counts in full
     */
    void answered(long bytes, long tookNanos, long now, long silence) {
        reads = Math.min(reads + 1, REMEMBERED_READS);
        double share = 1 / reads;
        double moreBytes = bytes - meanBytes;
        double moreNanos = tookNanos - meanNanos;
        meanBytes += share * moreBytes;
        meanNanos += share * moreNanos;
        variance = (1 - share) * (variance + share * moreBytes * moreBytes);
        covariance = (1 - share) * (covariance + share * moreBytes * moreNanos);
        double slope = (reads * covariance + PRIOR * FIRST_NANOS_PER_BYTE) / (reads * variance + PRIOR);
        nanosPerByte = Math.max(LEAST_NANOS_PER_BYTE, Math.min(slope, meanNanos / Math.max(1, meanBytes)));
        follow(tookNanos - nanosPerByte * bytes, now, silence);
    }

    /** Adds a read that was cancelled after so long: a sample if that is longer than expected. */
    void calledOff(long bytes, long tookNanos, long now, long silence) {
        double least = tookNanos - nanosPerByte * bytes;
        if (known() && least > accessNanos) {
            follow(least, now, silence);
        }
    }

    /** Adds the response time of a probe. */
    void probed(long tookNanos, long now, long silence) {
        follow((double) tookNanos, now, silence);
    }

    private void follow(double sample, long now, long silence) {
        double here = Math.max(0, sample);
        if (known()) {
            double weight = Math.max(LEAST_WEIGHT, Math.min(MOST_WEIGHT, (now - measuredAt) / (double) silence));
            accessNanos += weight * (here - accessNanos);
        } else {
            accessNanos = here;
        }
        last[samples % LAST] = here;
        samples = samples == Integer.MAX_VALUE ? LAST : samples + 1;
        measuredAt = now;
    }
}
