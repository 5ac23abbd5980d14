package io.ecfs.sim.cluster;

/**
 * A cell of the fault matrix: why chunks come to lie elsewhere, at which moment of an attempt somebody is killed, and
 * who.
 */
public record CrashScenario(Cause cause, Moment moment, Victim victim) implements Plot {
    public enum Cause {
        /** A datanode dies for longer than the grace. */
        DEATH,
        /** One is decommissioned. */
        DRAIN,
        /** One is new and empty. */
        BALANCE,
        /** Files are read together whose chunks lie apart. */
        READS
    }

    /** States of an attempt, as they are seen in the log and on the disks. */
    public enum Moment {
        /** The log has it, no caller has the reply. */
        LOGGED,
        /** The order is on its way to the target. */
        ORDERED,
        /** The target has made the chunk, which has no bytes yet. */
        CREATED,
        HALF_WRITTEN,
        /** On the target's disk, and the log does not know. */
        PUBLISHED,
        /** In its place, and the old chunk lies around, garbage or not yet. */
        COMMITTED,
        /** The old chunk is gone, and the log does not know. */
        DELETED
    }

    public enum Victim {
        /** A datanode with another chunk of the group. */
        SOURCE,
        /** The one that the chunk is to leave. */
        HOLDER,
        TARGET,
        LEADER
    }

    @Override
    public long seed() {
        return toString().hashCode() & 0x7fff_ffffL;
    }

    @Override
    public SimSettings settings(long seed) {
        return SimSettings.plotted(seed, this);
    }
}
