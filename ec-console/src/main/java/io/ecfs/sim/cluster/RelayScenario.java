package io.ecfs.sim.cluster;

/** At which moment of a relayed stripe somebody is killed, and who. */
public record RelayScenario(Moment moment, Victim victim) implements Plot {
    /** States of a stripe, as they are seen on the network. */
    public enum Moment {
        /** The master has answered that it relays; no cell came. */
        BEGUN,
        /** It has sent cells to some datanodes, not to all. */
        HALF_DISTRIBUTED,
        /** The first answer for a cell is on its way to the client, and is lost with the master. */
        ANSWER_LOST
    }

    public enum Victim {
        MASTER,
        /** The datanode of another chunk. */
        SLAVE,
        CLIENT
    }

    @Override
    public long seed() {
        return toString().hashCode() & 0x7fff_ffffL;
    }

    @Override
    public SimSettings settings(long seed) {
        return SimSettings.relayed(seed);
    }
}
