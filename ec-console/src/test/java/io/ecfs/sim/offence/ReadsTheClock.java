package io.ecfs.sim.offence;

/** Reads the machine's time, which no seed brings back. */
public final class ReadsTheClock {
    static long nanoTime() {
        return System.nanoTime();
    }
}
