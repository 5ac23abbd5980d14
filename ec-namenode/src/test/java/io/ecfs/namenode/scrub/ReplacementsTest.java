package io.ecfs.namenode.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.LogKinds;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a chunk that another one stands in for may go. */
class ReplacementsTest {
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final int INDEX = 2;

    private final TestCluster cluster = new TestCluster(5, 7, TestCluster.RECOVERY).ready();
    private final LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
    private final ChunkLocation old = group.chunks().get(INDEX);
    private final ChunkId fresh = new ChunkId(group.group(), INDEX, 1);

    /** Its datanode dies, the chunk is rebuilt elsewhere, and the datanode comes back. */
    private void replaced() {
        replaced(1);
    }

    /** @param groups of the cluster */
    private void replaced(int groups) {
        rebuilt(groups);
        cluster.at(old).restart();
    }

    private void rebuilt(int groups) {
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.at(old).alive = false;
        cluster.time.advance(Duration.ofSeconds(121));
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(groups, 0, 0, 0)), Duration.ofMinutes(5));
        assertThat(now().chunk()).isEqualTo(fresh);
    }

    /**
     * As {@link #replaced()}, but the datanode died before recovery, which sealed the group, had the chunk published.
     */
    private void replacedBeforeItWasPublished(long bytes) {
        rebuilt(1);
        ChunkRecord whole = cluster.at(old).chunks.get(old.chunk());
        ChunkRecord open = new ChunkRecord(
                old.chunk(),
                ChunkState.BEING_WRITTEN,
                bytes,
                Math.min(bytes, layout().fullStripeChunkBytes()),
                whole.groupLength(),
                whole.stamp());
        cluster.at(old).chunks.put(old.chunk(), open);
        cluster.at(old).restart();
    }

    private long wholeBytes() {
        return layout().chunkBytes(INDEX);
    }

    private GroupLayout layout() {
        return new GroupLayout(group.policy(), TestCluster.LENGTH);
    }

    private ChunkLocation now() {
        return cluster.locate("/f").groups().get(0).chunk(INDEX).orElseThrow();
    }

    private List<DatanodeOrder.Compare> comparisons() {
        return cluster.datanodes.values().stream()
                .flatMap(datanode -> datanode.compared.stream())
                .toList();
    }

    private boolean disputed() {
        try (MetadataView facts = cluster.facts(cluster.leader())) {
            return facts.incidentsGoingOn().stream()
                    .anyMatch(incident -> incident.cause().equals(IncidentCause.disputed()));
        }
    }

    @Test
    void aThirdDatanodeComparesThemFirst() {
        replaced();
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()));
        assertThat(comparisons()).isNotEmpty().allSatisfy(order -> {
            assertThat(order.fresh().chunk()).isEqualTo(fresh);
            assertThat(order.old().chunk()).isEqualTo(old.chunk());
            assertThat(cluster.at(order.fresh()).id).isNotEqualTo(cluster.at(order.old()).id);
        });
        assertThat(cluster.at(old).compared).isEmpty();
        assertThat(cluster.at(now()).compared).isEmpty();
    }

    /** A rotten one could not be compared for ever, and would stay. */
    @Test
    void aComplaintAboutTheOldChunkHasItVerified() {
        cluster.unread.add(fresh);
        replaced();
        cluster.await(() -> !comparisons().isEmpty());
        ChunkRecord whole = cluster.at(old).chunks.get(old.chunk());
        cluster.at(old)
                .chunks
                .put(
                        old.chunk(),
                        new ChunkRecord(
                                old.chunk(),
                                ChunkState.CORRUPT,
                                whole.bytes(),
                                whole.fullStripeBytes(),
                                whole.groupLength(),
                                whole.stamp()));
        cluster.call(new NamespaceRequest.ReportBadChunks(
                List.of(new BadChunk(old.chunk(), old.volume(), old.datanode(), BadChunk.Reason.CORRUPT))));
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()));
    }

    /** HORRORS: a datanode that says FINALISED of a chunk that it does not have would delete the only good one. */
    @Test
    void aHolderThatLiesMakesNoGoodChunkGarbage() {
        cluster.liars.add(fresh);
        replaced();
        cluster.await(() -> !comparisons().isEmpty());
        cluster.time.advance(LONG);
        assertThat(cluster.at(old).deleted).isEmpty();
        assertThat(cluster.garbage()).isZero();
        assertThat(disputed()).isTrue();
    }

    @Test
    void anUnpublishedWholeChunkIsNotGarbageOnTheWordOfItsTarget() {
        cluster.liars.add(fresh);
        replacedBeforeItWasPublished(wholeBytes());
        cluster.await(() -> !comparisons().isEmpty());
        cluster.time.advance(LONG);
        assertThat(cluster.at(old).deleted).isEmpty();
        assertThat(cluster.garbage()).isZero();
        assertThat(disputed()).isTrue();
    }

    @Test
    void aWholeChunkThatWasNeverPublishedGoesOnceItIsCompared() {
        replacedBeforeItWasPublished(wholeBytes());
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()));
        assertThat(comparisons()).hasSize(1);
    }

    @Test
    void anOpenChunkThatLacksBytesIsNotCompared() {
        replacedBeforeItWasPublished(wholeBytes() - 1);
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()));
        assertThat(comparisons()).isEmpty();
    }

    @Test
    void aHolderThatGivesNothingMakesNoGoodChunkGarbage() {
        cluster.unread.add(fresh);
        replaced();
        cluster.time.advance(LONG);
        assertThat(cluster.at(old).deleted).isEmpty();
        assertThat(comparisons().size()).as("asked again now and then").isBetween(2, 60);

        cluster.unread.clear();
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()), Duration.ofMinutes(5));
    }

    @Test
    void theNextLeaderHasThemComparedToo() {
        cluster.unread.add(fresh);
        replaced();
        cluster.time.advance(Duration.ofMinutes(1));
        cluster.elect(cluster.leader().equals("nn0") ? "nn1" : "nn0");
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(cluster.at(old).deleted).isEmpty();
        cluster.unread.clear();
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()), Duration.ofMinutes(5));
    }

    /** A pace that is set low makes a comparison late, not impossible. */
    @Test
    void oneThatIsLateGetsMoreTime() {
        cluster.comparing = Duration.ofHours(2);
        replaced();
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()), Duration.ofHours(8));
        assertThat(comparisons().size()).isBetween(2, 5);
    }

    /** It may be the reader that is wrong: a datanode with bad memory keeps no old chunk for ever. */
    @Test
    void anotherDatanodeIsAskedWhenOneCallsThemDifferent() {
        cluster.datanodes.values().forEach(datanode -> cluster.falseReaders.add(datanode.id));
        replaced();
        cluster.await(() -> !comparisons().isEmpty());
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(comparisons()).hasSize(1);
        assertThat(disputed()).isTrue();

        PretendDatanode first = cluster.datanodes.values().stream()
                .filter(datanode -> !datanode.compared.isEmpty())
                .findFirst()
                .orElseThrow();
        cluster.falseReaders.removeIf(datanode -> !datanode.equals(first.id));
        cluster.time.advance(LONG);
        assertThat(comparisons()).as("nothing is asked for again and again").hasSize(1);
        assertThat(cluster.at(old).deleted).isEmpty();
        cluster.await(() -> cluster.at(old).deleted.contains(old.chunk()), Duration.ofHours(2));
        assertThat(first.compared).hasSize(1);
        cluster.await(() -> !disputed(), Duration.ofMinutes(1));
    }

    /** A datanode of many small files is back, or leaves. */
    @Test
    void manySmallChunksAreComparedAtATime() {
        int files = 85; // so that no volume comes near TestCluster.CHUNKS_PER_VOLUME
        for (int i = 0; i < files; i++) {
            cluster.file("/small" + i, TestCluster.LENGTH);
        }
        replaced(files + 1);
        long many = cluster.at(old).chunks.size();
        assertThat(many).isGreaterThan(50);
        cluster.await(() -> !comparisons().isEmpty());
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(comparisons().size()).isGreaterThanOrEqualTo((int) many);
        cluster.await(() -> cluster.at(old).deleted.size() == many);
    }

    /** What is left of the group lies with the two whose chunks are compared. */
    @Test
    void aDatanodeWithoutAChunkOfTheGroupComparesWhereNoOtherIsLeft() {
        TestCluster small = new TestCluster(5, 3, TestCluster.RECOVERY).ready();
        small.file("/two", 777, Policy.parse("replication-2"));
        LocatedGroup two = small.locate("/two").groups().get(0);
        ChunkLocation first = two.chunks().get(0);
        ChunkLocation second = two.chunks().get(1);
        small.unread.add(new ChunkId(two.group(), 0, 1));
        small.at(first).alive = false;
        small.time.advance(Duration.ofMinutes(4));
        small.at(first).restart();
        small.time.advance(Duration.ofSeconds(10));
        small.at(second).alive = false;
        small.time.advance(Duration.ofMinutes(4));
        small.at(second).restart();
        assertThat(small.at(first).chunks.keySet()).contains(first.chunk(), new ChunkId(two.group(), 1, 1));

        small.unread.clear();
        small.await(() -> small.at(first).deleted.contains(first.chunk()), Duration.ofMinutes(5));
    }

    /** Datanodes of level 1 do not know how. */
    @Test
    void atLevelOneNothingIsCompared() {
        TestCluster before = new TestCluster(
                        1, 7, TestCluster.RECOVERY, new CommandCodec(FeatureLevel.FIRST, LogKinds.COMMANDS))
                .ready();
        LocatedGroup its = before.file("/f", TestCluster.LENGTH).first();
        ChunkLocation gone = its.chunks().get(INDEX);
        before.time.advance(Duration.ofSeconds(2));
        before.at(gone).alive = false;
        before.time.advance(Duration.ofSeconds(121));
        before.await(() -> before.groups().equals(new ClusterReport.Groups(1, 0, 0, 0)));
        before.at(gone).restart();
        before.await(() -> before.at(gone).deleted.contains(gone.chunk()));
        assertThat(before.datanodes.values()).allMatch(datanode -> datanode.compared.isEmpty());
    }
}
