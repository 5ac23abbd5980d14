package io.ecfs.namenode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.IncidentCause;
import io.ecfs.message.LocatedGroup;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.LogKinds;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a chunk that another one stands in for may go. */
class ReplacementsTest {
    private static final ClusterReport.Groups HEALTHY = new ClusterReport.Groups(1, 0, 0, 0);
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final int INDEX = 2;

    private final TestCluster cluster = new TestCluster(5, 7, TestCluster.RECOVERY).ready();
    private final LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
    private final ChunkLocation old = group.chunks().get(INDEX);
    private final ChunkId fresh = new ChunkId(group.group(), INDEX, 1);

    /** Its datanode dies, the chunk is rebuilt elsewhere, and the datanode comes back. */
    private void replaced() {
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.at(old).alive = false;
        cluster.time.advance(Duration.ofSeconds(121));
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        assertThat(now().chunk()).isEqualTo(fresh);
        cluster.at(old).restart();
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
        before.await(() -> before.groups().equals(HEALTHY));
        before.at(gone).restart();
        before.await(() -> before.at(gone).deleted.contains(gone.chunk()));
        assertThat(before.datanodes.values()).allMatch(datanode -> datanode.compared.isEmpty());
    }
}
