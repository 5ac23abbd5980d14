package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.report.WriteShare;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files whose stripes a datanode encodes, on real datanodes. */
@Timeout(300)
class RelayedWriteTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final int STRIPE = (int) POLICY.stripeBytes();

    private static final String MASTER = "dn0";

    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private EcfsClient client;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, POLICY.name(), 1, 7, TestCluster.usualLeases());
    }

    @AfterAll
    static void down() {
        cluster.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = TestCluster.client(cluster.uri(), "encode=master", "pack.on=false");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void filesOfEveryLengthAreReadAsTheyWereWritten() throws IOException {
        for (int length : List.of(0, 1, 5000, STRIPE - 1, STRIPE, STRIPE + 1, 7 * STRIPE + 70_001)) {
            byte[] bytes = Pattern.bytes(length, length);
            TestCluster.write(client, "/f" + length, bytes);
            assertThat(TestCluster.read(cluster.client(), "/f" + length)).isEqualTo(bytes);
        }
        WriteShare relayed = client.writeTimes().stream()
                .filter(share -> share.side() == WriteSide.MASTER)
                .findFirst()
                .orElseThrow();
        assertThat(relayed.stripes()).as("stripes of groups that were not put").isEqualTo(1 + 2 + 8);
        assertThat(List.of(relayed.transferring(), relayed.encoding(), relayed.distributing(), relayed.serving()))
                .allMatch(nanos -> nanos > 0);
    }

    @Test
    void flushedBytesOfARelayedStreamAreSeen() throws IOException {
        byte[] bytes = Pattern.bytes(3, 4 * STRIPE + 100);
        EcfsOutputStream out = create("/flushed");
        int at = 0;
        for (int next : List.of(10, STRIPE, STRIPE + 10, 3 * STRIPE, 3 * STRIPE + 7, bytes.length)) {
            out.write(bytes, at, next - at);
            at = next;
            out.hflush();
            assertThat(TestCluster.read(cluster.client(), "/flushed")).hasSize(at);
        }
        out.close();
        assertThat(TestCluster.read(cluster.client(), "/flushed")).isEqualTo(bytes);
    }

    @Test
    void aMasterThatDiesInTheMiddleLosesNothing() throws IOException {
        writesOnWhenADatanodeDies("/killed", chunk -> chunk.datanode().name().equals(MASTER));
        assertThat(client.relayFallbacks()).isNotEmpty();
    }

    @Test
    void aSlaveThatDiesInTheMiddleLosesNothing() throws IOException {
        writesOnWhenADatanodeDies("/slave", chunk -> !chunk.datanode().name().equals(MASTER));
    }

    /** @param dies true of the chunks one of whose datanodes dies */
    private void writesOnWhenADatanodeDies(String path, Predicate<ChunkLocation> dies) throws IOException {
        client.close();
        client = TestCluster.client(cluster.uri(), "encode=master", "master=" + MASTER);
        byte[] bytes = Pattern.bytes(9, 40 * STRIPE + 9);
        EcfsOutputStream out = beginOnMaster(path, bytes, 10 * STRIPE);
        String victim = chunks(path).stream()
                .filter(dies)
                .findFirst()
                .orElseThrow()
                .datanode()
                .name();
        cluster.stop(victim);
        out.write(bytes, 10 * STRIPE, bytes.length - 10 * STRIPE);
        out.close();
        assertThat(TestCluster.read(cluster.client(), path)).isEqualTo(bytes);
        cluster.start(victim);
    }

    /** Begins a file whose group has a chunk on the master; placement is random, files without one are deleted. */
    private EcfsOutputStream beginOnMaster(String path, byte[] bytes, int first) throws IOException {
        for (int i = 0; i < 100; i++) {
            EcfsOutputStream out = create(path);
            out.write(bytes, 0, first);
            out.hflush();
            if (chunks(path).stream().anyMatch(chunk -> chunk.datanode().name().equals(MASTER))) {
                return out;
            }
            out.close();
            Await.result(client.delete(new FilePath(path), false));
        }
        throw new IllegalStateException("none of 100 groups has a chunk on " + MASTER);
    }

    private List<ChunkLocation> chunks(String path) throws IOException {
        return Await.result(client.locate(new FilePath(path), 0, 1))
                .groups()
                .get(0)
                .chunks();
    }

    @Test
    void timesOfWritesAreShownByPolicyAndSide() throws IOException {
        TestCluster.write(client, "/timed", Pattern.bytes(2, 5 * STRIPE));
        await("its report").atMost(TestCluster.PATIENCE).until(() -> {
            return writes().get("shares").findValuesAsText("side").contains("MASTER");
        });
        assertThat(Ecfs.run("admin", "writes", "--cluster", cluster.uri())
                        .well()
                        .text())
                .contains("POLICY", "CO", "MP", "PC", "DD", "SP", "ELAPSED")
                .containsPattern("rs-3-2-64k +master +\\d+");
    }

    @Test
    void aClientThatClosesAtOnceIsAmongTheWrites() throws IOException {
        long before = stripesWritten();
        try (EcfsClient brief = TestCluster.client(cluster.uri())) {
            TestCluster.write(brief, "/brief", Pattern.bytes(4, 6 * STRIPE));
        }
        assertThat(stripesWritten()).isEqualTo(before + 6);
    }

    /** By clients that encode: those of the other tests do not. */
    private static long stripesWritten() throws IOException {
        long stripes = 0;
        for (JsonNode share : writes().get("shares")) {
            stripes += share.get("side").asText().equals("CLIENT")
                    ? share.get("stripes").asLong()
                    : 0;
        }
        return stripes;
    }

    private static JsonNode writes() throws IOException {
        return Ecfs.run("admin", "writes", "--cluster", cluster.uri(), "--json")
                .well()
                .json();
    }

    @Test
    void mastersAreShownWithWhatTheyRelay() throws IOException {
        try (EcfsOutputStream out = create("/relayed")) {
            out.write(Pattern.bytes(5, 3 * STRIPE));
            out.hflush();
            await("heartbeats with the relay of this stream")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> {
                        List<JsonNode> masters = new ArrayList<>();
                        writes().get("masters").forEach(masters::add);
                        return masters.size() == 7
                                && masters.stream()
                                        .anyMatch(master ->
                                                master.at("/load/relays").asLong() > 0);
                    });
        }
        assertThat(Ecfs.run("admin", "writes", "--cluster", cluster.uri())
                        .well()
                        .text())
                .containsPattern("MASTER +RELAYS +BYTES +REFUSED\ndn\\d +\\d");
    }

    @Test
    void fallbacksAreShownByReason(@TempDir Path other) throws IOException {
        try (TestCluster none = TestCluster.start(other, POLICY.name(), 1, 5, "datanode.relay.most=0")) {
            try (EcfsClient refused = TestCluster.client(none.uri(), "encode=master")) {
                TestCluster.write(refused, "/own", Pattern.bytes(6, 2 * STRIPE));
            }
            JsonNode writes = Ecfs.run("admin", "writes", "--cluster", none.uri(), "--json")
                    .well()
                    .json();
            assertThat(writes.get("fallbacks").toString()).isEqualTo("[{\"reason\":\"UNSUPPORTED\",\"groups\":1}]");
            assertThat(Ecfs.run("admin", "writes", "--cluster", none.uri())
                            .well()
                            .text())
                    .containsPattern("unsupported +1\n")
                    .contains("none of 5 datanodes relays");
        }
    }

    @Test
    void theSideOfADirectoryDecidesForItsNewFiles() throws IOException {
        Ecfs.run("fs", "--cluster", cluster.uri(), "-mkdir", "/thin").well();
        Ecfs.run("ec", "set", "--cluster", cluster.uri(), "/thin", "--encode", "master")
                .well();
        try (EcfsClient plain = TestCluster.client(cluster.uri())) {
            byte[] bytes = Pattern.bytes(12, 4 * STRIPE);
            TestCluster.write(plain, "/elsewhere", bytes);
            assertThat(plain.writeTimes()).allMatch(share -> share.side() == WriteSide.CLIENT);
            TestCluster.write(plain, "/thin/file", bytes);
            assertThat(plain.writeTimes()).anyMatch(share -> share.side() == WriteSide.MASTER && share.stripes() == 4);
            assertThat(TestCluster.read(plain, "/thin/file")).isEqualTo(bytes);
        }
    }

    private EcfsOutputStream create(String path) throws IOException {
        return Await.result(client.create(new FilePath(path), CreateOptions.defaults()));
    }
}
