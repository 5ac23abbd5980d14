package io.ecfs.sim.cluster.offence;

import io.ecfs.sim.trouble.Trouble;

/** Reaches from a simulated cluster to what breaks in it. */
public final class KnowsTheTrouble {
    static boolean isTrouble(Object one) {
        return one instanceof Trouble;
    }
}
