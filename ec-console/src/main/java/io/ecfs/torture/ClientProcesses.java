package io.ecfs.torture;

import io.ecfs.console.local.Child;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.torture.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Clients that are processes of their own ({@code ecfs torture-client}). */
final class ClientProcesses extends Clients {
    private static final List<String> JVM = List.of("-Xmx320m", "-XX:TieredStopAtLevel=1");
    private static final Duration END_PATIENCE = Duration.ofMinutes(2);

    private final Clock clock;
    private final Map<String, Process> processes = new TreeMap<>();

    ClientProcesses(TorturePlan plan, String uri, Path directory, Clock clock) {
        super(plan, uri, directory, clock.nanos());
        this.clock = clock;
    }

    /** @throws EcfsException {@code INTERNAL} when it has ended by itself before its time */
    ProcessHandle process(String id) throws EcfsException {
        Process process = processes.get(id);
        if (!process.isAlive() && clock.nanos() - endNanos() < 0) {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    id + " ended by itself with code " + process.exitValue() + ": see its log in " + directory());
        }
        return process.toHandle();
    }

    @Override
    void start(String id) throws IOException {
        LoadPlan load = next(id);
        String name = load.journal().getFileName().toString().replace(".jsonl", "");
        Path file = directory().resolve("plans").resolve(name + ".json");
        load.write(file);
        processes.put(
                id,
                Child.start(
                        directory().resolve("logs").resolve(name + ".log"),
                        JVM,
                        List.of("torture-client", file.toString())));
    }

    @Override
    void kill(String id) throws EcfsException {
        ProcessHandle process = process(id);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
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
                                + directory().resolve("logs"));
            }
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
