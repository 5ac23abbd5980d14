package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of processes, killed with SIGKILL. The tests share it, since starting nine JVMs is most of the time, and go
 * from the smaller loss to the larger.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KilledProcessesTest {
    private static final int CELL = 64 << 10;
    private static final int STRIPE = 3 * CELL;
    private static final int DATANODES = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path directory;

    private static EcfsClient client;

    @BeforeAll
    static void up() throws IOException {
        start("--namenodes", "3", "--datanodes", "" + DATANODES, "--policy", "rs-3-2-64k");
        client = client();
    }

    /** A client that needs the datanodes: chunks that it read from their files would outlive them. */
    private static EcfsClient client(String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("local.on=false");
        return TestCluster.client(uri(), all.toArray(String[]::new));
    }

    @AfterAll
    static void everythingEnds() throws IOException {
        List<Long> pids = pids();
        client.close();
        Ecfs.run("down", "--dir", directory.toString()).well();
        assertThat(pids.stream().filter(KilledProcessesTest::alive)).isEmpty();
        assertThat(directory.resolve("cluster.json")).doesNotExist();
        for (Path log : logs()) {
            // Ratis calls it an error that a heartbeat reaches a namenode which is ending.
            assertThat(Files.readAllLines(log).stream()
                            .filter(l -> l.contains(" ERROR ") && !l.contains("Failed appendEntries*")))
                    .as(log.toString())
                    .isEmpty();
        }
    }

    @Test
    @Order(0)
    void aStoppedProcessFailsNoReadAndNoWrite() throws IOException, InterruptedException {
        byte[] file = Pattern.bytes(4, 30 * STRIPE + 55);
        // Patiently, until all have compiled what they need: with a second one that seems to stall, too few are left.
        TestCluster.write(client, "/before", file);
        try (EcfsClient hasty = client("callTimeout=10m", "lateAfter=1s", "stallAfter=3s", "suspicion=2s")) {
            try (EcfsOutputStream out =
                    Await.result(hasty.create(new FilePath("/meanwhile"), CreateOptions.defaults()))) {
                out.write(file, 0, 5 * STRIPE);
                signal("STOP", "dn1");
                out.write(file, 5 * STRIPE, file.length - 5 * STRIPE);
            }
            assertThat(TestCluster.read(hasty, "/before")).isEqualTo(file);
            assertThat(TestCluster.read(hasty, "/meanwhile")).isEqualTo(file);
            TestCluster.write(hasty, "/new", file);
            assertThat(TestCluster.read(hasty, "/new")).isEqualTo(file);
        } finally {
            signal("CONT", "dn1");
        }
        for (String path : List.of("/before", "/meanwhile", "/new")) {
            Await.result(client.delete(new FilePath(path), false));
        }
        awaitAllHealthy();
    }

    @Test
    @Order(1)
    void aRelayedWriteGoesOnWhenItsMasterIsKilled() throws IOException {
        byte[] file = Pattern.bytes(6, 40 * STRIPE + 77);
        FilePath path = new FilePath("/relayed");
        String master = "dn0"; // every datanode has a chunk of every group
        try (EcfsClient thin = client("encode=master", "master=" + master)) {
            try (EcfsOutputStream out = Await.result(thin.create(path, CreateOptions.defaults()))) {
                out.write(file, 0, 6 * STRIPE);
                out.hflush();
                out.write(file, 6 * STRIPE, 6 * STRIPE); // some of it is under way
                kill(master);
                out.write(file, 12 * STRIPE, file.length - 12 * STRIPE);
            }
            assertThat(thin.relayFallbacks()).isNotEmpty();
            assertThat(thin.writeTimes()).anyMatch(share -> share.side() == WriteSide.MASTER && share.stripes() > 0);
            assertThat(TestCluster.read(thin, path.text())).isEqualTo(file);
        }
        Ecfs.run("up", "--dir", directory.toString(), "--only", master).well();
        awaitAllHealthy();
        Await.result(client.delete(path, false));
    }

    @Test
    @Order(1)
    void aFileIsReadWithTwoDatanodesKilledAndNotWithThree() throws IOException {
        byte[] file = Pattern.bytes(1, 4 * STRIPE + 100_001);
        TestCluster.write(client, "/survivor", file);
        kill("dn0", "dn3");
        assertThat(TestCluster.read(client, "/survivor")).isEqualTo(file);
        kill("dn2");
        assertThatThrownBy(() -> TestCluster.read(client, "/survivor"))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.GROUP_UNREADABLE))
                .hasMessageContaining("2 of 5 chunks live, 3 needed");
        for (String id : List.of("dn0", "dn2", "dn3")) {
            Ecfs.run("up", "--dir", directory.toString(), "--only", id).well();
        }
        awaitAllHealthy();
        assertThat(TestCluster.read(client, "/survivor")).isEqualTo(file);
    }

    @Test
    @Order(2)
    void aPutGoesOnAndEndsOnceWhenTheLeaderIsKilledInItsMiddle()
            throws IOException, ExecutionException, InterruptedException, TimeoutException {
        byte[] file = Pattern.bytes(2, 20 * STRIPE + 4097);
        PipedInputStream in = new PipedInputStream(1 << 20);
        CompletableFuture<Ecfs> put = new CompletableFuture<>();
        Thread shell = new Thread(
                () -> put.complete(Ecfs.run(
                        in, "fs", "--cluster", uri(), "-D", "fs.ecfs.client.leaseRenewal=1s", "-put", "-", "/put")),
                "put");
        shell.start();
        String leader;
        try (PipedOutputStream out = new PipedOutputStream(in)) {
            out.write(file, 0, 10 * STRIPE);
            await("the put has begun")
                    .atMost(PATIENCE)
                    .until(() -> Await.result(client.list(FilePath.ROOT, "", 100))
                            .toString()
                            .contains("_COPYING_"));
            leader = leader();
            kill(leader);
            out.write(file, 10 * STRIPE, file.length - 10 * STRIPE);
        }
        put.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).well();
        assertThat(TestCluster.read(client, "/put")).isEqualTo(file);
        assertThat(names()).containsExactlyInAnyOrder("survivor", "put");
        Ecfs.run("up", "--dir", directory.toString(), "--only", leader).well();
        await("the killed namenode is back")
                .atMost(PATIENCE)
                .until(() -> Await.result(client.admin().report()).namenodes().stream()
                        .allMatch(n -> n.appliedIndex() > 0));
    }

    /** A conversion that ends with its leader is asked for again. */
    @Test
    @Order(2)
    @Tag("soak")
    void aTreeIsConvertedWhileItIsUsedAndDaemonsAreKilled() throws IOException, InterruptedException {
        Policy target = Policy.parse("rs-2-1-64k");
        FilePath tree = new FilePath("/tree");
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            files.put("/tree/f" + i, Pattern.bytes(40 + i, (2 + 2 * i) * STRIPE + 4097 * i));
        }
        byte[] appended = files.get("/tree/f6");
        files.put("/tree/f6", Arrays.copyOf(appended, STRIPE));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            TestCluster.write(client, file.getKey(), file.getValue());
        }
        FileReader before = Await.result(client.open(new FilePath("/tree/f5")));
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Integer> reads = CompletableFuture.supplyAsync(() -> readOn(files, over));

        convert(tree, target);
        Await.result(client.rename(new FilePath("/tree/f7"), new FilePath("/tree/g"), false));
        Await.result(client.delete(new FilePath("/tree/f8"), false));
        kill("dn1");
        append("/tree/f6", appended, STRIPE, 2 * STRIPE);
        Ecfs.run("up", "--dir", directory.toString(), "--only", "dn1").well();
        convert(tree, target);
        String leader = leader();
        kill(leader);
        append("/tree/f6", appended, 2 * STRIPE, appended.length);
        Ecfs.run("up", "--dir", directory.toString(), "--only", leader).well();
        await("all is converted")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    if (Await.result(client.admin().conversions()).stream()
                            .allMatch(conversion -> conversion.state().ended())) {
                        convert(tree, target);
                    }
                    return Await.result(client.list(tree, "", 100)).entries().stream()
                            .allMatch(file -> file.policy().equals(target) && !file.open());
                });
        over.set(true);
        assertThat(Await.result(reads)).isPositive();

        byte[] seen = new byte[files.get("/tree/f5").length];
        Await.result(before.readLater(0, ByteBuffer.wrap(seen)));
        assertThat(seen).as("a file that was open before").isEqualTo(files.get("/tree/f5"));
        files.put("/tree/f6", appended);
        files.put("/tree/g", files.remove("/tree/f7"));
        files.remove("/tree/f8");
        assertThat(Await.result(client.list(tree, "", 100)).entries())
                .extracting(file -> file.path().text())
                .containsExactlyElementsOf(files.keySet());
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(TestCluster.read(client, file.getKey()))
                    .as(file.getKey())
                    .isEqualTo(file.getValue());
        }
        await("no rewrite is left")
                .atMost(PATIENCE)
                .until(() -> Await.result(client.admin().report()).groups().open() == 0);
        Await.result(client.delete(tree, true));
        awaitAllHealthy();
    }

    /** Begins a conversion, unless one goes on or too few datanodes are there. */
    private static void convert(FilePath tree, Policy target) throws IOException {
        try {
            Await.result(client.admin().convert(tree, target, false));
        } catch (EcfsException e) {
            assertThat(e.code())
                    .as(e.getMessage())
                    .isIn(ErrorCode.ALREADY_EXISTS, ErrorCode.INVALID_ARGUMENT, ErrorCode.SAFE_MODE);
        }
    }

    private static void append(String path, byte[] bytes, int from, int to) throws IOException {
        try (EcfsOutputStream out = Await.result(client.append(new FilePath(path), false))) {
            out.write(bytes, from, to - from);
        }
    }

    /** Reads files that nobody changes, one after the other; returns how often. */
    private static int readOn(Map<String, byte[]> files, AtomicBoolean over) {
        int reads = 0;
        while (!over.get()) {
            String path = "/tree/f" + reads % 6;
            try {
                assertThat(TestCluster.read(client, path)).as(path).isEqualTo(files.get(path));
            } catch (IOException e) {
                throw new AssertionError(path + " cannot be read while it is converted", e);
            }
            reads++;
        }
        return reads;
    }

    /** Writes at random places, each of up to two stripes; put into the bytes that the file is to have, too. */
    private static List<CompletableFuture<Void>> update(UpdatableFile file, byte[] expected, Random random) {
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            byte[] data = new byte[1 + random.nextInt(2 * STRIPE)];
            random.nextBytes(data);
            int position = random.nextInt(expected.length - data.length);
            System.arraycopy(data, 0, expected, position, data.length);
            written.add(file.write(position, ByteBuffer.wrap(data)));
        }
        return written;
    }

    @Test
    @Order(2)
    @Tag("soak")
    void acknowledgedUpdatesAreThereAfterKills() throws IOException {
        byte[] expected = Pattern.bytes(40, 20 * STRIPE + 1);
        Random random = new Random(40);
        FilePath path = new FilePath("/image");
        TestCluster.write(client, path.text(), expected);
        UpdatableFile file =
                Await.result(client.update(path, UpdateOptions.defaults().synced(true)));
        for (String victim : List.of("dn0", leader(), "dn3")) {
            List<CompletableFuture<Void>> written = update(file, expected, random);
            kill(victim);
            Await.result(CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)));
            assertThat(TestCluster.read(client, path.text())).as(victim).isEqualTo(expected);
            Ecfs.run("up", "--dir", directory.toString(), "--only", victim).well();
            awaitAllHealthy();
        }
        kill(ids().toArray(String[]::new));
        client.close();
        start();
        client = client();
        await("the lease of the lost updater ends").atMost(PATIENCE).until(() -> {
            try (UpdatableFile again = Await.result(client.update(path, UpdateOptions.defaults()))) {
                ByteBuffer bytes = ByteBuffer.allocate((int) again.length());
                Await.result(again.read(0, bytes));
                assertThat(bytes.array()).isEqualTo(expected);
                return true;
            } catch (EcfsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT);
                return false;
            }
        });
        assertThat(TestCluster.read(client, path.text())).isEqualTo(expected);
        Await.result(client.delete(path, false));
    }

    @Test
    @Order(3)
    void acknowledgedFilesAreWholeAfterAllProcessesWereKilled() throws IOException {
        Map<String, byte[]> acknowledged = new LinkedHashMap<>();
        for (int i = 0; i < 6; i++) {
            byte[] file = Pattern.bytes(10 + i, i * STRIPE + 5_001 * i);
            TestCluster.write(client, "/done" + i, file);
            acknowledged.put("/done" + i, file);
        }
        Map<String, byte[]> torn = new LinkedHashMap<>();
        List<EcfsOutputStream> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            byte[] file = Pattern.bytes(20 + i, 12 * STRIPE + 777);
            EcfsOutputStream out = Await.result(client.create(new FilePath("/torn" + i), CreateOptions.defaults()));
            out.write(file, 0, i * 4 * STRIPE + 100);
            open.add(out);
            torn.put("/torn" + i, file);
        }
        kill(ids().toArray(String[]::new));
        client.close();
        for (EcfsOutputStream out : open) {
            assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        }

        start();
        client = client();
        for (Map.Entry<String, byte[]> file : acknowledged.entrySet()) {
            assertThat(TestCluster.read(client, file.getKey()))
                    .as(file.getKey())
                    .isEqualTo(file.getValue());
        }
        for (Map.Entry<String, byte[]> file : torn.entrySet()) {
            await(file.getKey() + " is closed by recovery")
                    .atMost(PATIENCE)
                    .until(() -> !status(file.getKey()).open());
            byte[] got = TestCluster.read(client, file.getKey());
            assertThat((long) got.length).isEqualTo(status(file.getKey()).length());
            assertThat(got).as(file.getKey()).isEqualTo(Arrays.copyOf(file.getValue(), got.length));
        }
        await("only chunks of files lie on the disks")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(onDisk()).isEqualTo(inLayouts()));
    }

    private static FileStatus status(String path) throws IOException {
        return Await.result(client.status(new FilePath(path)));
    }

    private static List<String> names() throws IOException {
        return Await.result(client.list(FilePath.ROOT, "", 100)).entries().stream()
                .map(e -> e.path().name())
                .toList();
    }

    private static Set<String> onDisk() throws IOException {
        Set<String> files = new TreeSet<>();
        for (Path file : TestCluster.chunkFiles(directory)) {
            files.add(file.toString().replaceFirst("\\.(data|sum)$", ""));
        }
        return files;
    }

    private static Set<String> inLayouts() throws IOException {
        Set<String> files = new TreeSet<>();
        for (String name : names()) {
            JsonNode layout = Ecfs.run("admin", "layout", "--cluster", uri(), "/" + name, "--json")
                    .well()
                    .json();
            for (JsonNode group : layout.get("groups")) {
                group.get("chunks")
                        .forEach(c -> files.add(c.get("file").asText().replaceFirst("\\.data$", "")));
            }
        }
        return files;
    }

    /** Waits until all groups are whole and every datanode is heard, so that the next file gets all its chunks. */
    private static void awaitAllHealthy() {
        await("all groups and datanodes are healthy").atMost(PATIENCE).until(() -> {
            ClusterReport report = Await.result(client.admin().report());
            return report.groups().degraded() == 0
                    && report.groups().lost() == 0
                    && report.datanodes().stream().allMatch(d -> d.state() == ClusterReport.DatanodeState.HEALTHY);
        });
    }

    private static String leader() throws IOException {
        return Await.result(client.admin().report()).namenodes().stream()
                .filter(n -> n.role() == ClusterReport.Role.LEADER)
                .findFirst()
                .orElseThrow()
                .id();
    }

    private static void start(String... shape) {
        List<String> arguments = new ArrayList<>(
                List.of("up", "--dir", directory.toString(), "--processes", "--detach", "--no-console"));
        arguments.addAll(List.of(shape));
        TestCluster.shortTimes().forEach(o -> arguments.addAll(List.of("-D", o)));
        Ecfs.run(arguments.toArray(String[]::new)).well();
    }

    private static JsonNode clusterFile() {
        try {
            return new ObjectMapper().readTree(directory.resolve("cluster.json").toFile());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String uri() {
        return clusterFile().get("uri").asText();
    }

    private static List<String> ids() {
        List<String> ids = new ArrayList<>();
        clusterFile().get("daemons").forEach(d -> ids.add(d.get("id").asText()));
        return ids;
    }

    private static List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        clusterFile().get("daemons").forEach(d -> pids.add(d.get("pid").asLong()));
        return pids;
    }

    /** SIGKILL to all of them, then waits until they are gone. */
    private static void kill(String... ids) {
        List<Long> pids = new ArrayList<>();
        for (JsonNode daemon : clusterFile().get("daemons")) {
            if (List.of(ids).contains(daemon.get("id").asText())) {
                pids.add(daemon.get("pid").asLong());
            }
        }
        assertThat(pids).hasSize(ids.length);
        pids.forEach(pid -> ProcessHandle.of(pid).orElseThrow().destroyForcibly());
        await("they are dead").atMost(PATIENCE).until(() -> pids.stream().noneMatch(KilledProcessesTest::alive));
    }

    private static void signal(String signal, String id) throws IOException, InterruptedException {
        for (JsonNode daemon : clusterFile().get("daemons")) {
            if (daemon.get("id").asText().equals(id)) {
                Process kill = new ProcessBuilder(
                                "kill", "-" + signal, daemon.get("pid").asText())
                        .inheritIO()
                        .start();
                assertThat(kill.waitFor()).isZero();
                return;
            }
        }
        throw new AssertionError("no daemon " + id);
    }

    private static boolean alive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private static List<Path> logs() throws IOException {
        try (var files = Files.list(directory.resolve("logs"))) {
            return files.toList();
        }
    }
}
