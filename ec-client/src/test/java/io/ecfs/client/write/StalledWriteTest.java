package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A datanode that takes requests and answers none holds a write up for {@code stallAfter} and no longer. */
@Timeout(300)
class StalledWriteTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final long LENGTH = 12_288L * 6 + 5000;

    private void start(int datanodes, String suspicion) {
        start(datanodes, suspicion, "200ms");
    }

    private void start(int datanodes, String suspicion, String stallAfter) {
        start(datanodes, config().with("callTimeout=5m", "stallAfter=" + stallAfter, "suspicion=" + suspicion));
    }

    private Address mute(int datanode) {
        Address address = cluster.on(c -> c.addressOf(datanode));
        cluster.datanodeFate(to -> to.equals(address) ? new Fate.Hangs() : new Fate.Answered());
        return address;
    }

    /** How often chunks on this datanode were asked to open since the last look. */
    private long opensAt(Address datanode) {
        return cluster.takeOpens(datanode);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {ChunkRequest.OpenChunk.class, ChunkRequest.WriteCells.class, ChunkRequest.FinishChunk.class})
    void writeGoesOnWithoutADatanodeThatStallsAtAnyStep(Class<? extends ChunkRequest> step) throws IOException {
        start(8, "30s");
        AtomicInteger seen = new AtomicInteger();
        cluster.fate(request -> {
            boolean hit = step.isInstance(request)
                    && ((ChunkRequest) request).chunk().group().equals(new GroupId(1))
                    && ((ChunkRequest) request).chunk().index() == 1;
            return hit && (step != ChunkRequest.WriteCells.class || seen.incrementAndGet() > 2)
                    ? new Fate.Hangs()
                    : new Fate.Answered();
        });
        write(FILE, POLICY, LENGTH);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    /**
     * A sync that one datanode refused is over: another that stalls behind it is not taken for one whose disk is slow.
     */
    @Test
    void writeGoesOnWithoutADatanodeThatStallsBehindASyncThatFailed() throws IOException {
        Policy policy = Policy.parse("rs-3-3-4k");
        start(12, "30s");
        cluster.fate(request -> {
            if (!(request instanceof ChunkRequest chunk)
                    || !chunk.chunk().group().equals(new GroupId(1))) {
                return new Fate.Answered();
            } else if (request instanceof ChunkRequest.WriteTail
                    && chunk.chunk().index() == 0) {
                return new Fate.Fails(ErrorCode.VOLUME_FAILED);
            }
            boolean stalls =
                    request instanceof ChunkRequest.WriteCells && chunk.chunk().index() == 2;
            return stalls ? new Fate.Hangs() : new Fate.Answered();
        });
        try (EcfsOutputStream out = create(FILE, policy)) {
            append(out, 9000);
            out.hsync();
            append(out, 30_000);
        }
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 30_000));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 8})
    void smallFilesWaitForAStalledDatanodeOnce(int datanodes) throws IOException {
        start(datanodes, "5m");
        Address holder = cluster.on(c -> c.addressOf(1));
        AtomicInteger puts = new AtomicInteger();
        cluster.datanodeFate(
                to -> to.equals(holder) && puts.incrementAndGet() > 0 ? new Fate.Hangs() : new Fate.Answered());
        for (int i = 0; i < 30; i++) {
            FilePath path = new FilePath("/small" + i);
            write(path, POLICY, 5000 + i);
            assertThat(chunksOf(onlyGroup(path))).isEqualTo(datanodes == 5 ? 4 : 5);
        }
        assertThat(puts)
                .as("a put, and the abort of the group that was given up for another")
                .hasValueBetween(1, 2);
        cluster.heal();
        for (int i = 0; i < 30; i++) {
            assertThat(readAll(new FilePath("/small" + i))).isEqualTo(Bytes.range(0, 5000 + i));
        }
    }

    @Test
    void nextFilesAvoidADatanodeThatAnswersNothingWhereThereAreOthers() throws IOException {
        start(6, "5m");
        Address mute = mute(1);
        int file = 0;
        while (opensAt(mute) == 0) {
            write(new FilePath("/first" + file++), POLICY, LENGTH);
        }
        for (int i = 0; i < 20; i++) {
            write(new FilePath("/later" + i), POLICY, LENGTH);
        }
        assertThat(opensAt(mute)).isZero();
        assertThat(readAll(new FilePath("/later7"))).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(chunksOf(groups(new FilePath("/later7")).get(0))).isEqualTo(5);
    }

    @Test
    void whereThereAreNoOthersItIsWaitedForOnceAndThenLeftOut() throws IOException {
        start(5, "5m");
        Address mute = mute(1);
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            for (int i = 1; i <= 5; i++) {
                append(out, i * 20_000L);
                out.hflush();
            }
        }
        write(new FilePath("/next"), POLICY, LENGTH);
        assertThat(opensAt(mute)).isEqualTo(1);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 100_000));
        for (GroupId group : groups(FILE)) {
            LocatedGroup located = cluster.on(c -> c.namenode().groups.get(group));
            assertThat(located.chunks()).hasSize(4);
            assertThat(located.chunks()).noneMatch(chunk -> chunk.address().equals(mute));
        }
    }

    @Test
    void datanodeThatFailedIsForgivenWhileTheFileIsOpen() throws IOException {
        start(6, "300ms");
        Address mute = mute(1);
        DatanodeId name = new DatanodeId("dn1");
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                append(out, out.position() + 20_000);
                out.hflush();
                return namenodeRequests().stream()
                        .anyMatch(r -> r instanceof NamespaceRequest.AddGroup add
                                && add.avoid().contains(name));
            });
            cluster.heal();
            opensAt(mute);
            int[] files = {0};
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                write(new FilePath("/beside" + files[0]++), POLICY, 20_000);
                return opensAt(mute) > 0;
            });
        }
    }

    @Test
    void slowClusterIsNotTakenForAStalledDatanode() throws IOException {
        start(8, "30s", "600ms");
        cluster.fate(request -> request instanceof ChunkRequest.FinishChunk
                ? new Fate.Late(Duration.ofSeconds(2))
                : new Fate.Answered());
        write(FILE, POLICY, LENGTH);
        assertThat(chunksOf(onlyGroup(FILE))).isEqualTo(5);
    }
}
