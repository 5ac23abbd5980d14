package io.ecfs.namenode.reconstruction;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.PretendDatanode.Rebuilding;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.settings.RecoverySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which groups are not given the grace of a suspected datanode, since they could not lose another chunk. */
class WithoutGraceTest {
    private static final ClusterReport.Groups HEALTHY = new ClusterReport.Groups(1, 0, 0, 0);
    private static final Policy ONE_PARITY = Policy.parse("rs-2-1-4k");

    private final TestCluster cluster = new TestCluster(5, 8, TestCluster.RECOVERY).ready();

    private static List<DatanodeOrder.Rebuild> orders(TestCluster of) {
        return of.datanodes.values().stream()
                .flatMap(d -> d.ordered.stream())
                .distinct()
                .toList();
    }

    private static PretendDatanode holder(TestCluster of, LocatedGroup group, int index) {
        return of.at(group.chunks().get(index));
    }

    private LocatedGroup loseTwo(TestCluster of) {
        LocatedGroup group = of.file("/f", TestCluster.LENGTH).first();
        of.time.advance(Duration.ofSeconds(2));
        holder(of, group, 1).alive = false;
        holder(of, group, 4).alive = false;
        return group;
    }

    private void exit(PretendDatanode datanode) {
        cluster.time.advance(Duration.ofMillis(2));
        datanode.alive = false;
        cluster.refusing.add(datanode.id.name());
        cluster.closeConnection(datanode);
    }

    @Test
    void aGroupThatCouldNotLoseAnotherChunkIsRebuiltWhenItsDatanodesAreSuspected() {
        loseTwo(cluster);
        cluster.time.advance(Duration.ofSeconds(8));
        assertThat(orders(cluster)).isEmpty();
        cluster.time.advance(Duration.ofSeconds(8));
        assertThat(orders(cluster)).as("then it can spare one again").hasSize(1);
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 1, 0, 0));
        cluster.time.advance(Duration.ofSeconds(90));
        assertThat(orders(cluster)).as("the other one has its grace").hasSize(1);
        cluster.await(() -> cluster.groups().equals(HEALTHY));
    }

    @Test
    void processesThatEndedTogetherAreAwaitedForTheSilence() {
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        exit(holder(cluster, group, 1));
        exit(holder(cluster, group, 4));
        cluster.time.advance(Duration.ofSeconds(4));
        assertThat(orders(cluster)).as("they may be restarting").isEmpty();
        cluster.time.advance(Duration.ofSeconds(10)); // silent, and a heartbeat takes the order
        assertThat(orders(cluster)).hasSize(1);
    }

    @Test
    void operatorsMayHaveAllGroupsGivenTheGrace() {
        RecoverySettings usual = TestCluster.RECOVERY;
        TestCluster patient = new TestCluster(
                        5,
                        8,
                        new RecoverySettings(
                                usual.grace(),
                                true,
                                usual.settle(),
                                usual.deadline(),
                                usual.retryAfter(),
                                usual.retryAtMost(),
                                usual.atOnce(),
                                usual.perDatanode()))
                .ready();
        loseTwo(patient);
        patient.time.advance(Duration.ofSeconds(100));
        assertThat(orders(patient)).isEmpty();
    }

    @Test
    void aRestartThatIsShorterThanTheSilenceRebuildsNothing() {
        LocatedGroup group =
                cluster.file("/f", ONE_PARITY.stripeBytes(), ONE_PARITY).first();
        PretendDatanode holder = holder(cluster, group, 0);
        exit(holder);
        cluster.time.advance(Duration.ofSeconds(8));
        assertThat(orders(cluster)).isEmpty();
        cluster.time.advance(Duration.ofSeconds(8));
        assertThat(orders(cluster)).as("it is the only loss, and silent").hasSize(1);
    }

    @Test
    void nothingOfADatanodeInMaintenanceIsRebuiltBeforeItsGrace() {
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        PretendDatanode resting = holder(cluster, group, 1);
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("operator"), resting.id, AdminState.State.IN_MAINTENANCE, Optional.empty()));
        cluster.time.advance(Duration.ofSeconds(2));
        resting.alive = false;
        PretendDatanode other = holder(cluster, group, 4);
        other.alive = false;
        cluster.time.advance(Duration.ofSeconds(16));
        assertThat(orders(cluster)).extracting(order -> order.chunk().index()).containsExactly(4);
    }

    @Test
    void theAttemptEndsWhenTheChunkComesBack() {
        LocatedGroup group = loseTwo(cluster);
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        cluster.await(() -> !orders(cluster).isEmpty());
        ChunkId ordered = orders(cluster).get(0).chunk();
        holder(cluster, group, 1).restart();
        holder(cluster, group, 4).restart();
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        cluster.time.advance(Duration.ofSeconds(200));
        assertThat(cluster.locate("/f")
                        .groups()
                        .get(0)
                        .chunk(ordered.index())
                        .orElseThrow()
                        .chunk())
                .as("as it was before")
                .isEqualTo(group.chunks().get(ordered.index()).chunk());
        assertThat(cluster.datanodes.values()).allMatch(d -> d.deleted.isEmpty());
    }

    @Test
    void aChunkThatWasReplacedIsComparedWhenItsDatanodeComesBack() {
        LocatedGroup group = loseTwo(cluster);
        cluster.await(() -> !orders(cluster).isEmpty());
        int replaced = orders(cluster).get(0).chunk().index();
        cluster.time.advance(Duration.ofSeconds(5));
        holder(cluster, group, 1).restart();
        holder(cluster, group, 4).restart();
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        ChunkId old = group.chunks().get(replaced).chunk();
        cluster.await(() -> holder(cluster, group, replaced).deleted.contains(old));
        assertThat(cluster.datanodes.values()).anyMatch(d -> !d.compared.isEmpty());
    }
}
