package io.ecfs.torture;

import io.ecfs.torture.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Clients of a torture, by their ids. One that was killed is followed by another one with new numbers for its threads:
 * the outcome of the old one's last calls is unknown. For one thread.
 */
abstract class Clients implements AutoCloseable {
    private final TorturePlan plan;
    private final String uri;
    private final Path directory;
    private final long beginNanos;
    private int started;

    /**
     * @param directory of plans, journals and logs
     * @param beginNanos of the calls, on the clock of this machine's processes
     */
    Clients(TorturePlan plan, String uri, Path directory, long beginNanos) {
        this.plan = plan;
        this.uri = uri;
        this.directory = directory;
        this.beginNanos = beginNanos;
    }

    final Path directory() {
        return directory;
    }

    final Path journals() {
        return directory.resolve("calls");
    }

    final long endNanos() {
        return beginNanos + plan.length().toNanos();
    }

    final List<String> ids() {
        return IntStream.range(0, TorturePlan.CLIENTS)
                .mapToObj(client -> "client" + client)
                .toList();
    }

    final boolean has(String id) {
        return ids().contains(id);
    }

    /** Plan of the client that replaces this one; its journal has its name. */
    final LoadPlan next(String id) {
        LoadPlan load = new LoadPlan(
                uri,
                journals().resolve(id + "-" + started + ".jsonl"),
                directory.resolve("drain"),
                plan.policy(),
                TorturePlan.THREADS_OF_CLIENT * started,
                TorturePlan.THREADS_OF_CLIENT,
                plan.seed(),
                beginNanos,
                endNanos(),
                ids().indexOf(id) % 2 == 0);
        started++;
        return load;
    }

    abstract void start(String id) throws IOException;

    /** Ends it at once, with its files open and its calls under way. */
    abstract void kill(String id) throws IOException;

    /** Waits until all have made their last call. */
    abstract void awaitEnd() throws IOException, InterruptedException;

    @Override
    public abstract void close();
}
