package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.torture.ChunkAudit;
import io.ecfs.torture.ClientWire;
import io.ecfs.torture.PathsBelow;
import io.ecfs.torture.Torture;
import io.ecfs.torture.WriteProof;
import io.ecfs.torture.check.HistoryCheck;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.driver.Faults;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.HistoryFile;
import io.ecfs.torture.load.LoadPlan;
import io.ecfs.torture.load.TortureLoad;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs torture}: what it does to a cluster, and what it refuses. */
class TortureTest {
    private static final Policy POLICY = Policy.parse("rs-2-1-64k");
    private static final int CALLS = 150;

    /** What is in it explains a failure. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    /** Its load and its checker, with no fault: what a cluster in good health does must be explained. */
    @Test
    void oneOrderExplainsWhatClientsSawOfAHealthyCluster() throws IOException, InterruptedException {
        ClusterPlan.Shape shape = new ClusterPlan.Shape(POLICY, 1, 3, 1, 1, 0);
        try (OwnCluster cluster = OwnCluster.start(
                        Optional.of(directory),
                        shape,
                        LocalCluster.Mode.ONE_PROCESS,
                        List.of(
                                "namenode.settings.leaseSoftLimit=5s",
                                "namenode.settings.leaseHardLimit=5s",
                                "namenode.settings.garbage.delay=0s"),
                        0,
                        (ready, of, waitingFor) -> {});
                EcfsClient client = Torture.observer(cluster.uri())) {
            Await.result(client.mkdirs(new FilePath("/torture"), 0755, true));
            Environment environment = RealEnvironment.open();
            Path calls = directory.resolve("calls");
            int[] left = {CALLS};
            LoadPlan plan = new LoadPlan(
                    cluster.uri(),
                    calls.resolve("client.jsonl"),
                    directory.resolve("drain"),
                    POLICY,
                    0,
                    4,
                    18,
                    environment.clock().nanos(),
                    Long.MAX_VALUE,
                    true);
            EcfsClient load =
                    EcfsClient.connect(ClusterUri.parse(cluster.uri()), plan.client(), Identity.ofThisProcess());
            new TortureLoad(plan, environment, load).run(() -> {
                synchronized (left) {
                    return left[0]-- <= 0;
                }
            });

            List<Call> history = HistoryFile.merge(calls);
            HistoryCheck.Result result = HistoryCheck.check(history, HistoryCheck.CONFIGURATIONS);

            assertThat(result.impossible()).isEmpty();
            assertThatGroupsAreCountedAsTheyAreNow(client);
            assertThatAWrongChunkIsFound(client);
            assertThatWhatNoCallNamesIsFound(client);
            assertThatWhatEndedIsSeenToHaveEnded(cluster, client);
            assertThat(history).extracting(call -> call.operation().call()).contains("create", "read", "rename");
        }
    }

    /** As after a rewrite that began during the audit, a group is gone and another one there. */
    private static void assertThatGroupsAreCountedAsTheyAreNow(EcfsClient client)
            throws IOException, InterruptedException {
        FilePath path = new FilePath("/torture/again");
        CreateOptions alone = CreateOptions.defaults().packed(false);
        try (EcfsOutputStream out = Await.result(client.create(path, alone))) {
            out.write(new byte[1000]);
        }
        try (ClientWire wire = ClientWire.open()) {
            ChunkAudit audit = new ChunkAudit(client, wire.caller());
            List<String> paths = PathsBelow.of(client, "/torture", 1000);
            assertThat(audit.run(paths)).isEmpty();
            try (EcfsOutputStream out = Await.result(client.create(path, alone.withOverwrite(true)))) {
                out.write(new byte[2000]);
            }

            assertThat(new ChunkAudit(client, wire.caller()).orphanGroups(paths, List.of(), TestCluster.PATIENCE))
                    .as("the group that was replaced is gone")
                    .isEmpty();
            assertThat(audit.orphanGroups(paths, List.of(), TestCluster.PATIENCE))
                    .isEmpty();
        }
    }

    private void assertThatAWrongChunkIsFound(EcfsClient client) throws IOException, InterruptedException {
        String path = "/torture/audited";
        try (EcfsOutputStream out = Await.result(client.create(new FilePath(path), CreateOptions.defaults()))) {
            out.write(new byte[3 * Math.toIntExact(POLICY.stripeBytes()) + 1000]);
        }
        try (ClientWire wire = ClientWire.open()) {
            ChunkAudit audit = new ChunkAudit(client, wire.caller());
            assertThat(audit.run(List.of(path))).isEmpty();
            assertThat(audit.groups()).as("groups that were encoded again").isPositive();
            assertThat(new ChunkAudit(client, wire.caller()).orphanGroups(List.of(), List.of(), Duration.ZERO))
                    .as("groups to which no path led")
                    .hasSize(1);

            for (Path chunk : chunks(client, new FilePath(path))) {
                flip(chunk);
            }
            assertThat(new ChunkAudit(client, wire.caller()).run(List.of(path))).isNotEmpty();
        }
    }

