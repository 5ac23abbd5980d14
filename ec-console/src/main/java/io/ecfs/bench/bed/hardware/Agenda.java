package io.ecfs.bench.bed.hardware;

import io.ecfs.sim.time.VirtualTime;

/** Events of a network in the order of their times, in virtual time or by a clock. */
public interface Agenda {
    /** The time of the event that runs, or now. */
    long nanos();

    /** Runs something at a time, behind what was entered for the same time before. */
    void at(long nanos, Runnable event);

    /** The events of a simulated world. */
    static Agenda of(VirtualTime time) {
        return new Agenda() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public void at(long nanos, Runnable event) {
                time.at(nanos, event);
            }
        };
    }
}
