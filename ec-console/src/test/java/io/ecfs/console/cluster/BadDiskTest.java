package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks that take no change, or have no room, and chunk files that are not where they belong, under datanodes that run.
 */
class BadDiskTest {
    private static final int FILE_BYTES = 3 * 3 * (64 << 10) + 1234;
    private static final int FILES = 6;

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private final Map<String, byte[]> files = new TreeMap<>();

    private void startWithFiles(String... overrides) throws IOException {
        start(7, overrides);
        for (int i = 0; i < FILES; i++) {
            write("/f" + i, FILE_BYTES + i);
        }
    }

    private void start(int datanodes, String... overrides) throws IOException {
        List<String> all = new ArrayList<>(List.of(overrides));
        all.add("namenode.settings.recovery.grace=0s");
        cluster = TestCluster.start(directory, "rs-3-2-64k", 1, datanodes, all.toArray(String[]::new));
    }

    private void write(String path, int bytes) throws IOException {
        files.put(path, Pattern.bytes(files.size(), bytes));
        cluster.write(path, files.get(path));
    }

    private void assertAllFilesReadWell() throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    @Test
    void aVolumeThatTakesNoChangeIsReadUntilAllItsChunksLieElsewhere() throws IOException {
        startWithFiles("datanode.scrub.every=1s", "datanode.scrub.bytesPerSecond=64MiB");
        try (TestCluster running = cluster) {
            running.log.expect("event=volume_read_only");
            String holder = chunk("/f0", 0).get("datanode").asText();
            Path volume = volumeOf(file("/f0", 0));
            assumeTrue(freeze(volume, true), "neither permissions nor attributes keep this user from writing");
            try {
                running.awaitReport("the volume to be told as read-only", holds(VolumeState.READ_ONLY));
                assertAllFilesReadWell();
                await("nothing to be placed on " + holder)
                        .atMost(TestCluster.PATIENCE)
                        .until(() -> !isOnAny(holder));
                running.awaitAllGroupsHealthy();
                assertAllFilesReadWell();
                write("/later", FILE_BYTES);
                assertThat(isOn("/later", holder)).isFalse();
                JsonNode incidents = Ecfs.run("admin", "timeline", "--cluster", running.uri(), "--json")
                        .well()
                        .json()
                        .get("incidents");
                assertThat(incidents.size()).as("%s", incidents).isEqualTo(1);
                assertThat(incidents.get(0).toString()).contains("takes no change any more");
            } finally {
                freeze(volume, false);
            }
        }
    }

    @Tag("soak")
    @Test
    void aVolumeWithoutRoomServesWhatItHasAndTheOthersTakeWhatIsNew() throws IOException {
        try (SmallDisk small = SmallDisk.mount(directory.resolve("dn1"), 8)) {
            // A volume that refuses a chunk of 1 MiB counts as full.
            start(6, "namenode.settings.minFreeBytes=2m", "datanode.store.reserveBytes=1m");
            try (TestCluster running = cluster) {
                running.stop("dn5"); // so that each group has a chunk on every other datanode
                for (int i = 0; i < 20 && !full(); i++) {
                    write("/big" + i, 3 << 20);
                }
                running.awaitReport("the small volume to be told as full", holds(VolumeState.FULL));
                running.start("dn5");
                write("/late", 3 << 20);
                assertThat(isOn("/late", "dn1")).as("on " + small).isFalse();
                running.awaitAllGroupsHealthy();
                assertAllFilesReadWell();
            }
        }
    }

    private boolean full() throws IOException {
        return holds(VolumeState.FULL)
                .test(Await.result(cluster.client().admin().report()));
    }

