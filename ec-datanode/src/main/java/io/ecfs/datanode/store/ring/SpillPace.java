package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Limits spills of a full journal to a tenth of what the device takes while it writes, so that reads stay close to
 * undisturbed. The rate is that of the pieces of the drain, as measured. Thread-safe.
 */
final class SpillPace {
    /** Share of the device's rate. */
    static final double SHARE = 0.1;
    /** Rate that is assumed before anything was measured. */
    static final double FIRST_RATE = 64 << 20;

    private static final double SECOND = 1e9;
    private static final double NEWEST = 0.1; // weight of a piece in the mean
    /** Spills that may come at once, in seconds of their pace. */
    private static final double BURST = 1;

    @GuardedBy("this")
    private double bytesPerSecond = FIRST_RATE;

    @GuardedBy("this")
    private double allowance;

    @GuardedBy("this")
    private long at;

    SpillPace(long nowNanos) {
        this.at = nowNanos;
    }

    /** The device took so many bytes in a piece. */
    synchronized void measured(long bytes, long nanos) {
        if (bytes > 0 && nanos > 0) {
            bytesPerSecond += NEWEST * (bytes * SECOND / nanos - bytesPerSecond);
        }
    }

    /** Returns whether so many bytes may be spilled now, and counts them. */
    synchronized boolean take(long bytes, long nowNanos) {
        double pace = bytesPerSecond * SHARE;
        allowance = Math.min(pace * BURST, allowance + pace * (nowNanos - at) / SECOND);
        at = nowNanos;
        if (allowance <= 0) {
            return false;
        }
        allowance -= bytes; // a large change is paid for afterwards
        return true;
    }

    /** Bytes a second that the device takes while it writes. */
    synchronized long rate() {
        return (long) bytesPerSecond;
    }
}
