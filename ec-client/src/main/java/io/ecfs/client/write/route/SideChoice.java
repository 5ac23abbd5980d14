package io.ecfs.client.write.route;

import io.ecfs.layout.WriteSide;

/**
 * Chooses the side that encodes the next group: the one that took less time for a byte so far, as an exponentially
 * weighted mean of each. Both are tried first, and from time to time the slower one again, since loads and networks
 * change: the more slowly, the more rarely, so that the trials cost no more than one part in fifty. Owned by the
 * client's owner thread.
 */
final class SideChoice {
    /** Weight of the latest stripe. */
    private static final double LATEST = 0.2;

    /** Of so many groups, or more, the slower side gets one. */
    private static final int TRIAL_EVERY = 16;

    /** A side that failed counts as so many times slower than the other. */
    private static final double FAILED = 4;

    /** Share of the time that trials of the slower side may cost. */
    private static final double TRIAL_COST = 0.02;

    private double clientNanos = Double.NaN; // a byte
    private double masterNanos = Double.NaN;
    private int sinceTrial;

    /** For the next group. */
    WriteSide next() {
        if (Double.isNaN(clientNanos)) {
            return WriteSide.CLIENT;
        }
        if (Double.isNaN(masterNanos)) {
            return WriteSide.MASTER;
        }
        boolean trial = ++sinceTrial >= trialEvery();
        if (trial) {
            sinceTrial = 0;
        }
        return (masterNanos < clientNanos) == trial ? WriteSide.CLIENT : WriteSide.MASTER;
    }

    /** A group that this side was to encode was encoded by the other: this one comes again at the next trial. */
    void failed(WriteSide side) {
        if (side == WriteSide.CLIENT) {
            clientNanos = slower(clientNanos, masterNanos);
        } else {
            masterNanos = slower(masterNanos, clientNanos);
        }
    }

    private static double slower(double nanos, double other) {
        if (Double.isNaN(other)) {
            return nanos;
        }
        return Double.isNaN(nanos) ? FAILED * other : Math.max(nanos, FAILED * other);
    }

    private double trialEvery() {
        double slower = Math.max(clientNanos, masterNanos) / Math.min(clientNanos, masterNanos);
        return Math.max(TRIAL_EVERY, (slower - 1) / TRIAL_COST);
    }

    /**
     * A stripe was acknowledged.
     *
     * @param nanos since the one before was, or since it was sent, whichever is less; with the
     *     time that the client took to encode it
     */
    void took(WriteSide side, long bytes, long nanos) {
        double one = (double) nanos / bytes;
        if (side == WriteSide.CLIENT) {
            clientNanos = Double.isNaN(clientNanos) ? one : clientNanos + LATEST * (one - clientNanos);
        } else {
            masterNanos = Double.isNaN(masterNanos) ? one : masterNanos + LATEST * (one - masterNanos);
        }
    }
}
