package io.ecfs.sim.time;

/** A machine whose wall clock somebody may set. */
public interface SteppedClock {
    boolean up();

    /**
     * Sets the wall clock forward or back; the monotonic clock goes on as before.
     *
     * @return sets it right again, if the same process still runs
     */
    Runnable stepClock(long millis);
}
