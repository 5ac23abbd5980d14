package io.ecfs.bench.part;

import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.meter.Meter;
import io.ecfs.bench.meter.Snapshot;
import io.ecfs.bench.report.WriteSteps;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.report.WriteShare;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs timed parts, with everything quiet before each. For one thread. */
public final class TimedParts implements AutoCloseable {
    private static final long QUIET_MILLIS = 300;

    private final Meter meter;
    private final WarmMemory memory;

    /** @param meter closed with this */
    public TimedParts(Meter meter, WarmMemory memory) {
        this.meter = meter;
        this.memory = memory;
    }

    /** A timed part. */
    public interface Part<T> {
        T run() throws Exception;
    }

    /**
     * Runs a part with disks flushed, garbage collected and memory warm.
     *
     * @param client whose writes are looked at
     * @param warmBytes of memory that the part will write to disk; 0 warms nothing
     */
    public <T> Measured<T> measure(EcfsClient client, long warmBytes, Part<T> part) throws Exception {
        flushDisks();
        System.gc();
        TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
        return measureNow(client, memory.warm(warmBytes), part);
    }

    /** Runs a part as things are. */
    public <T> Measured<T> measureNow(EcfsClient client, Part<T> part) throws Exception {
        return measureNow(client, 0, part);
    }

    private <T> Measured<T> measureNow(EcfsClient client, long warmed, Part<T> part) throws Exception {
        List<WriteShare> before = client.writeTimes();
        Snapshot begin = meter.begin();
        T result = part.run();
        Cost cost = meter.end(begin);
        return new Measured<>(result, cost, WriteSteps.between(before, client.writeTimes()), warmed);
    }

    /** Writes all dirty pages of this machine to its disks. */
    public static void flushDisks() throws IOException, InterruptedException {
        new ProcessBuilder("sync").start().waitFor();
    }

    @Override
    public void close() {
        meter.close();
    }
}