    /** Misdirected writes and files under a wrong name (HDDS-10983, HDDS-6890, HDDS-7056, HDDS-13174). */
    @Test
    void filesThatChangedPlacesUnderARunningDatanodeAreNeverServed() throws IOException {
        startWithFiles();
        try (TestCluster running = cluster) {
            running.log.expect("event=chunk_corrupt");
            Path one = file("/f0", 0);
            Path other = file("/f1", 0);
            swap(one, other);
            swap(sums(one), sums(other));
            assertAllFilesReadWell();
            await("both to be rebuilt as another generation")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> cluster.chunkFiles().stream().noneMatch(List.of(one, other)::contains));
            running.awaitAllGroupsHealthy();
            assertAllFilesReadWell();
        }
    }

    /** SeaweedFS #9880, #9952, #9953: chunks of two runs mixed. */
    @Test
    void chunkFilesOfAnotherClusterAreNeverServed() throws IOException {
        startWithFiles();
        List<Path> foreign;
        Path aside = directory.resolveSibling(directory.getFileName() + "-other");
        try (TestCluster other = cluster) {
            foreign = other.chunkFiles();
            for (Path file : foreign) {
                Files.createDirectories(aside);
                Files.copy(file, aside.resolve(file.getFileName()));
            }
        }
        DirectoryTree.delete(directory);
        Files.createDirectories(directory);
        files.clear();
        start(7);
        try (TestCluster running = cluster) {
            running.log.expect("event=chunk_corrupt");
            files.put("/other", Pattern.bytes(77, FILE_BYTES));
            running.write("/other", files.get("/other"));
            Path own = file("/other", 1);
            Path same = aside.resolve(own.getFileName());
            assertThat(same)
                    .as("groups and chunks are numbered alike in both clusters")
                    .exists();
            Files.write(own, Files.readAllBytes(same));
            Files.write(sums(own), Files.readAllBytes(sums(same)));
            assertAllFilesReadWell();
            await("it to be rebuilt as another generation")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> !cluster.chunkFiles().contains(own));
            assertAllFilesReadWell();
        } finally {
            DirectoryTree.delete(aside);
        }
    }

    private static Predicate<ClusterReport> holds(VolumeState state) {
        return report -> report.datanodes().stream()
                .flatMap(datanode -> datanode.volumes().stream())
                .anyMatch(volume -> volume.state() == state);
    }

    private boolean isOnAny(String datanode) throws IOException {
        for (String path : files.keySet()) {
            if (isOn(path, datanode)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOn(String path, String datanode) throws IOException {
        for (JsonNode chunk : cluster.layout(path).at("/groups/0/chunks")) {
            if (chunk.get("datanode").asText().equals(datanode)) {
                return true;
            }
        }
        return false;
    }

    private JsonNode chunk(String path, int index) throws IOException {
        return cluster.layout(path).at("/groups/0/chunks/" + index);
    }

    private Path file(String path, int index) throws IOException {
        return Path.of(chunk(path, index).get("file").asText());
    }

    private static Path sums(Path data) {
        return Path.of(data.toString().replaceFirst("\\.data$", ".sum"));
    }

    private static void swap(Path one, Path other) throws IOException {
        byte[] bytes = Files.readAllBytes(one);
        Files.write(one, Files.readAllBytes(other));
        Files.write(other, bytes);
    }

    /** A chunk's files lie in VOLUME/finalised/XX. */
    private static Path volumeOf(Path data) {
        return data.getParent().getParent().getParent();
    }

    /**
     * Lets nobody make, rename or remove a name in the directories of a volume; false when that does not hold for this
     * user.
     */
    private static boolean freeze(Path volume, boolean frozen) throws IOException {
        List<Path> directories;
        try (Stream<Path> all = Files.walk(volume)) {
            directories = all.filter(Files::isDirectory).toList();
        }
        for (Path each : directories) {
            // Root may write whatever the mode says.
            if (!SmallDisk.run("chmod", frozen ? "a-w" : "u+w", each.toString())
                    && !SmallDisk.run("chattr", "-i", each.toString())) {
                return false;
            } else if (frozen && Files.isWritable(each) && !SmallDisk.run("chattr", "+i", each.toString())) {
                return false;
            }
        }
        return true;
    }
}
