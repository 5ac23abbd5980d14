package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.health.Hedging;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads do not wait for datanodes that answer late or not at all; what arrives late is let go. */
@Timeout(300)
class HedgedReadTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final long LENGTH = 12_288L * 20;

    /** Longer than any of these tests may take: who waits for it has failed. */
    private static final Duration NEVER = Duration.ofMinutes(5);

    private static final ClientConfig PATIENT = config().with("callTimeout=5m", "stallAfter=5m", "lateAfter=5m");

    private FileReader file;

    private static String[] adaptive(String least) {
        return new String[] {"hedge.adaptive=on", "hedge.least=" + least, "hedge.firstTrial=50ms"};
    }

    private void open(String... hedging) throws IOException {
        open(POLICY, hedging);
    }

    private void open(Policy policy, String... hedging) throws IOException {
        start(policy.chunks(), PATIENT.with(hedging));
        write(FILE, policy, LENGTH);
        file = Await.result(client.open(FILE));
        cluster.takeChunkRequests();
    }

    private Address holder(int index) {
        GroupId group = onlyGroup(FILE);
        return cluster.on(
                c -> c.namenode().groups.get(group).chunk(index).orElseThrow().address());
    }

    private void fateOfHolder(int index, Fate fate) {
        Address holder = holder(index);
        cluster.datanodeFate(to -> to.equals(holder) ? fate : new Fate.Answered());
    }

    /** Cells of chunk 0, one after the other. */
    private void readCellsOfChunkZero(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            long at = i % 20 * 12_288L;
            assertThat(read(file, at, at + 4096)).isEqualTo(Bytes.range(at, at + 4096));
        }
    }

    private static long about(List<ChunkRequest> requests, int index) {
        return requests.stream().filter(r -> r.chunk().index() == index).count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-4k", "replication-3-4k", "lrc-4-2-2-4k", "clay-4-2-5-4k"})
    void lateBindingTakesTheFirstThatSufficeWithoutKnowingAnything(String name) throws IOException {
        Policy policy = Policy.parse(name);
        open(policy, "hedge.delta=1");
        for (int index = 0; index < policy.dataChunks(); index++) {
            fateOfHolder(index, new Fate.Hangs());
            assertThat(readAll(FILE)).as("chunk %d hangs", index).isEqualTo(Bytes.range(0, LENGTH));
        }
        Random random = new Random(4);
        for (int i = 0; i < 50; i++) {
            long from = random.nextInt((int) LENGTH);
            long to = Math.min(LENGTH, from + 1 + random.nextInt(30_000));
            assertThat(read(file, from, to)).as("seed 4, %d to %d", from, to).isEqualTo(Bytes.range(from, to));
        }
    }

    @Test
    void lateBindingAsksKPlusDeltaChunksOnce() throws IOException {
        open("hedge.delta=2");
        readCellsOfChunkZero(1);
        assertThat(cluster.takeChunkRequests())
                .extracting(r -> r.chunk().index())
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }

    private static boolean spare(Message request) {
        return request instanceof ChunkRequest.ReadChunk read && read.spare();
    }

    private static List<Integer> spares(List<ChunkRequest> requests) {
        return requests.stream()
                .filter(HedgedReadTest::spare)
                .map(request -> request.chunk().index())
                .toList();
    }

    @Test
    void lateBindingAsksTheLeastPreferredAsSpares() throws IOException {
        open("hedge.delta=1");
        readCellsOfChunkZero(1);
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        assertThat(requests).hasSize(4);
        assertThat(spares(requests)).containsExactly(3);
        assertThat(client.readCounts().hedged()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-4k", "lrc-4-2-2-4k", "clay-4-2-5-4k"})
    void lateBindingNeedsNoSpareThatStarves(String name) throws IOException {
        Policy policy = Policy.parse(name);
        open(policy, "hedge.delta=1");
        cluster.fate(request -> spare(request) ? new Fate.Hangs() : new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(read(file, 100, 200)).isEqualTo(Bytes.range(100, 200));
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        List<Integer> spares = spares(requests);
        assertThat(spares).isNotEmpty();
        assertThat(requests.stream()
                        .filter(request -> !spare(request))
                        .map(request -> request.chunk().index()))
                .as("asked again as ordinary reads, although all others answered")
                .doesNotContainAnyElementsOf(spares);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-4k", "replication-3-4k", "lrc-4-2-2-4k", "clay-4-2-5-4k"})
    void lateBindingTakesTheFirstOfTailsOfWhichSomeChunksStoreNothing(String name) throws IOException {
        Policy policy = Policy.parse(name);
        start(policy.chunks(), PATIENT.with("hedge.delta=1"));
        for (long length : new long[] {1, 64, 65, 150}) {
            write(FILE, policy, length);
            for (int index = 0; index < policy.chunks(); index++) {
                fateOfHolder(index, new Fate.Hangs());
                assertThat(readAll(FILE))
                        .as("%d bytes, chunk %d hangs", length, index)
                        .isEqualTo(Bytes.range(0, length));
            }
            cluster.heal();
            cluster.fate(request -> spare(request) ? new Fate.Hangs() : new Fate.Answered());
            assertThat(readAll(FILE)).as("%d bytes", length).isEqualTo(Bytes.range(0, length));
            cluster.heal();
        }
    }

    @Test
    void whenOneFailsASpareThatStarvesIsAskedAgainAndItsTwinCalledOff() throws IOException {
        open("hedge.delta=2"); // all chunks are asked
        Address broken = holder(1);
        cluster.datanodeFate(to -> to.equals(broken) ? new Fate.Fails(ErrorCode.VOLUME_FAILED) : new Fate.Answered());
        cluster.fate(request -> spare(request) ? new Fate.Hangs() : new Fate.Answered());
        cluster.takeReadsGivenUp();
        assertThat(read(file, 0, 12_288)).isEqualTo(Bytes.range(0, 12_288));
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        assertThat(spares(requests)).containsExactlyInAnyOrder(3, 4);
        assertThat(about(requests, 3) + about(requests, 4)).isEqualTo(3);
        AtomicInteger givenUp = new AtomicInteger();
        await().atMost(Duration.ofMinutes(2)).until(() -> givenUp.addAndGet(cluster.takeReadsGivenUp()) == 2);
    }

    @Test
    void whenOneIsLateASpareThatStarvesIsAskedAgain() throws IOException {
        open("lateAfter=100ms", "hedge.delta=2");
        Address mute = holder(1);
        cluster.datanodeFate(to -> to.equals(mute) ? new Fate.Hangs() : new Fate.Answered());
        cluster.fate(request -> spare(request) ? new Fate.Hangs() : new Fate.Answered());
        assertThat(read(file, 0, 12_288)).isEqualTo(Bytes.range(0, 12_288));
    }

    @Test
    void aSpareThatIsRefusedIsNotHeldAgainstItsChunk() throws IOException {
        open("lateAfter=100ms", "hedge.delta=2");
        Address[] mute = {holder(0), holder(2)};
        cluster.datanodeFate(to -> to.equals(mute[0]) || to.equals(mute[1]) ? new Fate.Hangs() : new Fate.Answered());
        cluster.fate(request -> spare(request) ? new Fate.Fails(ErrorCode.BUSY) : new Fate.Answered());
        assertThat(read(file, 0, 12_288)).isEqualTo(Bytes.range(0, 12_288));
    }

    @Test
    void aSpareThatIsRefusedIsAsIfItHadNotBeenAskedFor() throws IOException {
        open("hedge.delta=1");
        List<Integer> refused = new CopyOnWriteArrayList<>();
        cluster.fate(request -> {
            if (spare(request)) {
                refused.add(((ChunkRequest.ReadChunk) request).chunk().index());
                return new Fate.Fails(ErrorCode.BUSY);
            }
            return new Fate.Answered();
        });
        for (int i = 0; i < 20; i++) {
            assertThat(read(file, 0, 12_288)).isEqualTo(Bytes.range(0, 12_288));
            assertThat(cluster.takeChunkRequests())
                    .extracting(request -> request.chunk().index())
                    .containsExactlyInAnyOrder(0, 1, 2);
        }
        Address broken = holder(1);
        cluster.datanodeFate(to -> to.equals(broken) ? new Fate.Fails(ErrorCode.VOLUME_FAILED) : new Fate.Answered());
        assertThat(read(file, 0, 12_288)).isEqualTo(Bytes.range(0, 12_288));
        assertThat(cluster.takeChunkRequests())
                .as("the one that nobody has asked goes before the one that was refused")
                .extracting(request -> request.chunk().index())
                .containsExactlyInAnyOrder(0, 2, 4);
        assertThat(refused).hasSize(21).containsOnly(3);
        assertThat(badChunks()).isEmpty();
    }

    @Test
    void aSpareThatWasRefusedIsAskedAgainWhenItIsNeeded() throws IOException {
        open("hedge.delta=1");
        Set<Address> broken = Set.of(holder(1), holder(4));
        cluster.datanodeFate(to -> broken.contains(to) ? new Fate.Fails(ErrorCode.VOLUME_FAILED) : new Fate.Answered());
        cluster.fate(request -> spare(request) ? new Fate.Fails(ErrorCode.BUSY) : new Fate.Answered());
        assertThat(read(file, 0, 12_288)).isEqualTo(Bytes.range(0, 12_288));
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        assertThat(spares(requests)).isEmpty();
        assertThat(requests).extracting(request -> request.chunk().index()).containsExactlyInAnyOrder(0, 2, 3);
    }

    @Test
    void lateBindingCallsTheLoserOff() throws IOException {
        open("hedge.delta=1");
        fateOfHolder(2, new Fate.Hangs());
        cluster.takeReadsGivenUp();
        for (int i = 0; i < 3; i++) {
            long at = i * 12_288L;
            assertThat(read(file, at, at + 12_288)).isEqualTo(Bytes.range(at, at + 12_288));
        }
        AtomicInteger givenUp = new AtomicInteger();
        await().atMost(Duration.ofMinutes(2)).until(() -> givenUp.addAndGet(cluster.takeReadsGivenUp()) == 3);
    }

    @Test
    void lateBindingTakesAnyKOfWholeStripesToo() throws IOException {
        open("hedge.delta=2");
        Address[] mute = {holder(0), holder(2)};
        cluster.datanodeFate(to -> to.equals(mute[0]) || to.equals(mute[1]) ? new Fate.Hangs() : new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    @Test
    void healthyReadsAskNothingBeyondWhatTheyNeed() throws IOException {
        open(adaptive("20s"));
        readCellsOfChunkZero(200);
        assertThat(cluster.takeChunkRequests()).hasSize(200);
        Hedging.Counts counts = client.readCounts();
        assertThat(counts).isEqualTo(new Hedging.Counts(200, 0, 0));
    }

    @Test
    void aDatanodeKnownToBeSlowIsNotAskedFirst() throws IOException {
        open(adaptive("1s"));
        readCellsOfChunkZero(20);
        assertThat(read(file, 0, LENGTH)).isEqualTo(Bytes.range(0, LENGTH));
        readCellsOfChunkZero(40);
        fateOfHolder(0, new Fate.Late(NEVER));
        cluster.takeChunkRequests();
        readCellsOfChunkZero(3);
        assertThat(about(cluster.takeChunkRequests(), 0))
                .as("until it is known")
                .isEqualTo(3);
        long hedged = client.readCounts().hedged();
        assertThat(hedged).isGreaterThanOrEqualTo(3);
        readCellsOfChunkZero(100);
        assertThat(about(cluster.takeChunkRequests(), 0))
                .as("trials, one at a time, and this one is never answered")
                .isLessThanOrEqualTo(1);
        assertThat(client.readCounts().hedged()).as("hedges").isLessThanOrEqualTo(hedged + 3);
        cluster.close(); // it would answer the trial late
        client.close();
        client = null;
    }

    @Test
    void slowDatanodeThatRecoversIsAskedAgain() throws IOException {
        open(adaptive("60ms"));
        assertThat(read(file, 0, LENGTH)).isEqualTo(Bytes.range(0, LENGTH));
        readCellsOfChunkZero(60);
        fateOfHolder(0, new Fate.Late(Duration.ofMillis(400)));
        readCellsOfChunkZero(10);
        cluster.takeChunkRequests();
        readCellsOfChunkZero(1);
        assertThat(about(cluster.takeChunkRequests(), 0)).isLessThanOrEqualTo(1);
        cluster.heal();
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            cluster.takeChunkRequests();
            readCellsOfChunkZero(1);
            List<ChunkRequest> requests = cluster.takeChunkRequests();
            return requests.size() == 1 && about(requests, 0) == 1;
        });
        assertThat(client.readCounts().trials()).isPositive();
    }

    @Test
    void lateAnswersAreLetGoWhereTheyArrive() throws IOException {
        start(5, PATIENT.with(adaptive("5ms")).with("hedge.delta=1"));
        write(FILE, POLICY, LENGTH);
        file = Await.result(client.open(FILE));
        Random luck = new Random(8); // used on the cluster's thread only
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk && luck.nextInt(3) == 0
                ? new Fate.Late(Duration.ofMillis(luck.nextInt(60)))
                : new Fate.Answered());
        for (int round = 0; round < 3; round++) {
            assertThat(readAll(FILE)).as("seed 8").isEqualTo(Bytes.range(0, LENGTH));
            try (EcfsInputStream in = Await.result(client.open(FILE)).stream()) {
                assertThat(in.readNBytes(50_000)).as("seed 8").isEqualTo(Bytes.range(0, 50_000));
            }
        }
        readCellsOfChunkZero(100);
    }

    @Test
    void asManyMuteDatanodesAsThereAreParitiesFailNoRead() throws IOException {
        open(adaptive("30ms"));
        assertThat(read(file, 0, LENGTH)).isEqualTo(Bytes.range(0, LENGTH));
        readCellsOfChunkZero(60);
        Set<Address> mute = Set.of(holder(0), holder(4));
        cluster.datanodeFate(to -> mute.contains(to) ? new Fate.Hangs() : new Fate.Answered());
        readCellsOfChunkZero(40);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }
}
