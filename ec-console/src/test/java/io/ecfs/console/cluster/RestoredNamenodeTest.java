package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The namenodes' state of yesterday beside the datanodes of today, by the commands that an operator uses. */
class RestoredNamenodeTest {
    private static final int FILES = 6;
    private static final int LENGTH = 100_000;

    @TempDir
    private Path directory;

    private final Map<String, byte[]> untouched = new TreeMap<>();
    private TestCluster cluster;

    @Test
    void nothingWrongIsServedAfterARestore() throws IOException {
        try (TestCluster started = TestCluster.start(
                directory,
                "rs-3-2-64k",
                1,
                7,
                "namenode.settings.leaseHardLimit=3s",
                TestCluster.GROUP_FOR_EACH_FILE)) {
            cluster = started;
            cluster.log.expect("event=foreign_chunk");
            writeAndBackUp();
            Set<Path> ofToday = goOn();
            restore();
            checkWhatIsServed();
            checkWhatIsListed();
            goOnAgain(ofToday);
        }
    }

    @Test
    void aFullDiskLeavesNeitherHalfABackupNorHalfAState() throws IOException {
        Path small = directory.resolve("small");
        try (SmallDisk disk = SmallDisk.mount(small, 1);
                TestCluster started = TestCluster.start(directory.resolve("cluster"), "rs-2-1-64k", 1, 3)) {
            String config = directory.resolve("cluster/conf/nn0.yaml").toString();
            Files.write(small.resolve("filler"), new byte[(1 << 20) - (40 << 10)]);
            Ecfs backup = Ecfs.run("namenode", "backup", "--config", config, small + "/backup");
            assertThat(backup.code()).as("on " + disk).isNotZero();
            assertThat(backup.err().lines()).hasSize(1);
            assertThat(backup.err()).contains("No space left on device", "make room and try again");
            assertThat(small.toFile().list()).containsExactly("filler");

            Ecfs.run("namenode", "backup", "--config", config, backup().toString())
                    .well();
            started.stop("nn0");
            Ecfs restore = Ecfs.run(
                    "namenode", "restore", "--config", config, "-D", "directory=" + small + "/nn0", backup() + "");
            assertThat(restore.code()).isNotZero();
            assertThat(restore.err().lines()).hasSize(1);
            assertThat(restore.err()).contains("No space left on device");
            assertThat(small.resolve("nn0").toFile().list()).containsExactlyInAnyOrder("LOCK", "VERSION");
        }
    }

    private void writeAndBackUp() throws IOException {
        for (int i = 0; i < FILES; i++) {
            untouched.put("/kept" + i, Pattern.bytes(i, LENGTH + i));
            cluster.write("/kept" + i, untouched.get("/kept" + i));
        }
        cluster.write("/deleted", Pattern.bytes(20, LENGTH));
        cluster.write("/overwritten", Pattern.bytes(21, LENGTH));
        cluster.write("/renamed", Pattern.bytes(22, LENGTH));
        untouched.put("/open", Pattern.bytes(23, LENGTH));
        try (EcfsClient writer = TestCluster.client(cluster.uri())) { // which then is gone, and its file open
            EcfsOutputStream out = Await.result(writer.create(new FilePath("/open"), CreateOptions.defaults()));
            out.write(untouched.get("/open"));
            out.hflush();
            assertThat(namenode("backup", backup().toString()).well().text()).contains("backup of cluster", "compared");
        }
    }

    /** @return chunk files of what the backup does not know */
    private Set<Path> goOn() throws IOException {
        Set<Path> copied = new TreeSet<>(cluster.chunkFiles());
        Set<Path> old = chunksOf("/deleted");
        old.addAll(chunksOf("/overwritten"));
        assertThat(old).hasSize(2 * 5);
        Await.result(cluster.client().delete(new FilePath("/deleted"), false));
        try (EcfsOutputStream out = Await.result(cluster.client()
                .create(new FilePath("/overwritten"), CreateOptions.defaults().withOverwrite(true)))) {
            out.write(Pattern.bytes(31, LENGTH));
        }
        Await.result(cluster.client().rename(new FilePath("/renamed"), new FilePath("/elsewhere"), false));
        for (int i = 0; i < FILES; i++) {
            cluster.write("/lost" + i, Pattern.bytes(40 + i, LENGTH));
        }
        // Terms of the log grow, in which the files that are open are recovered and chunks deleted.
        for (int i = 0; i < 2; i++) {
            cluster.stop("nn0");
            cluster.start("nn0");
            cluster.awaitReady();
        }
        await("the open file to be closed")
                .atMost(TestCluster.PATIENCE)
                .until(() -> !Await.result(cluster.client().status(new FilePath("/open")))
                        .open());
        await("the chunks of the old files to be deleted")
                .atMost(TestCluster.PATIENCE)
                .until(() -> old.stream().noneMatch(Files::exists));
        Set<Path> ofToday = new TreeSet<>(cluster.chunkFiles());
        ofToday.removeAll(copied);
        ofToday.removeIf(Files::notExists);
        return ofToday;
    }

