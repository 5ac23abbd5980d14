package io.ecfs.torture.fault;

import io.ecfs.torture.fault.driver.Faults;
import java.io.IOException;
import java.util.Set;
import java.util.SplittableRandom;

/** One kind of trouble. A class each, in the registry {@link Faults}. */
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

    /** Who is hurt, and so which part of the budget it takes. */
    enum Victim {
        /** One of at most m. */
        DATANODE,
        /**
         * Always the same datanode of a run, whose disk does not keep what is written. When what is wrong there will be
         * noticed cannot be told from outside, so it takes one of m for the whole run.
         */
        ROTTEN,
        /** One of a minority. */
        NAMENODE,
        /** The namenode that leads; one of a minority. */
        LEADER,
        /** Nobody: what an operator may order. */
        NOBODY,
        /** A client; as many as there are. */
        CLIENT,
        /** Everybody at once, for a fault that loses nothing and after which all return; alone in its round. */
        ALL
    }
}