    /** Data files of one file's chunks; those of files that were deleted go meanwhile. */
    private List<Path> chunks(EcfsClient client, FilePath path) throws IOException {
        List<LocatedGroup> groups =
                Await.result(client.locate(path, 0, Integer.MAX_VALUE)).groups();
        assertThat(groups).isNotEmpty();
        return TestCluster.filesBelow(directory).stream()
                .filter(file -> file.toString().contains("/finalised/"))
                .filter(file -> groups.stream()
                        .anyMatch(group -> file.getFileName()
                                .toString()
                                .matches(group.group().value() + "\\.\\d+\\.\\d+\\.data")))
                .toList();
    }

    private static void assertThatWhatNoCallNamesIsFound(EcfsClient client) throws IOException {
        for (String directory : List.of("/listed/a/b", "/listed/c", "/listed/d")) {
            Await.result(client.mkdirs(new FilePath(directory), 0755, true));
        }
        Await.result(client.create(new FilePath("/listed/a/b/x"), CreateOptions.defaults()))
                .close();

        for (int page : List.of(1, 2, 1000)) {
            assertThat(PathsBelow.of(client, "/listed", page))
                    .containsExactlyInAnyOrder("/listed/a", "/listed/c", "/listed/d", "/listed/a/b", "/listed/a/b/x");
        }
    }

    /** Without datanodes no file can be written, and none be read, though its reader had read it before. */
    private void assertThatWhatEndedIsSeenToHaveEnded(OwnCluster cluster, EcfsClient observer) throws IOException {
        FilePath read = new FilePath("/torture/read");
        byte[] bytes = new byte[100_000];
        // With a group of its own, which is sealed: an open one is probed, and refused, when the file is opened.
        CreateOptions alone = CreateOptions.defaults().packed(false);
        try (EcfsOutputStream out = Await.result(observer.create(read, alone))) {
            out.write(bytes);
        }
        for (int time = 0; time < 5; time++) {
            Await.result(observer.open(read)).read(0, ByteBuffer.allocate(bytes.length));
        }
        ClientConfig soon = ClientConfig.defaults().with("callTimeout=2s", "namenodeDeadline=2s", "stallAfter=1s");
        try (EcfsClient client = EcfsClient.connect(ClusterUri.parse(cluster.uri()), soon, Identity.ofThisProcess())) {
            assertThat(new WriteProof(client, new FilePath("/torture/proof"), POLICY).run())
                    .isEmpty();

            cluster.plan().datanodes().forEach(datanode -> cluster.stop(datanode.id()));

            FileReader again = Await.result(observer.open(read));
            assertThatThrownBy(() -> again.read(0, ByteBuffer.allocate(bytes.length)))
                    .isInstanceOf(EcfsException.class);
            assertThat(new WriteProof(client, new FilePath("/torture/other"), POLICY).run())
                    .singleElement()
                    .asString()
                    .startsWith("no file can be written and read back any more: ");
        }
    }

    private static void flip(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void badOptionsAreOneLineAndStartNothing() {
        for (String[] bad : new String[][] {
            {"torture", "--faults", "earthquake"},
            {"torture", "--minutes", "0"},
            {"torture", "--seed", "x"},
            {"torture", "--shape", "pyramid"}
        }) {
            Ecfs run = Ecfs.run(bad);
            assertThat(run.code()).as(String.join(" ", bad)).isEqualTo(2);
        }
        assertThat(Ecfs.run("torture", "--faults", "earthquake").err())
                .startsWith("ecfs: no fault 'earthquake' for --shape processes; there are kill-datanode")
                .satisfies(err -> assertThat(err.lines()).hasSize(1));
    }

    @Test
    @Tag("soak")
    void aMinuteOfProcessesBeingKilledAndStoppedIsSurvived() {
        Ecfs run = Ecfs.run(
                        "torture",
                        "--seed",
                        "18",
                        "--minutes",
                        "1",
                        "--dir",
                        directory.toString(),
                        "--faults",
                        allBeginningWith(Shape.PROCESSES, "kill-datanode", "stop-leader"),
                        "--history",
                        directory.resolve("history.jsonl").toString())
                .well();

        assertThat(run.text()).contains("one order explains all answers", "kill-datanode", "stop-leader");
        assertThat(directory.resolve("history.jsonl.edn")).isNotEmptyFile();
    }

    @Test
    @Tag("soak")
    void aMinuteOfFailingDisksClocksAndLinksIsSurvived() {
        Ecfs run = Ecfs.run(
                        "torture",
                        "--shape",
                        "one",
                        "--seed",
                        "18",
                        "--minutes",
                        "1",
                        "--dir",
                        directory.toString(),
                        "--faults",
                        allBeginningWith(Shape.ONE, "lose-power", "cut-datanode"))
                .well();

        assertThat(run.text()).contains("one order explains all answers", "lose-power", "cut-datanode");
    }

    /** All faults of a shape; seed 18 injects two in the first round, however slow the machine is. */
    private static String allBeginningWith(Shape shape, String... first) {
        Stream<String> all = Faults.of(shape).stream().map(Fault::name);
        return Stream.concat(Stream.of(first), all).distinct().collect(Collectors.joining(","));
    }
}