    private void restore() throws IOException {
        assertThat(namenode("restore", backup().toString())).satisfies(refused -> {
            assertThat(refused.code()).isNotZero();
            assertThat(refused.err().lines()).hasSize(1);
            assertThat(refused.err()).contains("is used by another process");
        });
        cluster.stop("nn0");
        Files.move(cluster.directoryOf("nn0"), directory.resolve("nn0-lost"));
        assertThat(namenode("restore", backup().toString()).well().text())
                .contains("new groups are of epoch 1", "files were being written", "/open");
        cluster.start("nn0");
        cluster.awaitReady();
    }

    private void checkWhatIsServed() throws IOException {
        await("the open file to be recovered")
                .atMost(TestCluster.PATIENCE)
                .until(() -> !Await.result(cluster.client().status(new FilePath("/open")))
                        .open());
        for (Map.Entry<String, byte[]> file : untouched.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
        assertThat(cluster.read("/renamed")).isEqualTo(Pattern.bytes(22, LENGTH));
        for (String gone : List.of("/deleted", "/overwritten")) {
            assertThatThrownBy(() -> cluster.read(gone)).isInstanceOf(IOException.class);
        }
        for (String unknown : List.of("/lost0", "/elsewhere")) {
            assertThatThrownBy(() -> cluster.read(unknown)).isInstanceOf(EcfsException.class);
        }
    }

    private void checkWhatIsListed() throws IOException {
        List<JsonNode> listed = new ArrayList<>();
        await("all reported chunks to be compared").atMost(TestCluster.PATIENCE).until(() -> {
            JsonNode fsck = fsck("--json", "--orphans").json();
            listed.add(fsck);
            return fsck.get("orphansKnown").asBoolean()
                    && fsck.get("orphanChunks").asInt() == (FILES + 1) * 5
                    && fsck.get("problems").size() == 2;
        });
        JsonNode fsck = listed.get(listed.size() - 1);
        assertThat(fsck.get("problems"))
                .allMatch(problem -> problem.get("lost").asBoolean())
                .extracting(problem -> problem.get("path").asText())
                .containsExactlyInAnyOrder("/deleted", "/overwritten");
        assertThat(fsck.get("orphans")).hasSize((FILES + 1) * 5).allSatisfy(orphan -> {
            assertThat(orphan.get("why").asText()).contains("never allocated", "after the backup");
            assertThat(orphan.get("datanode").asText()).startsWith("dn");
            assertThat(orphan.get("bytes").asLong()).isPositive();
        });
        Ecfs text = fsck();
        assertThat(text.code()).isEqualTo(1);
        assertThat(text.text())
                .contains("UNAVAILABLE /deleted", "UNAVAILABLE /overwritten", "ORPHAN      chunk g")
                .contains("35 chunks on datanodes belong to no file and are retained; --orphans lists them all");
    }

    private void goOnAgain(Set<Path> ofToday) throws IOException {
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = Pattern.bytes(60 + i, LENGTH);
            cluster.write("/new" + i, bytes);
            assertThat(cluster.read("/new" + i)).isEqualTo(bytes);
            long group = cluster.layout("/new" + i).at("/groups/0/id").asLong();
            assertThat(new GroupId(group).epoch()).isEqualTo(1);
        }
        Set<Path> ofNew = chunksOf("/new0");
        assertThat(ofNew).hasSize(5).allMatch(Files::exists);
        Await.result(cluster.client().delete(new FilePath("/new0"), false));
        await("the restored namenode's orders to be carried out")
                .atMost(TestCluster.PATIENCE)
                .until(() -> ofNew.stream().noneMatch(Files::exists));
        assertThat(ofToday).hasSizeGreaterThanOrEqualTo((FILES + 1) * 5).allMatch(Files::exists);
    }

    private Set<Path> chunksOf(String path) throws IOException {
        Set<Path> files = new TreeSet<>();
        for (JsonNode chunk : cluster.layout(path).at("/groups/0/chunks")) {
            files.add(Path.of(chunk.get("file").asText()));
        }
        return files;
    }

    private Path backup() {
        return directory.resolve("backup");
    }

    private Ecfs namenode(String command, String place) {
        return Ecfs.run(
                "namenode",
                command,
                "--config",
                directory.resolve("conf/nn0.yaml").toString(),
                place);
    }

    private Ecfs fsck(String... options) {
        List<String> all = new ArrayList<>(List.of("admin", "fsck", "--cluster", cluster.uri()));
        all.addAll(Arrays.asList(options));
        return Ecfs.run(all.toArray(String[]::new));
    }
}
