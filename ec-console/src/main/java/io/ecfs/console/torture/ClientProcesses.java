package io.ecfs.console.torture;

import io.ecfs.console.local.Child;
import io.ecfs.console.torture.load.LoadPlan;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Clients of a torture, each a process of its own ({@code ecfs torture-client}). One that was killed is followed by another one with new
 * numbers for its threads: nobody can say what became of the old one's last calls. For one thread.
 */
final class ClientProcesses implements AutoCloseable {
    private static final List<String> JVM = List.of("-Xmx320m", "-XX:TieredStopAtLevel=1");
    private static final Duration END_PATIENCE = Duration.ofMinutes(2);

    private final TorturePlan plan;
    private final String uri;
    private final Path directory;
    private final long beginNanos;
    private final long endNanos;
    private final Map<String, Process> processes = new TreeMap<>();
    private int started;

    /** @param directory of plans, journals and logs */
    ClientProcesses(TorturePlan plan, String uri, Path directory, long beginNanos) {
        this.plan = plan;
        this.uri = uri;
        this.directory = directory;
        this.beginNanos = beginNanos;
        this.endNanos = beginNanos + plan.length().toNanos();
    }

    Path journals() {
        return directory.resolve("calls");
    }

    /** While this file exists clients close what they have open. */
    Path drain() {
        return directory.resolve("drain");
    }

    List<String> ids() {
        return IntStream.range(0, TorturePlan.CLIENTS)
                .mapToObj(client -> "client" + client)
                .toList();
    }

    boolean has(String id) {
        return ids().contains(id);
    }

    ProcessHandle process(String id) throws EcfsException {
        Process process = processes.get(id);
        if (!process.isAlive() && System.nanoTime() - endNanos < 0) {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    id + " ended by itself with code " + process.exitValue() + ": see its log in " + directory);
        }
        return process.toHandle();
    }

    void start(String id) throws IOException {
        String name = id + "-" + started;
        LoadPlan load = new LoadPlan(
                uri,
                journals().resolve(name + ".jsonl"),
                drain(),
                plan.policy(),
                TorturePlan.THREADS_OF_CLIENT * started,
                TorturePlan.THREADS_OF_CLIENT,
                plan.seed(),
                beginNanos,
                endNanos,
                ids().indexOf(id) % 2 == 0);
        started++;
        Path file = directory.resolve("plans").resolve(name + ".json");
        load.write(file);
        processes.put(
                id,
                Child.start(
                        directory.resolve("logs").resolve(name + ".log"),
                        JVM,
                        List.of("torture-client", file.toString())));
    }

    /** Waits until all have made their last call. */
    void awaitEnd() throws IOException, InterruptedException {
        for (Map.Entry<String, Process> client : processes.entrySet()) {
            Process process = client.getValue();
            if (!process.waitFor(END_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new EcfsException(
                        ErrorCode.TIMEOUT,
                        client.getKey() + " has not returned from its last calls after " + END_PATIENCE.toSeconds()
                                + " s, whose deadline is much shorter");
            }
            if (process.exitValue() != 0) {
                throw new EcfsException(
                        ErrorCode.INTERNAL,
                        client.getKey() + " ended with code " + process.exitValue() + ": see its log in "
                                + directory.resolve("logs"));
            }
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
