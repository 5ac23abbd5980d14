package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.local.ClusterPlan;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that came up without some of their drives. */
class UnmountedDriveTest {
    private static final List<String> HALF = List.of("dn0", "dn1", "dn2");
    private static final int FILES = 12;

    @TempDir
    private Path directory;

    private final Map<String, byte[]> files = new TreeMap<>();

    @Test
    void drivesUnmountedAtAStartAreAwayUntilTheyAreBack() throws IOException {
        ClusterPlan.Shape shape = new ClusterPlan.Shape(Policy.parse("rs-3-2-64k"), 1, 6, 2, 1, 0);
        try (TestCluster cluster =
                TestCluster.start(directory, shape, DatanodeDaemon::start, TestCluster.GROUP_FOR_EACH_FILE)) {
            cluster.log.expect("event=volume_not_mounted");
            for (int i = 0; i < FILES; i++) {
                files.put("/f" + i, Pattern.bytes(i, 100_000 + i));
                cluster.write("/f" + i, files.get("/f" + i));
            }
            Set<Path> before = new TreeSet<>(cluster.chunkFiles());
            cluster.stop(HALF.toArray(String[]::new));
            for (String datanode : HALF) {
                Files.move(drive(cluster, datanode), unmounted(datanode));
                Files.createDirectory(drive(cluster, datanode));
            }
            cluster.start(HALF.toArray(String[]::new));
            cluster.awaitReport(
                    "the drives to be missed",
                    report -> report.groups().degraded() + report.groups().lost() > 0);
            String away =
                    Ecfs.run("admin", "fsck", "--cluster", cluster.uri(), "/").text();
            assertThat(away).contains("is away: is its drive mounted?").doesNotContain("being rebuilt");
            cluster.stop(HALF.toArray(String[]::new));
            for (String datanode : HALF) {
                assertThat(drive(cluster, datanode)).isEmptyDirectory();
                Files.delete(drive(cluster, datanode));
                Files.move(unmounted(datanode), drive(cluster, datanode));
            }
            cluster.start(HALF.toArray(String[]::new));
            cluster.awaitAllGroupsHealthy();
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
            }
            assertThat(new TreeSet<>(cluster.chunkFiles())).isEqualTo(before);
            assertThat(Ecfs.run("admin", "timeline", "--cluster", cluster.uri(), "--json")
                            .well()
                            .json()
                            .get("incidents"))
                    .isEmpty();
        }
    }

    private static Path drive(TestCluster cluster, String datanode) {
        return cluster.directoryOf(datanode).resolve("volume1");
    }

    private Path unmounted(String datanode) {
        return directory.resolve(datanode + "-drive");
    }
}
