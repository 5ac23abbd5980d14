package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.report.ClusterReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lost chunks come back without a command. */
class RepairTest {
    private static final Map<String, byte[]> FILES = Map.of(
            "/large", Pattern.bytes(3, 5 * 6 * (64 << 10) + 100_001),
            "/short", Pattern.bytes(4, 70_000),
            "/byte", Pattern.bytes(5, 1));

    @TempDir
    private Path directory;

    @Test
    void groupsOfADeadDatanodeAreWholeAgainAndSurviveTwoFurtherLosses() throws IOException {
        try (TestCluster cluster =
                TestCluster.start(directory, "rs-6-3-64k", 1, 10, "namenode.settings.recovery.grace=0s")) {
            for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
                cluster.write(file.getKey(), file.getValue());
            }
            Map<Integer, JsonNode> before = chunks(cluster, "/large");
            String lost = before.get(2).get("datanode").asText();
            cluster.stop(lost);
            cluster.awaitElsewhere("/large", 2, lost);

            Map<Integer, JsonNode> after = chunks(cluster, "/large");
            assertThat(after.get(2).get("datanode").asText()).isNotEqualTo(lost);
            cluster.stop(
                    before.get(0).get("datanode").asText(),
                    before.get(1).get("datanode").asText());
            try (EcfsClient client = TestCluster.client(cluster.uri())) {
                for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
                    assertThat(TestCluster.read(client, file.getKey()))
                            .as(file.getKey())
                            .isEqualTo(file.getValue());
                }
            }
        }
    }

    @Tag("soak")
    @Test
    void aDatanodeThatComesBackGivesTheRepairedChunksUp() throws IOException {
        try (TestCluster cluster =
                TestCluster.start(directory, "rs-3-2-64k", 1, 6, "namenode.settings.recovery.grace=0s")) {
            byte[] bytes = FILES.get("/large");
            cluster.write("/large", bytes);
            String lost = chunks(cluster, "/large").get(0).get("datanode").asText();
            cluster.stop(lost);
            cluster.awaitElsewhere("/large", 0, lost);
            cluster.start(lost);
            org.awaitility.Awaitility.await("its old chunk to be deleted")
                    .atMost(TestCluster.PATIENCE)
                    .until(() ->
                            TestCluster.chunkFiles(cluster.directoryOf(lost)).isEmpty());
            cluster.awaitAllGroupsHealthy();
            assertThat(cluster.read("/large")).isEqualTo(bytes);
        }
    }

    @Test
    void aChunkWhoseFileIsDamagedIsRebuiltWhenAReaderFindsIt() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 5)) {
            cluster.log.expect("event=chunk_corrupt");
            byte[] bytes = FILES.get("/large");
            cluster.write("/large", bytes);
            String holder = chunks(cluster, "/large").get(1).get("datanode").asText();
            Path data = TestCluster.chunkFiles(cluster.directoryOf(holder)).stream()
                    .filter(f -> f.toString().endsWith(".data"))
                    .findFirst()
                    .orElseThrow();
            byte[] damaged = Files.readAllBytes(data);
            damaged[10_000] ^= 4;
            Files.write(data, damaged);
            assertThat(cluster.read("/large")).isEqualTo(bytes);
            org.awaitility.Awaitility.await("another generation of the chunk, in its place on the only datanode for it")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> TestCluster.chunkFiles(cluster.directoryOf(holder)).stream()
                            .map(f -> f.getFileName().toString())
                            .allMatch(name -> name.contains(".1.1.")));
            cluster.awaitReport("the group to be whole", RepairTest::whole);
            assertThat(cluster.read("/large")).isEqualTo(bytes);
        }
    }

    private static boolean whole(ClusterReport report) {
        return report.groups().healthy() == 1;
    }

    private static Map<Integer, JsonNode> chunks(TestCluster cluster, String path) throws IOException {
        TreeMap<Integer, JsonNode> chunks = new TreeMap<>();
        cluster.layout(path)
                .get("groups")
                .get(0)
                .get("chunks")
                .forEach(chunk -> chunks.put(chunk.get("index").asInt(), chunk));
        return chunks;
    }
}
