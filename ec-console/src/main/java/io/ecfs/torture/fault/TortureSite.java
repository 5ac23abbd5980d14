package io.ecfs.torture.fault;

import io.ecfs.client.EcfsClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The daemons and clients of a cluster under torture, by their ids, and what can be done to them. For the driver's
 * thread.
 */
public interface TortureSite {
    List<String> datanodes();

    List<String> namenodes();

    List<String> clients();

    /** The namenode that leads; waits for one. */
    String leader() throws IOException, InterruptedException;

    /** Ends a daemon or client at once, without a goodbye: what it wrote to files stays. */
    void kill(String id) throws IOException;

    /** Starts a killed daemon again, or another client in the place of a killed one; returns before it is ready. */
    void start(String id) throws IOException;

    /** Stops it from running on (SIGSTOP), sockets open. Of {@link Shape#PROCESSES} alone. */
    void freeze(String id) throws IOException, InterruptedException;

    /** Lets a frozen one run on. */
    void thaw(String id) throws IOException, InterruptedException;

    /** Faults of the machines of {@link Shape#ONE}. */
    Machines machines();

    /** Directory of a daemon. */
    Path directory(String id);

    /** For what operators order. */
    EcfsClient client();

    /**
     * Returns when all daemons serve and all sealed groups have all their chunks. Within a round only a fault that is
     * alone in it may wait.
     *
     * @throws io.ecfs.error.EcfsException {@code TIMEOUT} when it does not become so
     */
    void awaitWhole() throws IOException, InterruptedException;

    /** Lets time pass. */
    void pause(Duration time) throws InterruptedException;
}
