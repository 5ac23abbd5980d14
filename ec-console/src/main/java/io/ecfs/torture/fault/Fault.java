package io.ecfs.torture.fault;

import java.io.IOException;
import java.util.Set;
import java.util.SplittableRandom;

/** One kind of trouble. A class each, in the registry {@code driver.Faults}. */
public interface Fault {
    /** As {@code --faults} names it. */
    String name();

    /** Shapes of cluster that it can be done to. */
    default Set<Shape> shapes() {
        return Set.of(Shape.values());
    }

    /** Whom it hurts. */
    Victim victim();

    /**
     * Does it.
     *
     * @param victim id of the one that is hurt
     * @return how it is undone; what is hurt may need time after that
     */
    Inflicted inflict(TortureSite site, String victim, SplittableRandom random)
            throws IOException, InterruptedException;

    /** A fault that has begun. */
    interface Inflicted {
        void end() throws IOException, InterruptedException;
    }

    /** Target of a fault, and so the part of the budget that it takes. */
    enum Victim {
        /** One of at most m. */
        DATANODE,
        /**
         * Always the same datanode of a run, whose disk corrupts data. The time of detection is unknown outside, so it
         * takes one of m for the whole run.
         */
        ROTTEN,
        /** One of a minority. */
        NAMENODE,
        /** The namenode that leads; one of a minority. */
        LEADER,
        /** No machine: a command of an operator. */
        NO_MACHINE,
        /** A client; as many as there are. */
        CLIENT,
        /** All machines at once, for a fault that loses nothing and after which all return; alone in its round. */
        ALL
    }
}
