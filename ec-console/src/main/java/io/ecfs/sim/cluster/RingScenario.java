package io.ecfs.sim.cluster;

/** At which moment of a volume that takes turns in writing its datanode is killed, and how. */
public record RingScenario(Moment moment, Victim victim) implements Plot {
    /** States of a volume of a ring. */
    public enum Moment {
        /** It reads, and has changes in its journal alone. */
        STAGED,
        /** Its role has just become another. */
        SWITCHING,
        /** In the middle of a change of its disk while it writes. */
        DRAIN_HALF,
        /** Its disk has all that was staged, and the journal may not say so. */
        DRAINED
    }

    public enum Victim {
        /** The datanode's process. */
        PROCESS,
        /** Its machine loses power, if power is lost in the world at all. */
        MACHINE,
        /** As many machines as every policy survives. */
        MACHINES
    }

    @Override
    public long seed() {
        return toString().hashCode() & 0x7fff_ffffL;
    }

    @Override
    public SimSettings settings(long seed) {
        return SimSettings.turning(seed);
    }
}
