package io.ecfs.bench;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.part.TimedParts;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.wire.Await;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Reads of one length at random places: each thread has the file of its number, modulo the files.
 *
 * @param client that reads; the stage's or one of the workload's own
 * @param length in bytes
 */
record RandomReads(Stage stage, EcfsClient client, SequentialFiles files, int length, int threads) {
    private static final int ALIGNMENT = 4096;
    private static final double WARM_UP_SHARE = 0.25;
    private static final double NANOS = 1e9;

    /** Takes a part of the time of a run. */
    void warmUp() throws Exception {
        during(0, WARM_UP_SHARE * stage.plan().seconds());
    }

    /** Reads as long as the plan says. */
    Latencies read(int seed) throws Exception {
        return during(seed, stage.plan().seconds());
    }

    private Latencies during(int seed, double seconds) throws Exception {
        long end = System.nanoTime() + (long) (seconds * NANOS);
        return read(seed, () -> System.nanoTime() < end);
    }

    /** Reads as long as other work takes. */
    Latencies readWhile(int seed, TimedParts.Part<?> work) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Latencies[] latencies = new Latencies[1];
        stage.crew().run(2, side -> {
            if (side == 0) {
                latencies[0] = read(seed, () -> !over.get());
            } else {
                try {
                    work.run();
                } finally {
                    over.set(true);
                }
            }
        });
        return latencies[0];
    }

    private Latencies read(int seed, BooleanSupplier goOn) throws Exception {
        Latencies latencies = new Latencies(threads);
        stage.crew().run(threads, t -> {
            SplittableRandom random = new SplittableRandom(seed * 100L + t);
            ByteBuffer buffer = ByteBuffer.wrap(new byte[length]);
            FileReader reader = Await.result(client.open(files.path(t % files.threads())));
            long now = System.nanoTime();
            while (goOn.getAsBoolean()) {
                long at = place(random, files.bytesOfOne(), length);
                buffer.clear();
                BenchFiles.readFully(reader, at, buffer);
                long done = System.nanoTime();
                latencies.record(t, done - now);
                now = done;
            }
        });
        return latencies;
    }

    /** Parameters of these reads in the figures of a repetition. */
    Map<String, Object> what(int repetition) {
        Map<String, Object> what = Stage.what(files.policy(), repetition, threads);
        what.put("len", length);
        return what;
    }

    /** A figure of reads by time. */
    void rate(String name, Map<String, Object> what, Measured<Latencies> part) {
        stage.rate(name, "ops/s", what, part, part.result().count() * length);
    }

    /** Figures of these reads alone, beside other work of this name, and of what that does to the slowest. */
    void beside(String work, Map<String, Object> what, Measured<Latencies> alone, Measured<Latencies> beside) {
        rate(work + "_pread_alone", what, alone);
        rate(work + "_pread_beside", what, beside);
        stage.figure(
                work + "_p99_ratio",
                beside.result().p99() / (double) alone.result().p99(),
                "ratio",
                what);
    }

    /** A random place in a file at which so many bytes can be read. */
    static long place(SplittableRandom random, long fileBytes, int length) {
        return random.nextLong((fileBytes - length) / ALIGNMENT + 1) * ALIGNMENT;
    }
}
