package io.ecfs.bench;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * {@code mixed}: for some seconds each thread does what chance says: half random reads of a large file, a fifth writes
 * of small files, a fifth reads of small files, a tenth status calls. Beside the sum, {@code mixed_pread} … tell each
 * kind's rate and latencies.
 */
final class Mixed implements Workload {
    private static final int BASE_FILES = 100;
    private static final int PREAD_BYTES = 64 << 10;

    private enum Kind {
        PREAD(50),
        WRITE(20),
        READ(20),
        STATUS(10);

        private final int percent;

        Kind(int percent) {
            this.percent = percent;
        }

        static Kind at(int percentile) {
            int upTo = 0;
            for (Kind kind : values()) {
                upTo += kind.percent;
                if (percentile < upTo) {
                    return kind;
                }
            }
            return STATUS;
        }
    }

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        SequentialFiles large = SequentialFiles.written(stage, policy, "mixed", 1);
        FilePath small = stage.path(policy, "mixed-base");
        for (int i = 0; i < BASE_FILES; i++) {
            SmallFiles.write(stage, small, i);
        }
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (int threads : stage.plan().threads(8)) {
                    run(stage, large, small, threads, number);
                }
            }

            @Override
            public void end() throws Exception {
                large.delete();
                stage.delete(small);
            }
        };
    }

    private static void run(Stage stage, SequentialFiles large, FilePath small, int threads, int number)
            throws Exception {
        Policy policy = large.policy();
        stage.doing("mixed " + policy + ", " + threads + " threads, repetition " + number);
        long before = stage.stored();
        FilePath written = stage.path(policy, "mixed-" + threads + "-" + number);
        Mix mix = new Mix(stage, large, small, written, threads, number, latencies(threads));
        Measured<Latencies> part = stage.measure(mix::run);
        stage.rate("mixed", "ops/s", Stage.what(policy, number, threads), part, mix.bytes());
        mix.byKind().forEach((kind, latencies) -> {
            Map<String, Object> what = Stage.what(policy, number, threads);
            what.putAll(latencies.params());
            stage.figure(
                    "mixed_" + kind.name().toLowerCase(Locale.ROOT),
                    latencies.count() / part.cost().seconds(),
                    "ops/s",
                    what);
        });
        if (mix.count(Kind.WRITE) > 0) {
            stage.delete(written);
            stage.drain(before);
        }
    }

    private static Map<Kind, Latencies> latencies(int threads) {
        Map<Kind, Latencies> byKind = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            byKind.put(kind, new Latencies(threads));
        }
        return byKind;
    }

    /** The work of one repetition. */
    private record Mix(
            Stage stage,
            SequentialFiles large,
            FilePath small,
            FilePath written,
            int threads,
            int number,
            Map<Kind, Latencies> byKind) {
        /** Of all operations, whatever their kind. */
        Latencies run() throws Exception {
            Latencies all = new Latencies(threads);
            stage.crew().run(threads, t -> work(t, all));
            return all;
        }

        private void work(int thread, Latencies all) throws Exception {
            SplittableRandom random = new SplittableRandom(number * 1000L + thread);
            FileReader reader = Await.result(stage.client().open(large.path(0)));
            ByteBuffer buffer = ByteBuffer.wrap(new byte[preadBytes()]);
            long now = System.nanoTime();
            long end = now + (long) (stage.plan().seconds() * 1e9);
            for (int next = thread; now < end; next += threads) {
                Kind kind = Kind.at(random.nextInt(100));
                switch (kind) {
                    case PREAD -> {
                        buffer.clear();
                        BenchFiles.readFully(
                                reader, RandomReads.place(random, large.bytesOfOne(), buffer.capacity()), buffer);
                    }
                    case WRITE -> SmallFiles.write(stage, written, next);
                    case READ -> SmallFiles.read(stage, small, random.nextInt(BASE_FILES), true);
                    case STATUS -> Await.result(stage.client().status(large.path(0)));
                }
                long done = System.nanoTime();
                all.record(thread, done - now);
                byKind.get(kind).record(thread, done - now);
                now = done;
            }
        }

        private int preadBytes() {
            return (int) Math.min(PREAD_BYTES, large.bytesOfOne());
        }

        /** User data that was read or written. */
        long bytes() {
            return count(Kind.PREAD) * preadBytes()
                    + (long) ((count(Kind.READ) + count(Kind.WRITE))
                            * stage.plan().small().mean());
        }

        long count(Kind kind) {
            return byKind.get(kind).count();
        }
    }
}
