package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drives with a bad sector each, more of them than a group may lose chunks. */
class UnreadableSectorTest {
    private static final int PARITY = 2;
    private static final int FILES = 12;
    private static final int FILE_BYTES = 3 * 3 * (64 << 10) + 1234;

    @TempDir
    private Path directory;

    private final Map<String, byte[]> files = new TreeMap<>();

    @Test
    void badSectorsOnManyDrivesCostChunksAndNoDrive() throws IOException {
        BadSectors sectors = new BadSectors();
        try (TestCluster cluster = TestCluster.start(
                        directory, "rs-3-2-64k", 1, 7, sectors, "namenode.settings.recovery.grace=0s");
                EcfsClient remote = TestCluster.client(cluster.uri(), "local.on=off")) {
            cluster.log.expect("event=chunk_corrupt");
            for (int i = 0; i < FILES; i++) {
                files.put("/f" + i, Pattern.bytes(i, FILE_BYTES));
                cluster.write("/f" + i, files.get("/f" + i));
            }
            Map<String, Path> bad = new HashMap<>(); // a data chunk of another group on each of m + 1 drives
            for (String path : files.keySet()) {
                JsonNode chunk = cluster.layout(path).at("/groups/0/chunks/0");
                if (bad.size() <= PARITY) {
                    bad.putIfAbsent(
                            chunk.get("datanode").asText(),
                            Path.of(chunk.get("file").asText()));
                }
            }
            assertThat(bad).as("drives with a bad sector").hasSize(PARITY + 1);
            bad.values().forEach(file -> sectors.add(file, 3L * Policy.CHECKSUM_WINDOW_BYTES));

            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                assertThat(TestCluster.read(remote, file.getKey()))
                        .as(file.getKey())
                        .isEqualTo(file.getValue());
            }
            await("the chunks to be rebuilt elsewhere")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> cluster.chunkFiles().stream().noneMatch(bad.values()::contains));
            cluster.awaitAllGroupsHealthy();
            Set<VolumeState> states = Await.result(cluster.client().admin().report()).datanodes().stream()
                    .flatMap(datanode -> datanode.volumes().stream())
                    .map(ClusterReport.Volume::state)
                    .collect(Collectors.toSet());
            assertThat(states).containsExactly(VolumeState.HEALTHY);
        }
    }
}
