package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;

/** A client on a cluster in memory; afterwards nothing may be on loan. */
public abstract class ClusterTest {
    protected static final FilePath FILE = new FilePath("/file");

    protected MemoryCluster cluster;
    protected EcfsClient client;

    /**
     * Without plans by measured costs: which chunks are read must not depend on what else this machine does. Without
     * packs, which {@link MemoryNamenode} does not know.
     */
    protected static ClientConfig config() {
        return ClientConfig.defaults()
                .with(
                        "callTimeout=600ms",
                        "namenodeDeadline=4s",
                        "retryPause=5ms",
                        "retryPauseLimit=40ms",
                        "leaseRenewal=50ms",
                        "writeBudgetBytes=8MiB",
                        "readBudgetBytes=32MiB",
                        "readAheadBudgetBytes=16MiB",
                        "spanBytes=16KiB",
                        "lateAfter=250ms",
                        "hedge.adaptive=off",
                        "plan.on=off",
                        "local.on=off",
                        "pack.on=off",
                        "budgetWait=30s",
                        "networkThreads=1");
    }

    protected void start(int datanodes) {
        start(datanodes, config());
    }

    protected void start(int datanodes, ClientConfig config) {
        cluster = new MemoryCluster(datanodes);
        client = new EcfsClient(cluster.uri(), config, cluster.environment, cluster, Kernels.java());
    }

    @AfterEach
    protected void nothingIsLeftBehind() {
        if (client == null) {
            return;
        }
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            assertThat(client.loanedBuffers()).as("buffers of the client").isZero();
            assertThat(client.reservedBytes()).as("reserved bytes").isZero();
            assertThat(cluster.loans()).as("payloads of answers").isZero();
        });
        client.close();
        cluster.close();
    }

    protected void write(FilePath path, Policy policy, long length) throws IOException {
        try (EcfsOutputStream out = create(path, policy)) {
            append(out, length);
        }
    }

    protected EcfsOutputStream create(FilePath path, Policy policy) throws IOException {
        return Await.result(
                client.create(path, CreateOptions.defaults().withPolicy(policy).withOverwrite(true)));
    }

    /** Writes on to {@code length} in pieces of uneven size. */
    protected static void append(EcfsOutputStream out, long length) throws IOException {
        int piece = 1;
        while (out.position() < length) {
            long end = Math.min(length, out.position() + piece);
            out.write(Bytes.range(out.position(), end));
            piece = piece * 3 % 10_007 + 1;
        }
    }

    protected byte[] readAll(FilePath path) throws IOException {
        try (EcfsInputStream in = Await.result(client.open(path)).stream()) {
            return in.readAllBytes();
        }
    }

    protected byte[] read(FileReader file, long from, long to) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(Math.toIntExact(to - from));
        file.read(from, target);
        return Bytes.of(target);
    }

    protected int chunksOf(GroupId group) {
        return cluster.on(c -> c.namenode().groups.get(group).chunks().size());
    }

    protected List<NamespaceRequest> namenodeRequests() {
        return cluster.on(c -> List.copyOf(c.namenode().requests));
    }

    protected List<BadChunk> badChunks() {
        return cluster.on(c -> List.copyOf(c.namenode().badChunks));
    }

    protected GroupId onlyGroup(FilePath path) {
        List<GroupId> groups = groups(path);
        assertThat(groups).hasSize(1);
        return groups.get(0);
    }

    protected List<GroupId> groups(FilePath path) {
        return cluster.on(c -> {
            try {
                return c.namenode().file(path).extents.stream()
                        .map(e -> e.group())
                        .toList();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Lengths around every edge of a cell in the first stripes, and of the small cells of a tail. */
    protected static Set<Long> edgeLengths(Policy policy, int stripes) {
        Set<Long> lengths = new TreeSet<>();
        List<Long> edges = new ArrayList<>(List.of(0L, 64L * policy.dataChunks(), 4096L));
        for (long edge = 0; edge <= stripes * policy.stripeBytes(); edge += policy.cellBytes()) {
            edges.add(edge);
        }
        for (long edge : edges) {
            for (long length = Math.max(0, edge - 1); length <= edge + 1; length++) {
                lengths.add(length);
            }
        }
        return lengths;
    }

    /** All sets of {@code size} numbers below {@code n}. */
    protected static List<Set<Integer>> choose(int n, int size) {
        List<Set<Integer>> sets = new ArrayList<>();
        for (int bits = 0; bits < 1 << n; bits++) {
            if (Integer.bitCount(bits) == size) {
                Set<Integer> set = new TreeSet<>();
                for (int i = 0; i < n; i++) {
                    if ((bits & (1 << i)) != 0) {
                        set.add(i);
                    }
                }
                sets.add(set);
            }
        }
        return sets;
    }
}
