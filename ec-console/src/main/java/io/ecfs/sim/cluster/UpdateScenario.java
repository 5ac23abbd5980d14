package io.ecfs.sim.cluster;

/** At which moment of a file that is updated in place somebody is killed, and who. */
public record UpdateScenario(Moment moment, Victim victim) implements Plot {
    /** States of a patch group, as they are seen on the network. */
    public enum Moment {
        /** The first bytes of the group are on their way. */
        FIRST_BATCH,
        /** Some cells of a later stripe are on their way, not all: a batch has several, or fills one. */
        HALF_STRIPE,
        /** A tail record behind the first has gone to some datanodes. */
        TAIL_RECORD,
        /** The index is written; the first chunks are being published. */
        INDEXED,
        /** The namenode is to seal the group. */
        SEALING,
        /** The group is sealed; the call that replaces the layout is on its way. */
        SEALED,
        /** The call that closes the file is on its way. */
        CLOSING
    }

    public enum Victim {
        WRITER,
        /** As many of the group's as every policy survives. */
        DATANODES,
        LEADER
    }

    @Override
    public long seed() {
        return toString().hashCode() & 0x7fff_ffffL;
    }

    @Override
    public SimSettings settings(long seed) {
        return SimSettings.updated(seed);
    }
}
