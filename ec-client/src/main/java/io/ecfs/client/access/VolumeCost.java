package io.ecfs.client.access;

/**
 * What reads of one volume took, as a line over their bytes: its height is o_j, which follows every read, its slope
 * m_j, which takes many.
 *
 * <pre>
 *   m_j  slope over the last 2,048 reads, weighed against what is expected of any volume as if that had been seen
 *        in 32 reads
 *   o_j  average of (time - m_j bytes): a read soon after the last one counts an eighth, one after a silence up to
 *        a half
 * </pre>
 *
 * What waits in a queue falls on o_j: it changes from one read to the next, and a slope that follows so fast would be
 * noise.
 */
final class VolumeCost {
    /** Before anything is known: the proportion that the paper found, o = 5 for m z = 1 with its chunks of 50 KB. */
    static final double FIRST_ACCESS_NANOS = 1_000_000;

    static final double FIRST_NANOS_PER_BYTE = 4;

    /** Of a local disk in its cache; measurements below are noise. */
    private static final double LEAST_NANOS_PER_BYTE = 0.1;

    private static final double LEAST_WEIGHT = 1 / 8.0;
    private static final double MOST_WEIGHT = 1 / 2.0;
    private static final double REMEMBERED_READS = 2048;

    /** 32 reads whose sizes differ by 50 KB: what has to be outweighed before the slope is believed. */
    private static final double PRIOR = 32.0 * 50_000 * 50_000;

    /** A volume stands out when the quickest of its last reads does: a single slow one tells nothing. */
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
    private long heardAt;

    boolean known() {
        return samples > 0;
    }

    double accessNanos() {
        return accessNanos;
    }

    double nanosPerByte() {
        return nanosPerByte;
    }

    /** When something was learned of it; only while {@link #known}. */
    long heardAt() {
        return heardAt;
    }

    /** The least that turning to it took of late; 0 before there were {@value #LAST} samples. */
    double leastOfLateNanos() {
        double least = Double.POSITIVE_INFINITY;
        for (double one : last) {
            least = Math.min(least, one);
        }
        return samples < LAST ? 0 : least;
    }

    /**
     * A read was answered.
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

    /** A read was called off after so long: that tells something when it took longer than was to be expected. */
    void calledOff(long bytes, long tookNanos, long now, long silence) {
        double least = tookNanos - nanosPerByte * bytes;
        if (known() && least > accessNanos) {
            follow(least, now, silence);
        }
    }

    /** The volume said how busy it is, in so much time. */
    void told(long tookNanos, long now, long silence) {
        follow((double) tookNanos, now, silence);
    }

    private void follow(double sample, long now, long silence) {
        double here = Math.max(0, sample);
        if (known()) {
            double weight = Math.max(LEAST_WEIGHT, Math.min(MOST_WEIGHT, (now - heardAt) / (double) silence));
            accessNanos += weight * (here - accessNanos);
        } else {
            accessNanos = here;
        }
        last[samples % LAST] = here;
        samples = samples == Integer.MAX_VALUE ? LAST : samples + 1;
        heardAt = now;
    }
}
