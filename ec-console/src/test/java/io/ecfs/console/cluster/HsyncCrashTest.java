package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Write-ahead logs on an erasure-coded directory: writers hsync records of random sizes, every daemon is killed with
 * SIGKILL, up to m datanodes do not come back, and every record that was acknowledged is there, whole and in order. A
 * round is the death of one cluster. {@code -Decfs.hsync.rounds=1000} for many, {@code -Decfs.hsync.clusters} for more
 * of them in the process that dies, {@code -Decfs.hsync.writers} for more of them, {@code -Decfs.hsync.seed} for
 * others. The writers live in the test, which knows what they were told; they are cut off when the daemons die.
 */
class HsyncCrashTest {
    private static final int ROUNDS = Integer.getInteger("ecfs.hsync.rounds", 2);
    private static final int CLUSTERS = Integer.getInteger("ecfs.hsync.clusters", 2);
    private static final int ROUNDS_OF_PROCESSES = 1;
    private static final long SEED = Long.getLong("ecfs.hsync.seed", 1);
    private static final int DATANODES = 6;
    private static final int LOSSES = 2;
    private static final String POLICY = "rs-3-2-64k";

    /** One writer for each: long stripes, stripes that are full after a few records, and mirrors. */
    private static final List<String> POLICIES = List.of(POLICY, "rs-3-2-4k", "replication-3");

    private static final int WRITERS = Integer.getInteger("ecfs.hsync.writers", POLICIES.size());
    private static final int MOST_BYTES = 4 << 20;
    private static final int LONGEST_LIFE_MILLIS = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    /** One write-ahead log; written by its thread, looked at when that has ended. */
    private static final class Writer extends Thread {
        final String path;
        final byte[] bytes;
        final EcfsClient client;
        final CreateOptions options;
        final Random random;
        final CountDownLatch begun = new CountDownLatch(1);
        volatile int acknowledged;
        volatile int written;
        volatile String end = "";

        Writer(EcfsClient client, int round, int number) {
            super("wal-" + round + "-" + number);
            this.client = client;
            path = "/wal-" + round + "-" + number;
            bytes = Pattern.bytes(round * 100L + number, MOST_BYTES);
            options = CreateOptions.defaults().withPolicy(Policy.parse(POLICIES.get(number % POLICIES.size())));
            random = new Random(SEED * 1_000_003 + round * 100L + number);
        }

        @Override
        public void run() {
            try (EcfsOutputStream out = Await.result(client.create(new FilePath(path), options))) {
                while (written < MOST_BYTES) {
                    int most = switch (random.nextInt(4)) {
                        case 0 -> 200_000;
                        case 1 -> 10_000;
                        default -> 600;
                    };
                    int length = Math.min(MOST_BYTES - written, 1 + random.nextInt(most));
                    int end = written + length;
                    written = end;
                    out.write(bytes, end - length, length);
                    out.hsync();
                    acknowledged = end;
                    begun.countDown();
                }
            } catch (IOException e) {
                end = e.getMessage();
                begun.countDown(); // killed, as it should be
            }
        }
    }

    @Test
    void acknowledgedRecordsSurviveTheKillOfAllProcesses() throws IOException, InterruptedException {
        List<DoomedCluster> clusters = DoomedCluster.InSharedJvm.start(directory, POLICY, DATANODES, CLUSTERS);
        try {
            deaths(clusters, (ROUNDS + CLUSTERS - 1) / CLUSTERS);
        } finally {
            clusters.get(0).close();
        }
    }

    @Tag("soak")
    @Test
    void acknowledgedRecordsSurviveTheKillOfEachProcess() throws IOException, InterruptedException {
        try (DoomedCluster cluster = DoomedCluster.ProcessEach.start(directory, POLICY, DATANODES)) {
            deaths(List.of(cluster), ROUNDS_OF_PROCESSES);
        }
    }

