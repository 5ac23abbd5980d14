package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Write-ahead logs on an erasure-coded directory: writers hsync records of random sizes, every process is killed with SIGKILL, up to m
 * datanodes do not come back, and every record that was acknowledged is there, whole and in order. {@code -Decfs.hsync.rounds=1000} for
 * many rounds, {@code -Decfs.hsync.seed} for others.
 */
class HsyncCrashTest {
    private static final int ROUNDS = Integer.getInteger("ecfs.hsync.rounds", 2);
    private static final long SEED = Long.getLong("ecfs.hsync.seed", 1);
    private static final int DATANODES = 6;
    private static final int LOSSES = 2;
    private static final int WRITERS = 3;
    private static final int MOST_BYTES = 4 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    /** One write-ahead log; written by its thread, looked at when that has ended. */
    private final class Writer extends Thread {
        final String path;
        final byte[] bytes;
        final Random random;
        final CountDownLatch begun = new CountDownLatch(1);
        volatile int acknowledged;
        volatile int written;

        Writer(int round, int number) {
            super("wal-" + round + "-" + number);
            path = "/wal-" + round + "-" + number;
            bytes = Pattern.bytes(round * 100L + number, MOST_BYTES);
            random = new Random(SEED * 1_000_003 + round * 100L + number);
        }

        @Override
        public void run() {
            try (EcfsClient client =
                            TestCluster.client(uri(), "local.on=false", "namenodeDeadline=2s", "callTimeout=5s");
                    EcfsOutputStream out = Await.result(client.create(new FilePath(path), CreateOptions.defaults()))) {
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
                begun.countDown(); // killed, as it should be
            }
        }
    }

    @Test
    void everyRecordThatWasAcknowledgedIsThereAfterEverythingWasKilled() throws IOException, InterruptedException {
        Random random = new Random(SEED);
        up("--namenodes", "1", "--datanodes", "" + DATANODES, "--policy", "rs-3-2-64k");
        try {
            for (int round = 0; round < ROUNDS; round++) {
                round(round, random);
            }
        } finally {
            Ecfs.run("down", "--dir", directory.toString());
        }
    }

    private void round(int round, Random random) throws IOException, InterruptedException {
        List<Writer> writers = new ArrayList<>();
        for (int number = 0; number < WRITERS; number++) {
            writers.add(new Writer(round, number));
        }
        writers.forEach(Thread::start);
        for (Writer writer : writers) {
            assertThat(writer.begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        new CountDownLatch(1).await(random.nextInt(1500), TimeUnit.MILLISECONDS);
        killAll();
        for (Writer writer : writers) {
            writer.join(PATIENCE.toMillis());
            assertThat(writer.isAlive()).as(writer.getName()).isFalse();
        }
        List<String> datanodes = new ArrayList<>();
        for (int i = 0; i < DATANODES; i++) {
            datanodes.add("dn" + i);
        }
        Collections.shuffle(datanodes, random);
        int lost = random.nextInt(LOSSES + 1);
        String what = "seed " + SEED + ", round " + round + ", without " + datanodes.subList(0, lost);
        List<String> up = new ArrayList<>(datanodes.subList(lost, DATANODES));
        up.add("nn0");
        for (String id : up) {
            Ecfs.run("up", "--dir", directory.toString(), "--only", id).well();
        }
        try (EcfsClient client = TestCluster.client(uri(), "local.on=false")) {
            for (Writer writer : writers) {
                check(client, writer, what);
            }
        }
        for (String id : datanodes.subList(0, lost)) {
            Ecfs.run("up", "--dir", directory.toString(), "--only", id).well();
        }
    }

    private void check(EcfsClient client, Writer writer, String what) throws IOException {
        FilePath path = new FilePath(writer.path);
        await(path + " is closed: " + what)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> Await.result(client.recoverLease(path)));
        byte[] found = TestCluster.read(client, writer.path);
        System.out.printf(
                "%s: %s has %d bytes, %d acknowledged, %d written%n",
                what, path, found.length, writer.acknowledged, writer.written);
        assertThat(found.length).as("%s of %s", what, path).isBetween(writer.acknowledged, writer.written);
        assertThat(found).as("%s of %s", what, path).isEqualTo(Arrays.copyOf(writer.bytes, found.length));
        assertThat(Await.result(client.status(path)).length()).isEqualTo(found.length);
        Await.result(client.delete(path, false));
    }

    private void up(String... shape) {
        List<String> arguments =
                new ArrayList<>(List.of("up", "--dir", directory.toString(), "--processes", "--detach"));
        arguments.addAll(List.of(shape));
        TestCluster.shortTimes().forEach(o -> arguments.addAll(List.of("-D", o)));
        Ecfs.run(arguments.toArray(String[]::new)).well();
    }

    private JsonNode clusterFile() {
        try {
            return new ObjectMapper().readTree(directory.resolve("cluster.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String uri() {
        return clusterFile().get("uri").asText();
    }

    private void killAll() {
        List<ProcessHandle> processes = new ArrayList<>();
        clusterFile()
                .get("daemons")
                .forEach(d -> ProcessHandle.of(d.get("pid").asLong()).ifPresent(processes::add));
        processes.forEach(ProcessHandle::destroyForcibly);
        await("they are dead").atMost(PATIENCE).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }
}
