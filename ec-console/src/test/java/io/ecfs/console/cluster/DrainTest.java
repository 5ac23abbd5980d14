package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datanodes that are taken out of service by command, on a cluster that goes on working. */
class DrainTest {
    private static final int STRIPE = 3 * (64 << 10);
    private static final int FILES = 20;
    private static final int MOST_WRITTEN_MEANWHILE = 200;

    @TempDir
    private Path directory;

    private final Map<String, byte[]> files = new ConcurrentHashMap<>();

    private void write(TestCluster cluster, String path, int seed) throws IOException {
        byte[] bytes = Pattern.bytes(seed, STRIPE * (1 + seed % 3) + 1000 * seed);
        cluster.write(path, bytes);
        files.put(path, bytes);
    }

    private static Ecfs admin(TestCluster cluster, String command, String... arguments) {
        List<String> all = new ArrayList<>(List.of("admin", command, "--cluster", cluster.uri()));
        all.addAll(List.of(arguments));
        return Ecfs.run(all.toArray(String[]::new));
    }

    private static ClusterReport.Datanode datanode(TestCluster cluster, String id) throws IOException {
        return Await.result(cluster.client().admin().report()).datanodes().stream()
                .filter(d -> d.id().name().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitDuty(TestCluster cluster, String id, AdminState.State state) {
        await(id + " to be " + state).atMost(TestCluster.PATIENCE).until(() -> {
            try {
                return datanode(cluster, id).duty().state() == state;
            } catch (EcfsException e) {
                return false;
            }
        });
    }

    private void assertAllRead(TestCluster cluster) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    /** Files that stay open while their chunks move, each by a client that asks for what it has to and no more. */
    private final class OpenFiles implements AutoCloseable {
        private final EcfsClient client;
        private final Map<String, FileReader> readers = new TreeMap<>();

        OpenFiles(TestCluster cluster) throws IOException {
            client = TestCluster.client(
                    cluster.uri(), "local.on=off", "plan.on=off", "hedge.adaptive=off", "lateAfter=60s");
            for (String path : files.keySet()) {
                readers.put(path, Await.result(client.open(new FilePath(path))));
            }
        }

        /** @return how many chunks were asked for */
        long readAll() throws IOException {
            long before = client.readCounts().asked();
            for (Map.Entry<String, FileReader> reader : readers.entrySet()) {
                byte[] expected = files.get(reader.getKey());
                ByteBuffer bytes = ByteBuffer.allocate(expected.length);
                assertThat(reader.getValue().read(0, bytes)).isEqualTo(expected.length);
                assertThat(bytes.array()).as(reader.getKey()).isEqualTo(expected);
            }
            return client.readCounts().asked() - before;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** HDFS-17658: decommissioning that did not look at what was being written lost it. */
    @Test
    void aDatanodeIsDrainedUnderWrites() throws Exception {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 8)) {
            for (int i = 0; i < FILES; i++) {
                write(cluster, "/before" + i, i);
            }
            OpenFiles open = new OpenFiles(cluster);
            long needed = open.readAll();
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
                int written = 0;
                try {
                    while (!over.get() && written < MOST_WRITTEN_MEANWHILE) {
                        write(cluster, "/meanwhile" + written, 100 + written++);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                return written;
            });
            assertThat(admin(cluster, "decommission", "dn2").well().text()).contains("datanode dn2: DECOMMISSIONING");
            awaitDuty(cluster, "dn2", AdminState.State.DECOMMISSIONED);
            over.set(true);
            assertThat(writer.get()).isPositive();
            assertThat(TestCluster.chunkFiles(cluster.directoryOf("dn2"))).isEmpty();
            cluster.awaitReport(
                    "all groups healthy",
                    r -> r.groups().degraded() == 0 && r.groups().lost() == 0);
            assertAllRead(cluster);
            assertThat(open.readAll())
                    .as("chunks that moved are asked for twice")
                    .isLessThan(2 * needed);

            JsonNode incident = admin(cluster, "timeline", "--json")
                    .well()
                    .json()
                    .get("incidents")
                    .get(0);
            assertThat(incident.get("cause").asText()).isEqualTo("decommissioning of datanode dn2");
            assertThat(incident.get("healedAt").isNull()).isFalse();
            Map<String, Long> sources = new TreeMap<>();
            incident.get("groups")
                    .forEach(group -> group.get("sources")
                            .forEach(source -> sources.merge(
                                    source.get("datanode").asText(),
                                    source.get("bytes").asLong(),
                                    Long::sum)));
            assertThat(sources).as("bytes by source").containsKey("dn2").hasSizeGreaterThanOrEqualTo(6);
            long all = sources.values().stream().mapToLong(Long::longValue).sum();
            assertThat(sources.values()).as("of %s", sources).allMatch(bytes -> bytes < all / 2);

            cluster.stop("dn2");
            assertAllRead(cluster);
            assertThat(open.readAll())
                    .as("chunks asked for where they lie by now")
                    .isEqualTo(needed);
            open.close();
            assertThat(admin(cluster, "decommission", "dn2").well().text()).contains("datanode dn2: DECOMMISSIONED");
            assertThat(admin(cluster, "events").well().text())
                    .contains("datanode dn2: IN_SERVICE -> DECOMMISSIONING, wanted by")
                    .contains("datanode dn2: DECOMMISSIONING -> DECOMMISSIONED, nothing is left on it");
        }
    }

    // HDFS-14768, HDFS-16776: more targets than lost indexes; unset slots meant index 0.
    @Tag("soak")
    @Test
    void twoDatanodesLeaveAtOnceAndEveryChunkHasItsOwnBytes() throws IOException {
        try (TestCluster cluster =
                TestCluster.start(directory, "rs-3-2-64k", 1, 10, "namenode.settings.recovery.perDatanode=2")) {
            for (int i = 0; i < FILES; i++) {
                write(cluster, "/f" + i, i);
            }
            admin(cluster, "decommission", "dn1").well();
            admin(cluster, "decommission", "dn2").well();
            awaitDuty(cluster, "dn1", AdminState.State.DECOMMISSIONED);
            awaitDuty(cluster, "dn2", AdminState.State.DECOMMISSIONED);
            cluster.awaitAllGroupsHealthy();
            assertAllRead(cluster);
            // Parity chunks have their own bytes too: with the two datanodes away that hold most data chunks, they are
            // read.
            cluster.stop("dn3", "dn4");
            assertAllRead(cluster);
        }
    }

    /**
     * One chunk with other bytes than its group's, and checksums that are right: what is computed from it must not
     * replace what is true.
     */
    @Test
    void aDrainWithAnUnnoticedWrongChunkLeavesFilesRight() throws IOException {
        try (TestCluster cluster = TestCluster.start(
                directory,
                "rs-3-2-64k",
                1,
                8,
                "namenode.settings.parityCheck.leastBytesPerSecond=1",
                "namenode.settings.recovery.retryAfter=500ms",
                "namenode.settings.recovery.retryAtMost=1s")) {
            for (String expected : List.of("event=chunk_disputed", "event=parity_wrong", "event=chunk_corrupt")) {
                cluster.log.expect(expected);
            }
            // So many that some of those on dn1 are computed, and not all copied.
            for (int i = 0; i < 24; i++) {
                write(cluster, "/f" + i, i);
            }
            Map<String, byte[]> before = dataChunks(cluster);
            for (String path : files.keySet()) {
                falsify(chunkFile(cluster.layout(path), 3));
            }
            admin(cluster, "decommission", "dn1").well();
            awaitDuty(cluster, "dn1", AdminState.State.DECOMMISSIONED);
            assertThat(cluster.log.holds("event=chunk_disputed")).isTrue();
            Map<String, byte[]> after = dataChunks(cluster);
            assertThat(after.keySet()).isEqualTo(before.keySet());
            before.forEach(
                    (chunk, bytes) -> assertThat(after.get(chunk)).as(chunk).isEqualTo(bytes));
            cluster.awaitAllGroupsHealthy();
        }
    }

    /**
     * Bytes of the data chunks on the disks. A client might read the wrong chunk in place of one that is slow for a
     * moment.
     */
    private Map<String, byte[]> dataChunks(TestCluster cluster) throws IOException {
        Map<String, byte[]> chunks = new TreeMap<>();
        for (String path : files.keySet()) {
            JsonNode layout = cluster.layout(path);
            for (int index = 0; index < 3; index++) {
                chunks.put(path + " chunk " + index, Files.readAllBytes(chunkFile(layout, index)));
            }
        }
        return chunks;
    }

    private static Path chunkFile(JsonNode layout, int index) {
        return Path.of(layout.at("/groups/0/chunks/" + index + "/file").asText());
    }

    /** Another first byte of a chunk, and the checksum that goes with it. */
    private static void falsify(Path data) throws IOException {
        byte[] bytes = Files.readAllBytes(data);
        bytes[0] ^= 1;
        Files.write(data, bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, Math.min(bytes.length, Policy.CHECKSUM_WINDOW_BYTES));
        Path sums = Path.of(data.toString().replaceFirst("\\.data$", ".sum"));
        byte[] checksums = Files.readAllBytes(sums);
        ByteBuffer.wrap(checksums).putInt(512, (int) crc.getValue());
        Files.write(sums, checksums);
    }

    @Tag("soak")
    @Test
    void itGoesOnUnderAnotherLeaderAndAfterARestartOfEverything() throws IOException {
        try (TestCluster cluster =
                TestCluster.start(directory, "rs-3-2-64k", 3, 6, "namenode.settings.recovery.atOnce=1")) {
            for (int i = 0; i < 12; i++) {
                write(cluster, "/f" + i, i);
            }
            admin(cluster, "decommission", "dn1").well();
            await("the first chunk to move").atMost(TestCluster.PATIENCE).until(() -> moved(cluster) > 0);
            String leader = Await.result(cluster.client().admin().report()).namenodes().stream()
                    .filter(n -> n.role() == ClusterReport.Role.LEADER)
                    .findFirst()
                    .orElseThrow()
                    .id();
            cluster.stop(leader);
            cluster.awaitReport("a leader that goes on", report -> !report.safeMode());
            assertThat(datanode(cluster, "dn1").duty().state()).isNotEqualTo(AdminState.State.IN_SERVICE);
            cluster.start(leader);
            cluster.awaitReady();
            cluster.restart();
            awaitDuty(cluster, "dn1", AdminState.State.DECOMMISSIONED);
            await("what moved away to be deleted there")
                    .atMost(TestCluster.PATIENCE)
                    .until(() ->
                            TestCluster.chunkFiles(cluster.directoryOf("dn1")).isEmpty());
            assertAllRead(cluster);
        }
    }

    private static long moved(TestCluster cluster) throws IOException {
        return datanode(cluster, "dn1")
                .drain()
                .map(ClusterReport.Drain::chunksMoved)
                .orElse(0L);
    }

    @Test
    void chunksThatAreNotOnDiskYetAreCounted() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 5, "datanode.store.syncInterval=1h")) {
            write(cluster, "/f", 1);
            cluster.awaitReport(
                    "heartbeats that count the chunks of /f",
                    report -> report.datanodes().stream()
                                    .mapToLong(ClusterReport.Datanode::unsyncedChunks)
                                    .sum()
                            == 5);
            assertThat(admin(cluster, "safe-to-stop", "dn0", "dn1", "--readable")
                            .well()
                            .text())
                    .contains("; 2 closed chunks there are not on disk yet");
            assertThat(admin(cluster, "fsck").well().text())
                    .contains("5 closed chunks of the cluster are not on disk yet");
        }
    }

    @Test
    void commandsSayWhatIsWrongAndWhetherDatanodesMayStop() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 5)) {
            write(cluster, "/f", 1);
            assertThat(admin(cluster, "safe-to-stop", "dn0").well().text())
                    .startsWith("yes: of 1 groups 0 would be unavailable");
            Ecfs two = admin(cluster, "safe-to-stop", "dn0", "dn1", "--json");
            assertThat(two.code()).isOne();
            assertThat(two.json().get("safe").asBoolean()).isFalse();
            assertThat(two.json().get("groupsWithoutSpare").asInt()).isOne();
            assertThat(two.json().get("groups").get(0).get("path").asText()).isEqualTo("/f");
            admin(cluster, "safe-to-stop", "dn0", "dn1", "--readable").well();
            assertThat(admin(cluster, "safe-to-stop", "dn0", "dn1", "dn2", "--readable")
                            .code())
                    .isOne();

            Ecfs unknown = admin(cluster, "decommission", "dn22");
            assertThat(unknown.code()).isOne();
            assertThat(unknown.err()).contains("no datanode dn22 has registered; did you mean dn2?");
            assertThat(admin(cluster, "maintenance", "dn3", "--for", "soon").code())
                    .isEqualTo(2);
            assertThat(admin(cluster, "maintenance", "dn3", "--for", "2h")
                            .well()
                            .text())
                    .contains("datanode dn3: IN_MAINTENANCE until ");
            cluster.stop("dn3");
            assertAllRead(cluster);
            cluster.start("dn3");
            assertThat(admin(cluster, "recommission", "dn3").well().text()).contains("datanode dn3: IN_SERVICE");

            admin(cluster, "decommission", "dn4").well();
            await("the reason why it waits")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> admin(cluster, "decommission", "dn4")
                            .text()
                            .contains("waiting: no datanode may take the chunk: 0 datanodes can take a chunk"));
            assertThat(admin(cluster, "report").well().text()).contains("datanode dn4: 1 chunks");
            assertThat(admin(cluster, "recommission", "dn4", "--json")
                            .well()
                            .json()
                            .get("duty")
                            .get("state")
                            .asText())
                    .isEqualTo("IN_SERVICE");
        }
    }
}
