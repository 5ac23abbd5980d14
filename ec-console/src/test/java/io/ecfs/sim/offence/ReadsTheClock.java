package io.ecfs.sim.offence;

/** Reads the machine's time, which no seed repeats. */
public final class ReadsTheClock {
    static long nanoTime() {
        return System.nanoTime();
    }
}
