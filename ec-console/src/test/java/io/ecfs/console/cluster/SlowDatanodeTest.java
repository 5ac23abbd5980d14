package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.health.Hedging;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.wire.Await;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real datanodes behind real sockets, one of them far away or stalled. Whatever waits for it until its own time is over
 * does not end within these tests.
 */
@Timeout(300)
class SlowDatanodeTest {
    private static final int CELL = 64 << 10;
    private static final int STRIPE = 3 * CELL;
    private static final byte[] BYTES = Pattern.bytes(5, 12 * STRIPE + 70_001);
    private static final String FILE = "/file";

    /**
     * Nothing is answered within these tests that waits for one of these; what a busy machine delays for a moment is
     * not late.
     */
    private static final String[] PATIENT = {
        "callTimeout=10m", "lateAfter=10m", "hedge.firstTrial=200ms", "hedge.least=100ms"
    };

    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private LateProxy proxy;
    private WireLoops loops;
    private Caller network;
    private EcfsClient client;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 5, TestCluster.usualLeases());
        cluster.write(FILE, BYTES);
    }

    @AfterAll
    static void down() {
        cluster.close();
    }

    /** All calls for one address go to another. */
    private record Detour(Caller network, Address from, Address to) implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address address, Message request, ByteBuf payload, Duration timeout) {
            return network.call(address.equals(from) ? to : address, request, payload, timeout);
        }

        @Override
        public void close() {
            network.close();
        }
    }

    private void connect(Address slow, String... settings) throws IOException {
        proxy = new LateProxy(slow);
        loops = WireLoops.open("test-io", 2);
        Greeting.Hello hello =
                new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", System.getProperty("user.name"), List.of(), "client");
        network = new Detour(new WireClient(loops, WireOptions.defaults(), () -> hello), slow, proxy.address());
        client = new EcfsClient(
                ClusterUri.parse(cluster.uri()),
                ClientConfig.defaults().with(settings).with("local.on=off"),
                RealEnvironment.open(),
                network,
                Kernels.java());
    }

    @AfterEach
    void nothingIsOnLoan() {
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            assertThat(client.loanedBuffers()).isZero();
            assertThat(client.reservedBytes()).isZero();
        });
        client.close();
        network.close();
        await("answers that came late are let go").until(() -> loops.bufferBytes() == 0);
        loops.close();
        proxy.close();
    }

    private static Address holderOfChunkZero(String file) throws IOException {
        LocatedGroup group = Await.result(cluster.client().locate(new FilePath(file), 0, BYTES.length))
                .groups()
                .get(0);
        ChunkLocation first = group.chunk(0).orElseThrow();
        return first.address();
    }

    /** Cells of chunk 0, which one datanode holds. */
    private void readCellsOfChunkZero(FileReader file, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            int at = i % 12 * STRIPE;
            ByteBuffer cell = ByteBuffer.allocate(CELL);
            file.read(at, cell);
            assertThat(cell.array()).isEqualTo(Arrays.copyOfRange(BYTES, at, at + CELL));
        }
    }

    @Test
    void readsDoWithoutASlowDatanodeAtABoundedCost() throws IOException {
        connect(holderOfChunkZero(FILE), PATIENT);
        assertThat(TestCluster.read(client, FILE)).isEqualTo(BYTES);
        FileReader file = Await.result(client.open(new FilePath(FILE)));
        readCellsOfChunkZero(file, 100);
        proxy.delay(Duration.ofMinutes(10));
        long through = proxy.answeredBytes();
        assertThat(through).as("it is on the way").isGreaterThan(100L * CELL);

        Hedging.Counts before = client.readCounts();
        readCellsOfChunkZero(file, 300);
        Hedging.Counts after = client.readCounts();
        assertThat(proxy.answeredBytes())
                .as("no cell of the slow one was used; how busy it is it may have told just before")
                .isLessThan(through + CELL);
        assertThat(after.trials() - before.trials()).as("trials under way").isLessThanOrEqualTo(1);
        assertThat(after.hedged() - before.hedged())
                .as("chunks asked again: the slow one's until it is known, and a share of the others")
                .isLessThan(60);
        assertThat(after.asked() - before.asked())
                .as("three chunks for each cell, and what was asked again")
                .isBetween(900L, 1100L);
        assertThat(TestCluster.read(client, FILE)).isEqualTo(BYTES);
    }

    @Test
    void lateBindingNeedsNoAcquaintance() throws IOException {
        connect(holderOfChunkZero(FILE), "callTimeout=10m", "lateAfter=10m", "hedge.adaptive=false", "hedge.delta=1");
        proxy.mute();
        assertThat(TestCluster.read(client, FILE)).isEqualTo(BYTES);
        assertThat(proxy.answeredBytes()).isZero();
        assertThat(client.readCounts().hedged()).isZero();
    }

    @Test
    void stalledDatanodeFailsNoReadAndNoWriteAndIsWaitedForOnce() throws IOException {
        connect(
                holderOfChunkZero(FILE),
                "callTimeout=10m",
                "lateAfter=10m",
                "stallAfter=5s",
                "suspicion=10m",
                "writeBudgetBytes=4m");
        assertThat(TestCluster.read(client, FILE)).isEqualTo(BYTES);
        readCellsOfChunkZero(Await.result(client.open(new FilePath(FILE))), 60);
        byte[] long1 = Pattern.bytes(6, 100 * STRIPE + 333);
        try (EcfsOutputStream out = Await.result(client.create(new FilePath("/stalled"), CreateOptions.defaults()))) {
            out.write(long1, 0, 10 * STRIPE);
            proxy.mute();
            out.write(long1, 10 * STRIPE, long1.length - 10 * STRIPE);
        }
        for (int i = 0; i < 20; i++) {
            TestCluster.write(client, "/after" + i, Arrays.copyOf(BYTES, 2 * STRIPE + i));
        }
        assertThat(TestCluster.read(client, "/stalled")).isEqualTo(long1);
        assertThat(TestCluster.read(client, "/after19")).isEqualTo(Arrays.copyOf(BYTES, 2 * STRIPE + 19));
        assertThat(TestCluster.read(client, FILE)).isEqualTo(BYTES);
    }
}
