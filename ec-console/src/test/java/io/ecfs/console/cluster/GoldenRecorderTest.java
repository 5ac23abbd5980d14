package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.cluster.GoldenDirectory.Part;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Records the golden directory of the present commit and level in {@code ec-console/target/golden}. It gets into the
 * sources when a level is released, see docs/formats.md.
 */
@Tag("soak")
class GoldenRecorderTest {
    /** More entries than the second half of what is recorded takes: the log is not cut then. */
    private static final int CHECKPOINT_EVERY = 500;

    /** Its name gets into some of the files, so that it is a short one that says nothing of this machine. */
    private final Path directory =
            Path.of("/tmp/ecfs-golden-" + ProcessHandle.current().pid());

    private final Path stopped = directory.resolve("stopped");
    private final Path killed = directory.resolve("killed");
    private final Path backup = directory.resolve("backup");
    private final Path daemons = directory.resolve("cluster");

    @AfterEach
    void remove() throws IOException {
        DirectoryTree.delete(directory);
    }

    @Test
    void whatThisReleaseLeavesOnDisksIsRecorded() throws IOException, InterruptedException {
        Files.createDirectories(daemons);
        List<String> seen;
        EcfsClient writer;
        try (TestCluster cluster = TestCluster.start(
                        daemons,
                        GoldenFiles.POLICY,
                        1,
                        GoldenFiles.DATANODES,
                        "namenode.raft.entryCommands=1",
                        "namenode.raft.segmentBytes=16k",
                        "namenode.raft.checkpointEvery=" + CHECKPOINT_EVERY,
                        "namenode.settings.garbage.delay=5s",
                        "namenode.settings.leaseSoftLimit=1h",
                        "namenode.settings.leaseHardLimit=2h");
                EcfsClient client = TestCluster.client(cluster.uri())) {
            GoldenFiles.write(client, cluster.uri(), GoldenFiles.FIRST);
            restoreFromABackup(cluster);
            awaitCheckpoint(client);
            // From here on the log is ahead of the state.
            GoldenFiles.write(client, cluster.uri(), GoldenFiles.SECOND);
            GoldenFiles.administer(client);
            GoldenFiles.update(client);
            GoldenFiles.writeFamilies(client);
            writer = TestCluster.client(cluster.uri(), "namenodeDeadline=2s", "callTimeout=2s");
            GoldenFiles.leaveOpen(writer);
            seen = GoldenFiles.describe(client);
            leaveGarbage(cluster, client);
            GoldenFiles.delete(client, GoldenFiles.SECOND);
            copyRunningDaemons();
        }
        writer.close(); // not before: a client that ends in order gives its files up
        GoldenDirectory.copyDaemons(daemons, stopped);
        assertEveryTableHasRows();
        assertThereAre("killed/nn0/log/checkpoints/.+", "killed/nn0/log/raft/.+/log_inprogress_.+", "backup/BACKUP");
        assertThereAre("killed/dn./.+\\.tail", "killed/dn./.+/writing/.+\\.data", "killed/dn./.+/finalised/.+\\.sum");

        Path into = Path.of(System.getProperty("basedir", "")).resolve("target/golden");
        GoldenDirectory golden = GoldenDirectory.record(
                into,
                commit(),
                FeatureLevel.RELEASE,
                Map.of(Part.STOPPED, stopped, Part.KILLED, killed, Part.BACKUP, backup),
                seen);
        assertThat(Files.size(golden.zip())).isLessThan(GoldenDirectory.MOST_BYTES);
        assertThat(golden.description()).hasSizeGreaterThan(30);
    }

    /** The groups that are allocated afterwards are of another epoch. */
    private void restoreFromABackup(TestCluster cluster) throws IOException {
        namenode("backup");
        cluster.stop("nn0");
        Files.move(daemons.resolve("nn0"), directory.resolve("before"));
        namenode("restore");
        cluster.start("nn0");
        cluster.awaitReady();
    }

    private void namenode(String command) {
        String config = daemons.resolve("conf/nn0.yaml").toString();
        Ecfs.run("namenode", command, "--config", config, backup.toString()).well();
    }

    private void awaitCheckpoint(EcfsClient client) throws IOException {
        FilePath many = new FilePath("/many");
        for (int i = 0; !thereIs("cluster/nn0/log/checkpoints/checkpoint-.+"); i++) {
            assertThat(i).isLessThan(2 * CHECKPOINT_EVERY);
            Await.result(client.mkdirs(many.child("directory-" + i), 0700, true));
        }
        Await.result(client.delete(many, true));
    }

    /** A chunk of a deleted file on a datanode that is away. */
    private static void leaveGarbage(TestCluster cluster, EcfsClient client) throws IOException {
        String path = GoldenFiles.WIDE + "/gone";
        TestCluster.write(client, path, Pattern.bytes(18, 6000));
        List<Path> elsewhere = new ArrayList<>();
        for (JsonNode chunk : cluster.layout(path).at("/groups/0/chunks")) {
            if (!chunk.get("datanode").asText().equals("dn0")) {
                elsewhere.add(Path.of(chunk.get("file").asText()));
            }
        }
        assertThat(elsewhere).as("chunks beside dn0's").hasSize(3);
        cluster.stop("dn0");
        Await.result(client.delete(new FilePath(path), false));
        await("the other chunks are deleted")
                .atMost(TestCluster.PATIENCE)
                .until(() -> elsewhere.stream().noneMatch(Files::exists));
    }

    /**
     * Begins anew when a file went away meanwhile: all copies are of nearly one moment, and none of a time when chunks
     * were deleted.
     */
    private void copyRunningDaemons() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                GoldenDirectory.copyDaemons(daemons, killed);
                return;
            } catch (NoSuchFileException e) {
                assertThat(attempt).as(e.getMessage()).isLessThan(20);
                DirectoryTree.delete(killed);
            }
        }
    }

    private void assertEveryTableHasRows() {
        try (RocksStore store = new RocksStore(daemons.resolve("nn0/state"), RocksSettings.DEFAULT);
                KeyValueStore.View view = store.view()) {
            Map<Table, Integer> rows = new TreeMap<>();
            for (Table table : Table.values()) {
                view.scan(table, new byte[0], null, (key, value) -> {
                    rows.merge(table, 1, Integer::sum);
                    return true;
                });
            }
            // The rows of a repair and of a rewrite go when what they make takes its place.
            assertThat(rows.keySet()).containsAll(EnumSet.complementOf(EnumSet.of(Table.REPAIRS, Table.REWRITES)));
        }
    }

    private void assertThereAre(String... names) throws IOException {
        for (String name : names) {
            assertThat(thereIs(name)).as(name).isTrue();
        }
    }

    private boolean thereIs(String name) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.anyMatch(path -> directory.relativize(path).toString().matches(name));
        }
    }

    /** Of the sources, with a mark when they are changed: such a recording does not get into them. */
    private static String commit() throws IOException, InterruptedException {
        String changed = git("status", "--porcelain", "--untracked-files=no");
        return git("rev-parse", "HEAD") + (changed.isEmpty() ? "" : " changed");
    }

    private static String git(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "git";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
