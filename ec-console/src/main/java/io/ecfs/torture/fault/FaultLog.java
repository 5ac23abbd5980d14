package io.ecfs.torture.fault;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** When each fault began and ended, in a file beside the daemons' logs and for who watches. */
public final class FaultLog implements AutoCloseable {
    private final InstantSource clock;
    private final BufferedWriter out;
    private final Consumer<String> watcher;
    private final Map<String, Integer> counts = new TreeMap<>();

    public FaultLog(InstantSource clock, Path file, Consumer<String> watcher) throws IOException {
        this.clock = clock;
        this.out = Files.newBufferedWriter(file);
        this.watcher = watcher;
    }

    void began(Fault fault, String victim) throws IOException {
        counts.merge(fault.name(), 1, Integer::sum);
        note("event=fault_begun fault=" + fault.name() + " victim=" + victim);
    }

    void ended(Fault fault, String victim) throws IOException {
        note("event=fault_ended fault=" + fault.name() + " victim=" + victim);
    }

    public void note(String event) throws IOException {
        Instant now = clock.instant();
        out.write(now + " " + event + "\n");
        out.flush();
        watcher.accept(event);
    }

    /** Number of injections of each fault. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
