package io.ecfs.console.bench;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.client.read.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** {@code pread}: each thread reads pieces of one length at random places of one file, for some seconds. */
final class PositionalRead implements Workload {
    private static final int ALIGNMENT = 4096;
    private static final double WARM_UP_SHARE = 0.25;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        SequentialFiles.warmUp(stage, policy);
        SequentialFiles file = new SequentialFiles(stage, policy, "pread", 1);
        stage.doing("writing " + file.bytes() + " bytes to read, " + policy);
        file.write();
        file.verify();
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (int length : stage.plan().preadBytes()) {
                    for (int threads : stage.plan().threads(1, 8)) {
                        pread(stage, file, length, threads, number);
                    }
                }
            }

            @Override
            public void end() throws Exception {
                file.delete();
            }
        };
    }

    private static void pread(Stage stage, SequentialFiles file, int length, int threads, int number) throws Exception {
        stage.doing(
                "pread of " + length + " bytes, " + file.policy() + ", " + threads + " threads, repetition " + number);
        double seconds = stage.plan().seconds();
        warmUp(stage, stage.client(), file, length, threads, seconds);
        Latencies[] latencies = new Latencies[1];
        Measured part =
                stage.measure(() -> latencies[0] = read(stage, stage.client(), file, length, threads, number, seconds));
        Map<String, Object> what = Stage.what(file.policy(), number, threads);
        what.put("len", length);
        stage.rate("pread", "ops/s", what, part, latencies[0].count() * length, latencies[0]);
    }

    /** @param seconds of the part that follows */
    static void warmUp(Stage stage, EcfsClient client, SequentialFiles file, int length, int threads, double seconds)
            throws Exception {
        read(stage, client, file, length, threads, 0, seconds * WARM_UP_SHARE);
    }

    static Latencies read(
            Stage stage, EcfsClient client, SequentialFiles file, int length, int threads, int seed, double seconds)
            throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        return read(stage, client, file, length, threads, seed, () -> System.nanoTime() < end);
    }

    /** Each thread reads the file of its number, again and again. */
    static Latencies read(
            Stage stage,
            EcfsClient client,
            SequentialFiles files,
            int length,
            int threads,
            int seed,
            BooleanSupplier goOn)
            throws Exception {
        Latencies latencies = new Latencies(threads);
        stage.crew().run(threads, t -> {
            SplittableRandom random = new SplittableRandom(seed * 100L + t);
            ByteBuffer buffer = ByteBuffer.wrap(new byte[length]);
            FileReader reader = Await.result(client.open(files.path(t % files.threads())));
            long now = System.nanoTime();
            while (goOn.getAsBoolean()) {
                long at = place(random, files.bytesOfOne(), length);
                buffer.clear();
                readFully(reader, at, buffer);
                long done = System.nanoTime();
                latencies.record(t, done - now);
                now = done;
            }
        });
        return latencies;
    }

    /** A random place in a file at which so many bytes can be read. */
    static long place(SplittableRandom random, long fileBytes, int length) {
        return random.nextLong((fileBytes - length) / ALIGNMENT + 1) * ALIGNMENT;
    }

    /** @throws EcfsException {@code CHUNK_CORRUPT} when the file is shorter than it was written */
    static void readFully(FileReader reader, long at, ByteBuffer buffer) throws IOException {
        int read = reader.read(at, buffer);
        if (buffer.hasRemaining()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    reader.status().path() + " gave " + read + " of " + buffer.capacity() + " bytes at " + at);
        }
    }
}
