package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What namenodes with an empty disk may do among those that have the state. */
@Timeout(300)
final class EmptyNamenodesTest {
    private static final int ENTRIES = 50;
    private static final RaftTuning HASTY =
            ConfigReader.with(RaftTuning.standard(), List.of("electionTimeoutMin=200ms", "electionTimeoutMax=400ms"));

    @TempDir
    Path root;

    @Test
    void twoEmptyNamenodesElectNoLeaderWithoutTheThird() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, HASTY).startAll()) {
            for (int i = 1; i <= ENTRIES; i++) {
                cluster.add("client", i, "a", 1);
            }
            String third = cluster.leader();
            List<String> wiped = cluster.followers();
            cluster.stop(third);
            for (String id : wiped) {
                cluster.stop(id);
                wipe(cluster, id);
            }
            for (String id : wiped) {
                cluster.start(id);
            }
            await().during(Duration.ofSeconds(2)) // several election time-outs
                    .atMost(LogCluster.PATIENCE)
                    .until(() -> wiped.stream()
                            .noneMatch(id -> cluster.logs.get(id).leadership().leading()));
            cluster.start(third);
            assertThat(cluster.read("a")).isEqualTo(ENTRIES);
            assertThat(cluster.add("client", ENTRIES + 1, "a", 1)).isEqualTo(ENTRIES + 1);
            cluster.awaitEqualStates();
        }
    }

    private static void wipe(LogCluster cluster, String id) throws IOException {
        DirectoryTree.delete(cluster.directory(id));
        DirectoryTree.delete(cluster.stateDirectory(id));
    }
}
