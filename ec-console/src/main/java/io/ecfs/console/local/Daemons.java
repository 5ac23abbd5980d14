package io.ecfs.console.local;

import java.io.IOException;

/** The running daemons of one local cluster, wherever they run. */
interface Daemons extends AutoCloseable {
    /** Starts them all; returns when they were started, which is before they are ready. */
    void start() throws IOException;

    /** Process that a daemon runs in. */
    long pidOf(String id);

    /** Stops datanodes first, then namenodes, so that the last reports are heard. Idempotent. */
    @Override
    void close();
}
