package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.client.write.WriteTimes;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
        client = TestCluster.client(cluster.uri(), "encode=master");
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
        WriteTimes.Sums times = client.writeTimes();
        assertThat(times.relayed()).as("stripes of groups that were not put").isEqualTo(1 + 1 + 2 + 8 - 1);
        assertThat(List.of(times.transferring(), times.encoding(), times.distributing(), times.serving()))
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
        byte[] bytes = Pattern.bytes(9, 40 * STRIPE + 9);
        EcfsOutputStream out = create("/killed");
        out.write(bytes, 0, 10 * STRIPE);
        out.hflush();
        LocatedGroup group = Await.result(client.locate(new FilePath("/killed"), 0, 1))
                .groups()
                .get(0);
        ChunkLocation master = group.chunks().get((int) (group.group().value() % POLICY.chunks()));
        cluster.stop(master.datanode().name());
        out.write(bytes, 10 * STRIPE, bytes.length - 10 * STRIPE);
        out.close();
        assertThat(TestCluster.read(cluster.client(), "/killed")).isEqualTo(bytes);
        cluster.start(master.datanode().name());
        cluster.awaitAllGroupsHealthy();
    }

    @Test
    void aSlaveThatDiesInTheMiddleLosesNothing() throws IOException {
        byte[] bytes = Pattern.bytes(10, 40 * STRIPE + 9);
        EcfsOutputStream out = create("/slave");
        out.write(bytes, 0, 10 * STRIPE);
        out.hflush();
        LocatedGroup group = Await.result(client.locate(new FilePath("/slave"), 0, 1))
                .groups()
                .get(0);
        ChunkLocation slave = group.chunks().get((int) ((group.group().value() + 1) % POLICY.chunks()));
        cluster.stop(slave.datanode().name());
        out.write(bytes, 10 * STRIPE, bytes.length - 10 * STRIPE);
        out.close();
        assertThat(TestCluster.read(cluster.client(), "/slave")).isEqualTo(bytes);
        cluster.start(slave.datanode().name());
        cluster.awaitAllGroupsHealthy();
    }

    private EcfsOutputStream create(String path) throws IOException {
        return Await.result(client.create(new FilePath(path), CreateOptions.defaults()));
    }
}
