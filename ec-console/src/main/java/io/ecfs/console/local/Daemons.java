package io.ecfs.console.local;

import java.io.IOException;
import java.util.Optional;

/** The running daemons of one local cluster, wherever they run. */
interface Daemons extends AutoCloseable {
    /** Starts them all; returns when they were started, which is before they are ready. */
    void start() throws IOException;

    /** Starts one daemon, which must not run; returns when it was started. */
    void start(String id) throws IOException;

    /** Stops one daemon in order; a no-op for one that does not run. */
    void stop(String id);

    /** A daemon that was started and has ended by itself; empty when all run. */
    Optional<String> ended();

    /** Process that a daemon runs in. */
    long pidOf(String id);

    /** Stops datanodes first, then namenodes, so that the last reports arrive. Idempotent. */
    @Override
    void close();
}
