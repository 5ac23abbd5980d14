package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks move from fuller volumes to emptier ones by command, and then no more. */
class EvenVolumesTest {
    private static final int DATANODES = 6;
    private static final int DISK_MIB = 48;
    private static final int FILES = 10;
    private static final int FILE_BYTES = 2 << 20;

    @TempDir
    private Path directory;

    @Test
    void aNewDatanodeIsFilledByCommandUntilAllAreEven() throws IOException {
        Deque<SmallDisk> disks = new ArrayDeque<>();
        try {
            for (int i = 0; i < DATANODES; i++) {
                disks.push(SmallDisk.mount(directory.resolve("dn" + i), DISK_MIB));
            }
            balance();
        } finally {
            for (SmallDisk disk : disks) {
                disk.close();
            }
        }
    }

    private void balance() throws IOException {
        try (TestCluster cluster = TestCluster.start(
                directory, "rs-3-2-64k", 1, DATANODES, "namenode.settings.balance.background=false")) {
            cluster.stop("dn5");
            for (int i = 0; i < FILES; i++) {
                cluster.write("/f" + i, Pattern.bytes(i, FILE_BYTES + i));
            }
            cluster.start("dn5");
            cluster.awaitReport("the empty datanode to be heard", r -> used(r, "dn5") == 0);
            long each = FILES * (long) FILE_BYTES * 5 / 3 / DATANODES;

            assertThat(Ecfs.run("admin", "balance", "--cluster", cluster.uri(), "--threshold", "2", "--wait")
                            .well()
                            .text())
                    .contains("moved");

            await("the volumes to tell of it").atMost(TestCluster.PATIENCE).until(() -> {
                ClusterReport report = Await.result(cluster.client().admin().report());
                long slack = DISK_MIB * (1L << 20) * 3 / 100;
                return report.datanodes().stream().allMatch(d -> Math.abs(used(report, d.id().name()) - each) < slack);
            });
            cluster.awaitAllGroupsHealthy();
            JsonNode after = look(cluster);
            assertThat(after.get("bytesToMove").asLong()).isZero();
            assertThat(after.get("moving").asInt()).isZero();
            long moved = after.get("bytesMoved").asLong();
            assertThat(moved).isBetween(each / 2, 2 * each);
            assertThat(Ecfs.run("admin", "balance", "--cluster", cluster.uri(), "--threshold", "2", "--wait")
                            .well()
                            .text())
                    .contains("balanced");
            assertThat(look(cluster).get("bytesMoved").asLong()).isEqualTo(moved);
            for (int i = 0; i < FILES; i++) {
                assertThat(cluster.read("/f" + i)).as("/f" + i).isEqualTo(Pattern.bytes(i, FILE_BYTES + i));
            }
        }
    }

    private static JsonNode look(TestCluster cluster) throws IOException {
        return Ecfs.run("admin", "balance", "--cluster", cluster.uri(), "--threshold", "2", "--dry-run", "--json")
                .well()
                .json();
    }

    /** Bytes of a datanode's chunks; -1 when it is not heard. */
    private static long used(ClusterReport report, String datanode) {
        return report.datanodes().stream()
                .filter(d -> d.id().name().equals(datanode) && d.state() == ClusterReport.DatanodeState.HEALTHY)
                .mapToLong(d -> d.volumes().stream()
                        .mapToLong(ClusterReport.Volume::usedBytes)
                        .sum())
                .findFirst()
                .orElse(-1);
    }
}
