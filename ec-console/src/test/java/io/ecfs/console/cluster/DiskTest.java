package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies on the datanodes' disks: how much, where, and what happens when it rots. */
class DiskTest {
    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = TestCluster.start(
                directory, "rs-2-2-64k", 1, 9, "namenode.settings.recovery.atOnce=0", TestCluster.GROUP_FOR_EACH_FILE);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aSmallFileTakesNoMoreThanItsShareOfTheDisk() throws IOException {
        byte[] file = Pattern.bytes(1, 100 << 10);
        cluster.write("/small", file);
        assertStored(cluster.layout("/small"), 2.0 * file.length);

        byte[] odd = Pattern.bytes(1, 100_000);
        cluster.write("/small-odd", odd);
        assertStored(cluster.layout("/small-odd"), 2.0 * odd.length);
    }

    @Test
    void aLargeFileTakesNoMoreThanItsShareOfTheDisk() throws IOException {
        Ecfs.run("fs", "--cluster", cluster.uri(), "-mkdir", "/large").well();
        Ecfs.run("ec", "set", "--cluster", cluster.uri(), "rs-6-3-1024k", "/large")
                .well();
        byte[] file = Pattern.bytes(2, (64 << 20) + 12_345);
        cluster.write("/large/file", file);
        JsonNode layout = cluster.layout("/large/file");
        assertThat(layout.get("policy").asText()).isEqualTo("rs-6-3-1024k");
        assertThat(layout.get("length").asLong()).isEqualTo(file.length);
        assertStored(layout, 1.5 * file.length);
        assertThat(cluster.read("/large/file")).isEqualTo(file);
    }

    @Test
    void aFlippedBitIsNoticedAnsweredFromOtherChunksAndReported() throws IOException {
        byte[] file = Pattern.bytes(3, 5 * (128 << 10) + 777);
        cluster.write("/rotten", file);
        JsonNode chunk = cluster.layout("/rotten").at("/groups/0/chunks/1");
        cluster.log.expect("event=chunk_corrupt");
        flip(Path.of(chunk.get("file").asText()), 70_000);

        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            assertThat(TestCluster.read(client, "/rotten")).isEqualTo(file);
            cluster.awaitReport(
                    "the rotten chunk to be counted", r -> r.groups().degraded() == 1);
        }
        assertThat(cluster.log.holds("event=chunk_corrupt")).isTrue();
        assertThat(cluster.layout("/rotten").at("/groups/0/chunks/1/state").asText())
                .isIn("corrupt", "missing");
        assertThat(cluster.read("/rotten")).isEqualTo(file);
        assertThat(cluster.report().at("/groups/degraded").asInt()).isEqualTo(1);
    }

    /**
     * Chunks and checksum files of one file's groups lie where the layout says, and are not much more than the code
     * needs.
     */
    private static void assertStored(JsonNode layout, double needed) throws IOException {
        long onDisk = 0;
        for (JsonNode group : layout.get("groups")) {
            for (JsonNode chunk : group.get("chunks")) {
                Path data = Path.of(chunk.get("file").asText());
                assertThat(Files.size(data)).isEqualTo(chunk.get("bytes").asLong());
                assertThat(chunk.get("state").asText()).isEqualTo("finalised");
                Path sums = Path.of(data.toString().replaceFirst("\\.data$", ".sum"));
                onDisk += Files.size(data) + Files.size(sums);
            }
        }
        assertThat((double) onDisk).isCloseTo(needed, within(needed * 0.02));
    }

    static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int before = bytes.read();
            bytes.seek(at);
            bytes.write(before ^ 0x10);
        }
    }
}
