package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of small disks in memory, filled with packed files until nothing more is taken. Most files are deleted then,
 * some of each group: no group goes by itself, and there is room again once cleaning has made some. It takes most of a
 * minute.
 */
@Tag("soak")
class FullClusterTest {
    private static final long DISK_BYTES = 16 << 20;
    private static final int FILE_BYTES = 150_000;
    private static final int FILES_OF_A_CLIENT = 20;
    private static final int KEPT_ONE_IN = 5;

    @TempDir
    private Path directory;

    private final Map<String, byte[]> files = new TreeMap<>();
    private int tried;

    private static VolumeIo inMemory(VolumeIo real) {
        real.close();
        return new MemoryVolumeIo(real.describe(), DISK_BYTES, new Random(1));
    }

    private TestCluster start() throws IOException {
        DaemonStart inMemory = (config, loops, kernel, environment) -> DatanodeDaemon.start(
                config, loops, kernel, environment, DatanodeDaemon.Around.disks(FullClusterTest::inMemory));
        return TestCluster.start(
                directory,
                "rs-3-2-64k",
                1,
                6,
                inMemory,
                "datanode.store.reserveBytes=8m",
                "namenode.settings.rewrite.period=300ms");
    }

    /** Fills until too few volumes take a new chunk; returns the last refusal. */
    private EcfsException fill(TestCluster cluster) throws IOException {
        EcfsException refused;
        do {
            refused = writeUntilRefused(cluster);
        } while (!full(Await.result(cluster.client().admin().report())));
        return refused;
    }

    /** Each client has a pack of its own. */
    private EcfsException writeUntilRefused(TestCluster cluster) throws IOException {
        while (true) {
            try (EcfsClient client = TestCluster.client(cluster.uri(), "pack.on=true")) {
                for (int i = 0; i < FILES_OF_A_CLIENT; i++) {
                    int number = tried++;
                    String path = (number % KEPT_ONE_IN == 0 ? "/kept/f" : "/gone/f") + number;
                    byte[] bytes = Pattern.bytes(number, FILE_BYTES);
                    TestCluster.write(client, path, bytes);
                    files.put(path, bytes);
                }
            } catch (EcfsException e) {
                return e;
            }
        }
    }

    private void assertBytes(TestCluster cluster) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    private static List<String> rewrites(TestCluster cluster) throws IOException {
        return Await.result(cluster.client().admin().events(0, 1000)).events().stream()
                .map(HistoryEvent::event)
                .filter(ClusterEvent.GroupRewritten.class::isInstance)
                .map(event -> ((ClusterEvent.GroupRewritten) event).why())
                .toList();
    }

    private static JsonNode conversion(TestCluster cluster) throws IOException {
        return Ecfs.run("ec", "conversions", "--cluster", cluster.uri(), "--json")
                .well()
                .json()
                .get(0);
    }

    /** Returns whether fewer than the 4 volumes that a group needs take new chunks. */
    private static boolean full(ClusterReport report) {
        return report.datanodes().stream()
                        .flatMap(datanode -> datanode.volumes().stream())
                        .filter(volume -> volume.state() == VolumeState.FULL)
                        .count()
                >= 3;
    }

    @Test
    void cleaningMakesRoomWhereNothingElseCanBeWritten() throws IOException {
        try (TestCluster cluster = start()) {
            EcfsException refused = fill(cluster);
            assertThat(refused.code()).isEqualTo(ErrorCode.NO_SPACE);
            assertThat(refused.getMessage())
                    .contains("without enough free space")
                    .hasLineCount(1);
            assertThat(files.size()).as("%s", refused).isGreaterThan(150);
            Path local = Files.write(directory.resolve("local"), new byte[FILE_BYTES]);
            Ecfs put = cluster.fs("-put", local.toString(), "/late");
            assertThat(put.code()).isNotZero();
            assertThat(put.err()).contains("without enough free space");
            assertBytes(cluster);

            Ecfs.run("ec", "convert", "--cluster", cluster.uri(), "/kept", "--to", "rs-4-2-64k")
                    .well();
            await("the conversion waits for room")
                    .atMost(TestCluster.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(conversion(cluster).path("waiting").asText())
                                    .contains("rs-4-2-64k needs 6 datanodes")
                                    .contains("without enough free space"));
            assertThat(rewrites(cluster)).doesNotContain("converted");

            Await.result(cluster.client().delete(new FilePath("/gone"), true));
            files.keySet().removeIf(path -> path.startsWith("/gone"));
            await("the conversion ends").atMost(TestCluster.PATIENCE).untilAsserted(() -> {
                JsonNode now = conversion(cluster);
                assertThat(now.get("state").asText()).as("%s", now).isEqualTo("DONE");
            });
            assertThat(rewrites(cluster)).startsWith("cleaned").contains("converted");
            for (int i = 0; i < 50; i++) {
                String path = "/late" + i;
                files.put(path, Pattern.bytes(i, FILE_BYTES));
                cluster.write(path, files.get(path));
            }
            assertBytes(cluster);
        }
    }
}