    /** All clusters die together; each goes through a round of its own. */
    private static void deaths(List<DoomedCluster> clusters, int deaths) throws IOException, InterruptedException {
        Random random = new Random(SEED);
        ExecutorService threads = Executors.newFixedThreadPool(clusters.size());
        try {
            for (DoomedCluster cluster : clusters) {
                try (EcfsClient client = TestCluster.client(cluster.uri(), "local.on=false")) {
                    awaitAll(cluster, client, "before round 0");
                }
            }
            for (int death = 0; death < deaths; death++) {
                List<List<Writer>> writers = writeUntilKilled(clusters, death * clusters.size(), random);
                List<Future<?>> rounds = new ArrayList<>();
                for (int number = 0; number < clusters.size(); number++) {
                    DoomedCluster cluster = clusters.get(number);
                    List<Writer> wrote = writers.get(number);
                    int round = death * clusters.size() + number;
                    Random luck = new Random(random.nextLong());
                    rounds.add(threads.submit(() -> {
                        comeBack(cluster, round, wrote, luck);
                        return null;
                    }));
                }
                for (Future<?> round : rounds) {
                    round.get();
                }
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static void comeBack(DoomedCluster cluster, int round, List<Writer> writers, Random random)
            throws IOException {
        List<String> datanodes = new ArrayList<>(DoomedCluster.datanodes(DATANODES));
        Collections.shuffle(datanodes, random);
        int lost = random.nextInt(LOSSES + 1);
        String what = "seed " + SEED + ", round " + round + ", without " + datanodes.subList(0, lost);
        List<String> up = new ArrayList<>(datanodes.subList(lost, DATANODES));
        up.add(DoomedCluster.NAMENODE);
        cluster.start(up);
        try (EcfsClient client = TestCluster.client(cluster.uri(), "local.on=false")) {
            awaitClosed(cluster, client, writers, what);
            for (Writer writer : writers) {
                check(client, writer, what);
            }
            cluster.start(datanodes.subList(0, lost));
            awaitAll(cluster, client, what);
        }
    }

    private static List<List<Writer>> writeUntilKilled(List<DoomedCluster> clusters, int firstRound, Random random)
            throws IOException, InterruptedException {
        List<List<Writer>> writers = new ArrayList<>();
        List<EcfsClient> clients = new ArrayList<>();
        try {
            for (DoomedCluster cluster : clusters) {
                EcfsClient client = TestCluster.client(cluster.uri(), "local.on=false");
                clients.add(client);
                int round = firstRound + writers.size();
                writers.add(IntStream.range(0, WRITERS)
                        .mapToObj(number -> new Writer(client, round, number))
                        .toList());
            }
            writers.forEach(some -> some.forEach(Thread::start));
            for (List<Writer> some : writers) {
                for (Writer writer : some) {
                    assertThat(writer.begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .as("%s has synced or failed", writer.getName())
                            .isTrue();
                }
                assertThat(some.stream().mapToInt(writer -> writer.acknowledged).sum())
                        .as(
                                "bytes that writers could have acknowledged who ended with %s",
                                some.stream().map(writer -> writer.end).toList())
                        .isPositive();
            }
            new CountDownLatch(1).await(random.nextInt(LONGEST_LIFE_MILLIS), TimeUnit.MILLISECONDS);
            for (DoomedCluster cluster : clusters) {
                cluster.kill();
            }
        } finally {
            clients.forEach(EcfsClient::close);
        }
        for (List<Writer> some : writers) {
            for (Writer writer : some) {
                writer.join(PATIENCE.toMillis());
                assertThat(writer.isAlive()).as(writer.getName()).isFalse();
            }
        }
        return writers;
    }

    private static void awaitClosed(DoomedCluster cluster, EcfsClient client, List<Writer> writers, String what) {
        List<String> open = new ArrayList<>();
        try {
            await("all files are closed: " + what)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        open.clear();
                        for (Writer writer : writers) {
                            recover(client, writer).ifPresent(open::add);
                        }
                        return open.isEmpty();
                    });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + ": still open: " + open + "\n" + cluster.lastWords(), e);
        }
    }

    /** Why it is still open. */
    private static Optional<String> recover(EcfsClient client, Writer writer) {
        try {
            return Await.result(client.recoverLease(new FilePath(writer.path)))
                    ? Optional.empty()
                    : Optional.of(writer.path + " in recovery");
        } catch (IOException e) {
            return Optional.of(writer.path + " " + e.getMessage());
        }
    }

    private static void check(EcfsClient client, Writer writer, String what) throws IOException {
        FilePath path = new FilePath(writer.path);
        byte[] found = TestCluster.read(client, writer.path);
        System.out.printf(
                "%s: %s has %d bytes, %d acknowledged, %d written%n",
                what, path, found.length, writer.acknowledged, writer.written);
        assertThat(found.length).as("%s of %s", what, path).isBetween(writer.acknowledged, writer.written);
        assertThat(found).as("%s of %s", what, path).isEqualTo(Arrays.copyOf(writer.bytes, found.length));
        assertThat(Await.result(client.status(path)).length()).isEqualTo(found.length);
        Await.result(client.delete(path, false));
    }

    private static void awaitAll(DoomedCluster cluster, EcfsClient client, String what) {
        try {
            await("all datanodes are back: " + what)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .ignoreExceptions()
                    .until(() -> Await.result(client.admin().report()).datanodes().stream()
                                    .filter(d -> d.state() == ClusterReport.DatanodeState.HEALTHY)
                                    .count()
                            == DATANODES);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + "\n" + cluster.lastWords(), e);
        }
    }
}
