package io.ecfs.sim.cluster;

/** At which moment of a rewrite somebody is killed, and who. */
public record RewriteScenario(Moment moment, Victim victim) implements Plot {
    /** States of a rewrite, as they are seen on the network. */
    public enum Moment {
        /** The log has it, its order is on its way. */
        ORDERED,
        /** Some cells of the new group are on their way. */
        HALF_WRITTEN,
        /** Some of its chunks are being published, not all. */
        HALF_PUBLISHED,
        /** The report that all are on disk is on its way. */
        REPORTED,
        /** The extents lie in the new group; the order to delete a chunk of an old one is on its way. */
        COMMITTED,
        /** It was given up, and a chunk of the new group is to be deleted. Target or holder is killed before. */
        ABORTED
    }

    public enum Victim {
        /** The datanode that fills the group. */
        TARGET,
        /** The datanode of another chunk of it. */
        HOLDER,
        /** A datanode that a source is read from. */
        SOURCE,
        LEADER
    }

    @Override
    public long seed() {
        return toString().hashCode() & 0x7fff_ffffL;
    }

    @Override
    public SimSettings settings(long seed) {
        return SimSettings.rewritten(seed);
    }
}
