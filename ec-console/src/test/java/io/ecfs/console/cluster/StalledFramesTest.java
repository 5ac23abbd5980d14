package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.bench.meter.Daemon;
import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.system.Target;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.env.real.Poller;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand connections that announce 16 MiB and send a byte a minute, beside a cluster at work (hole A9 of
 * docs/security.md): no datanode misses heartbeats, no call of another user fails, memory stays within its bounds. What
 * calls cost with and without, in turns, is printed: {@code ./ecfs test StalledFramesTest} with {@code --all}.
 */
@Tag("soak")
class StalledFramesTest {
    private static final int CONNECTIONS = 1000;
    private static final int DATANODES = 5;
    private static final int FILE_BYTES = 32 << 20;
    private static final int READ_BYTES = 64 << 10;
    private static final int THREADS = 2;
    private static final int REPETITIONS = Integer.getInteger("ecfs.stalled.repetitions", 3);
    private static final long NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger("ecfs.stalled.seconds", 10));
    /** One user's quarter of the memory for requests and the the frames of daemons. */
    private static final long MOST_HELD_BYTES = (128L << 20) + (64L << 20);

    private static final Duration BETWEEN_REPORTS = Duration.ofMillis(500);
    private static final FilePath FILE = new FilePath("/read");

    @TempDir
    private Path directory;

    /** How long reads and calls of metadata took, in nanoseconds. */
    private record Times(Histogram reads, Histogram calls) {
        static Times none() {
            return new Times(new Histogram(3), new Histogram(3));
        }

        void add(Times other) {
            reads.add(other.reads);
            calls.add(other.calls);
        }
    }

    @Test
    void aThousandStalledConnectionsStopNobodyElse() throws Exception {
        try (DoomedCluster cluster = DoomedCluster.ProcessEach.start(directory, "rs-3-2-64k", DATANODES);
                EcfsClient client = TestCluster.client(cluster.uri(), "local.on=false")) {
            write(client);
            List<Daemon> daemons = Target.daemons(client);
            List<Address> addresses = daemons.stream().map(Daemon::address).toList();
            work(client); // warm
            Times alone = Times.none();
            Times beside = Times.none();
            long closed = 0;
            try (MemoryWatch memory = new MemoryWatch(daemons)) {
                for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                    alone.add(work(client));
                    try (StalledPeers attack = new StalledPeers(addresses, CONNECTIONS)) {
                        await("the attack to begin")
                                .atMost(TestCluster.PATIENCE)
                                .until(() -> attack.open() >= CONNECTIONS * 9 / 10);
                        beside.add(work(client));
                        assertThat(memory.requestBytes().values())
                                .as("memory for requests of each daemon, %s", memory.requestBytes())
                                .allMatch(bytes -> bytes < MOST_HELD_BYTES);
                        closed += attack.closedByDaemons();
                    }
                }
                memory.worst()
                        .values()
                        .forEach(worst -> assertThat(worst.directBytes())
                                .as("direct memory, %s", worst)
                                .isLessThanOrEqualTo(worst.directLimitBytes()));
                System.out.println("memory " + memory.worst());
            }
            assertThat(closed).as("stalled connections that daemons closed").isPositive();
            print("read", alone.reads, beside.reads);
            print("status", alone.calls, beside.calls);
        }
    }

    private static void write(EcfsClient client) throws IOException {
        try (EcfsOutputStream out = Await.result(client.create(FILE, CreateOptions.defaults()))) {
            out.write(Pattern.bytes(1, FILE_BYTES), 0, FILE_BYTES);
        }
    }

    /** Reads and asks for as long as a part takes; no call may fail, and no datanode may be suspected. */
    private static Times work(EcfsClient client) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            long end = System.nanoTime() + NANOS;
            List<Callable<Times>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int seed = thread;
                all.add(() -> reads(client, new Random(seed), end));
                all.add(() -> calls(client, end));
            }
            all.add(() -> heartbeats(client, end));
            Times times = Times.none();
            for (Future<Times> done : threads.invokeAll(all)) {
                times.add(done.get());
            }
            return times;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Times reads(EcfsClient client, Random random, long end) throws IOException {
        Times times = Times.none();
        FileReader reader = Await.result(client.open(FILE));
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        while (System.nanoTime() < end) {
            buffer.clear();
            long began = System.nanoTime();
            reader.read(random.nextInt(FILE_BYTES - READ_BYTES), buffer);
            times.reads.recordValue(System.nanoTime() - began);
            assertThat(buffer.hasRemaining()).isFalse();
        }
        return times;
    }

    private static Times calls(EcfsClient client, long end) throws IOException {
        Times times = Times.none();
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            assertThat(Await.result(client.status(FILE)).length()).isEqualTo(FILE_BYTES);
            times.calls.recordValue(System.nanoTime() - began);
        }
        return times;
    }

    private static Times heartbeats(EcfsClient client, long end) throws Exception {
        Set<String> silent = new HashSet<>();
        Poller poller = Poller.every(BETWEEN_REPORTS);
        while (System.nanoTime() < end) {
            ClusterReport report = Await.result(client.admin().report());
            report.datanodes().stream()
                    .filter(datanode -> datanode.state() != ClusterReport.DatanodeState.HEALTHY)
                    .forEach(datanode -> silent.add(datanode.id() + " " + datanode.state()));
            poller.pause();
        }
        assertThat(silent).as("datanodes that missed heartbeats").isEmpty();
        return Times.none();
    }

    private static void print(String what, Histogram alone, Histogram beside) {
        System.out.printf(
                "%s: alone p50 %d us p99 %d us (%d), beside the attack p50 %d us p99 %d us (%d): p99 ratio %.2f%n",
                what,
                alone.getValueAtPercentile(50) / 1000,
                alone.getValueAtPercentile(99) / 1000,
                alone.getTotalCount(),
                beside.getValueAtPercentile(50) / 1000,
                beside.getValueAtPercentile(99) / 1000,
                beside.getTotalCount(),
                beside.getValueAtPercentile(99) / (double) alone.getValueAtPercentile(99));
    }
}
