package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What rots on disk while nobody reads it is found by the scrubber and rebuilt. */
class RotTest {
    private static final int FILE_BYTES = 3 * 3 * (64 << 10) + 1234;

    @TempDir
    private Path directory;

    private TestCluster cluster;

    private interface Rot {
        void on(Path data, Path checksums) throws IOException;
    }

    private static final List<Rot> ROTS = List.of(
            (data, checksums) -> DiskTest.flip(data, 100_000),
            (data, checksums) -> DiskTest.flip(checksums, Files.size(checksums) - 2),
            (data, checksums) -> cut(data, 1000),
            (data, checksums) -> cut(checksums, 300),
            (data, checksums) -> Files.delete(data),
            (data, checksums) -> Files.delete(checksums));

    private static void cut(Path file, long to) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(to);
        }
    }

    @Test
    void damageOfEveryKindIsFoundAndHealedWithoutARead() throws IOException {
        try (TestCluster started = TestCluster.start(
                directory,
                "rs-3-2-64k",
                1,
                8,
                "namenode.settings.recovery.grace=0s",
                "datanode.scrub.every=1s",
                "datanode.scrub.bytesPerSecond=64MiB")) {
            cluster = started;
            // Swapped bytes may be found by the parity of their groups before the scrubber comes to them.
            for (String expected : List.of("chunk_corrupt", "scrub_found_corrupt", "parity_", "volume_failed")) {
                cluster.log.expect("event=" + expected);
            }
            List<byte[]> files = new ArrayList<>();
            for (int i = 0; i < ROTS.size() + 3; i++) {
                files.add(Pattern.bytes(i, FILE_BYTES));
                cluster.write(path(i), files.get(i));
            }
            List<Path> rotten = new ArrayList<>();
            for (int i = 0; i < ROTS.size(); i++) {
                Path data = data(i, 1);
                ROTS.get(i).on(data, checksums(data));
                rotten.add(data);
            }
            Path one = data(ROTS.size(), 0);
            Path other = data(ROTS.size() + 1, 2);
            swapBytes(one, other);
            swapBytes(checksums(one), checksums(other));
            rotten.addAll(List.of(one, other));
            awaitRebuilt(rotten);

            String holder = chunk(ROTS.size() + 2, 0).get("datanode").asText();
            // Away in one step: its datanode goes on making files below the old path until it finds out.
            Path away = directory.resolve("away");
            Files.move(volumeOf(data(ROTS.size() + 2, 0)), away);
            DirectoryTree.delete(away);
            cluster.awaitElsewhere(path(ROTS.size() + 2), 0, holder);
            for (int i = 0; i < files.size(); i++) {
                assertThat(cluster.read(path(i))).as(path(i)).isEqualTo(files.get(i));
            }
        }
    }

    private void awaitRebuilt(List<Path> rotten) {
        await("all of " + rotten + " to be rebuilt as another generation")
                .atMost(TestCluster.PATIENCE)
                .until(() -> cluster.chunkFiles().stream().noneMatch(rotten::contains));
        cluster.awaitAllGroupsHealthy();
    }

    private static String path(int file) {
        return "/f" + file;
    }

    private JsonNode chunk(int file, int index) throws IOException {
        return cluster.layout(path(file)).at("/groups/0/chunks/" + index);
    }

    private Path data(int file, int index) throws IOException {
        return Path.of(chunk(file, index).get("file").asText());
    }

    private static Path checksums(Path data) {
        return Path.of(data.toString().replaceFirst("\\.data$", ".sum"));
    }

    /** As misdirected writes would; the files stay open in their datanodes. */
    private static void swapBytes(Path one, Path other) throws IOException {
        byte[] bytes = Files.readAllBytes(one);
        Files.write(one, Files.readAllBytes(other));
        Files.write(other, bytes);
    }

    /** A chunk's files lie in VOLUME/finalised/XX. */
    private static Path volumeOf(Path data) {
        return data.getParent().getParent().getParent();
    }
}
