package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.ring.RoleTimes;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Reads of groups whose volumes take turns in writing. Chunk i of the only group is on datanode i, whose volume has
 * colour i; the clock stands still unless a test advances it.
 */
@Timeout(300)
class RingReadTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final long STRIPE = 12_288;
    private static final long LENGTH = 4 * STRIPE;

    private FileReader file;
    private int requests;

    /** Two of five colours write: at position 0 these are 3 and 4, at position 3 they are 1 and 2. */
    private static RingState ring(int position) {
        List<RingVolume> volumes = IntStream.range(0, 5)
                .mapToObj(colour -> new RingVolume(
                        new VolumeId(colour + 1),
                        new DatanodeId("dn" + colour),
                        Optional.empty(),
                        Optional.of(colour),
                        RingVolume.Duty.ACTIVE,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(true)))
                .toList();
        return new RingState(
                new RingId(2),
                "flash",
                1,
                5,
                2,
                false,
                10_000,
                position,
                5_000,
                false,
                false,
                volumes,
                1,
                List.of(),
                Optional.empty());
    }

    private void open(Optional<RingState> ring, String... settings) throws IOException {
        start(5, config().with(settings));
        cluster.holdClock();
        cluster.on(c -> c.namenode().rings = ring.stream().toList());
        write(FILE, POLICY, LENGTH);
        file = Await.result(client.open(FILE));
        cluster.takeChunkRequests();
    }

    /** The colours of the volumes that are asked for these bytes. */
    private Set<Integer> asked(long from, long to) throws IOException {
        cluster.takeChunkRequests();
        assertThat(read(file, from, to)).isEqualTo(Bytes.range(from, to));
        List<Integer> indexes = cluster.takeChunkRequests().stream()
                .filter(ChunkRequest.ReadChunk.class::isInstance)
                .map(request -> request.chunk().index())
                .toList();
        requests += indexes.size();
        return new TreeSet<>(indexes);
    }

    private Set<Integer> askedForChunk(int index) throws IOException {
        return asked(4096L * index + 100, 4096L * index + 200);
    }

    /** Counts of all reads so far: those of one chunk are reported a moment after they end. */
    private RoleTimes.Counts counts() {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            RoleTimes.Counts counts = client.roleCounts();
            return counts.reading().reads() + counts.writing().reads() == requests;
        });
        return client.roleCounts();
    }

    private void writes(int datanode, boolean writes) {
        cluster.on(c -> c.datanode(c.addressOf(datanode)).writing = writes);
    }

    private long polls() {
        return namenodeRequests().stream()
                .filter(NamespaceRequest.GetRings.class::isInstance)
                .count();
    }

    /** The datanodes say what the position of the ring says. */
    private void turnTo(int position) {
        IntStream.range(0, 5).forEach(colour -> writes(colour, new Ring(5, 2).writes(colour, position)));
    }

    /** Opens the file in a ring at position 3, and reads until the client knows that 1 and 2 write. */
    private void openInRing(String... settings) throws IOException {
        open(Optional.of(ring(3)), settings);
        turnTo(3);
        await().atMost(Duration.ofMinutes(2)).until(() -> askedForChunk(1).equals(Set.of(0, 3, 4)));
    }

    @Test
    void aClientOfAClusterWithoutRingsAsksForNone() throws IOException {
        open(Optional.empty());
        assertThat(asked(0, LENGTH)).containsExactly(0, 1, 2);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(polls()).isZero();
        assertThat(client.roleCounts().reading().reads()).isZero();
    }

    @Test
    void readsGoAroundTheVolumesThatWriteAndFollowTheTurns() throws IOException {
        openInRing();
        assertThat(asked(0, LENGTH)).containsExactly(0, 3, 4);
        assertThat(askedForChunk(0)).containsExactly(0);
        assertThat(polls()).isEqualTo(1);
        turnTo(4); // 2 and 3 write
        cluster.advanceClock(Duration.ofSeconds(10));
        assertThat(asked(0, LENGTH)).containsExactly(0, 1, 4);
        assertThat(askedForChunk(1)).containsExactly(1);
        turnTo(0);
        cluster.advanceClock(Duration.ofSeconds(10));
        assertThat(asked(0, LENGTH)).containsExactly(0, 1, 2);
        assertThat(polls()).isEqualTo(1);
        assertThat(client.roleCounts().contradictions()).isZero();
    }

    @Test
    void readsOfManyRangesGoAroundAsWell() throws IOException {
        openInRing();
        cluster.takeChunkRequests();
        List<RangeResult> results = Await.result(
                client.readAll(List.of(new FileRange(FILE, 0, STRIPE), new FileRange(FILE, 2 * STRIPE, 3 * STRIPE))));
        assertThat(results).allMatch(RangeResult.Read.class::isInstance);
        assertThat(cluster.takeChunkRequests())
                .extracting(request -> request.chunk().index())
                .containsOnly(0, 3, 4);
    }

    @Test
    void whatCannotBeDecodedWithoutAWriterTakesOne() throws IOException {
        openInRing();
        cluster.stop(cluster.addressOf(3));
        assertThat(asked(0, STRIPE)).as("of those that answer").containsExactly(0, 1, 4);
        RoleTimes.Counts before = counts();
        assertThat(asked(0, STRIPE)).containsExactly(0, 1, 4);
        RoleTimes.Counts counts = counts().since(before);
        assertThat(counts.needed()).isEqualTo(1);
        assertThat(counts.cheaper()).isZero();
        assertThat(counts.reading().reads()).isEqualTo(2);
        assertThat(counts.writing().reads()).isEqualTo(1);
        assertThat(counts.writing().quantileNanos(0.5)).isPositive();
    }

    @Test
    void lateBindingAsksNoWriterForASpare() throws IOException {
        openInRing("hedge.delta=2");
        assertThat(asked(0, LENGTH)).containsExactly(0, 3, 4);
    }

    @Test
    void anAnswerThatSaysWritingSendsTheNextReadsAround() throws IOException {
        open(Optional.empty());
        writes(1, true);
        for (int turn = 0; turn < 3; turn++) {
            assertThat(asked(0, STRIPE)).containsExactly(0, 1, 2);
            assertThat(asked(0, STRIPE)).containsExactly(0, 2, 3);
            assertThat(askedForChunk(1)).containsExactly(0, 2, 3);
            cluster.advanceClock(Duration.ofSeconds(2)); // then it is tried again
        }
        writes(1, false);
        for (int i = 0; i < 3; i++) {
            assertThat(asked(0, STRIPE)).containsExactly(0, 1, 2);
        }
        assertThat(polls()).isZero();
        assertThat(client.roleCounts().writing().reads()).isEqualTo(3);
    }

    @Test
    void soDoesTheAnswerToAReadOfOneChunk() throws IOException {
        open(Optional.empty());
        writes(1, true);
        await().atMost(Duration.ofMinutes(2)).until(() -> !askedForChunk(1).contains(1));
    }

    @Test
    void anAnswerAgainstThePositionOfTheRingCounts() throws IOException {
        openInRing();
        writes(4, true);
        cluster.advanceClock(Duration.ofSeconds(1));
        assertThat(asked(0, STRIPE)).containsExactly(0, 3, 4);
        assertThat(asked(0, STRIPE))
                .as("one writer is needed, the first that is wanted")
                .containsExactly(0, 1, 3);
        assertThat(client.roleCounts().contradictions()).isEqualTo(1);
        await().atMost(Duration.ofMinutes(2)).until(() -> polls() == 2);
    }

    /** It has drained everything before its turn. */
    @Test
    void aVolumeThatReadsBeforeItsTurnIsFoundByTrials() throws IOException {
        openInRing();
        writes(1, false);
        for (int read = 0; read < 60; read++) {
            cluster.advanceClock(Duration.ofMillis(10));
            askedForChunk(1);
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> askedForChunk(1).equals(Set.of(1)));
        assertThat(asked(0, LENGTH)).containsExactly(0, 1, 3);
        assertThat(polls()).isEqualTo(1);
        writes(1, true);
        assertThat(asked(0, LENGTH)).as("one more, which finds out").containsExactly(0, 1, 3);
        await().atMost(Duration.ofMinutes(2)).until(() -> askedForChunk(1).equals(Set.of(0, 3, 4)));
    }
}
