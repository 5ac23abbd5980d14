package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.AdminState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.message.report.BalanceReport;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.PretendDatanode.Rebuilding;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Chunks move from fuller volumes to emptier ones, as the leader handles it. */
class BalanceTest {
    private static final long CHUNK = 1 << 20;
    private static final long ROOM = 320 << 20;
    private static final int FILES = 40;
    private static final Duration LONG = Duration.ofMinutes(20);

    private final TestCluster cluster = new TestCluster(8, 6, TestCluster.RECOVERY);

    /** Six datanodes hold all chunks, the seventh is new and empty. */
    private void aNewDatanode(long room) {
        cluster.datanodes.values().forEach(d -> d.capacity = room);
        cluster.ready();
        for (int i = 0; i < FILES; i++) {
            cluster.file("/f" + i, TestCluster.POLICY.dataChunks() * CHUNK);
        }
        PretendDatanode fresh = new PretendDatanode(cluster, 7, "rack1");
        fresh.capacity = room;
        cluster.datanodes.put(7, fresh);
        cluster.await(fresh::registered);
        cluster.time.advance(Duration.ofSeconds(2));
    }

    private BalanceReport ask(Wish wish, int permille) {
        return ((NamespaceReply.Balanced) cluster.call(new NamespaceRequest.Balance(wish, permille))).report();
    }

    private boolean whole() {
        return cluster.groups().equals(new ClusterReport.Groups(FILES, 0, 0, 0));
    }

    private long chunksOnDisks() {
        return cluster.datanodes.values().stream()
                .mapToLong(d -> d.chunks.size())
                .sum();
    }

    private List<Incident> incidents() {
        return ((NamespaceReply.Incidents) cluster.call(new NamespaceRequest.ListIncidents(0, 100))).incidents();
    }

    private List<DatanodeOrder.Rebuild> orders() {
        return cluster.datanodes.values().stream()
                .flatMap(d -> d.ordered.stream())
                .distinct()
                .toList();
    }

    @Test
    // HDFS-16333
    void aNewDatanodeIsFilledWhileEveryGroupKeepsAllItsChunks() {
        aNewDatanode(ROOM);
        BalanceReport plan = ask(Wish.LOOK, 50);
        assertThat(plan.asked()).isFalse();
        assertThat(plan.bytesToMove()).isBetween(10 * CHUNK, 20 * CHUNK);
        assertThat(plan.volumes()).hasSize(7);
        assertThat(plan.volumes().get(6).moveBytes()).isEqualTo(plan.bytesToMove());
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(orders())
                .as("looking moves nothing, and 10 %% are tolerated")
                .isEmpty();

        ask(Wish.BEGIN, 50);
        for (int i = 0; i < 500 && ask(Wish.LOOK, 50).asked(); i++) {
            assertThat(whole()).isTrue();
            cluster.time.advance(Duration.ofMillis(500));
        }
        BalanceReport done = ask(Wish.LOOK, 50);
        assertThat(done.asked()).isFalse();
        assertThat(done.bytesToMove()).isZero();
        assertThat(done.bytesMoved()).isEqualTo(done.chunksMoved() * CHUNK).isBetween(10 * CHUNK, 40 * CHUNK);
        assertThat(cluster.datanodes.get(7).chunks.size()).isGreaterThanOrEqualTo(10);
        assertThat(orders())
                .as("the chunks themselves are read")
                .allSatisfy(order -> assertThat(order.sources())
                        .anyMatch(s -> s.chunk().index() == order.chunk().index()));
        cluster.await(() -> chunksOnDisks() == (long) FILES * TestCluster.POLICY.chunks(), LONG);
        cluster.await(() -> incidents().get(0).healedMillis().isPresent());
        assertThat(incidents()).hasSize(1);
        assertThat(incidents().get(0).cause()).isEqualTo(IncidentCause.uneven());
        assertThat(incidents().get(0).repaired()).isEqualTo(done.chunksMoved());
        assertThat(whole()).isTrue();
        long moves = done.chunksMoved();
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(ask(Wish.LOOK, 50).chunksMoved()).as("and nothing goes back").isEqualTo(moves);
    }

    /**
     * An old chunk stays until it was compared with the new one: nothing else is moved away for the room that it takes.
     */
    @Test
    void nothingMoreIsMovedWhileWhatMovedIsYetToBeCompared() {
        cluster.comparing = Duration.ofMinutes(9);
        aNewDatanode(ROOM);
        cluster.datanodes.get(1).capacity = ROOM / 3;
        cluster.time.advance(Duration.ofSeconds(2));
        long planned = ask(Wish.LOOK, 50).bytesToMove() / CHUNK;
        ask(Wish.BEGIN, 50);
        cluster.time.advance(Duration.ofMinutes(8));
        assertThat(cluster.datanodes.get(1).deleted).isEmpty();
        assertThat(ask(Wish.LOOK, 50).chunksMoved()).isBetween(planned - 3, planned + 3);
    }

    @Test
    void whatIsTooUnevenIsMovedUnaskedAlsoUnderANewLeader() {
        aNewDatanode(160 << 20);
        cluster.await(() -> cluster.datanodes.get(7).chunks.size() > 2, LONG);
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        cluster.await(() -> ask(Wish.LOOK, 0).bytesToMove() == 0, LONG);
        cluster.await(() -> chunksOnDisks() == (long) FILES * TestCluster.POLICY.chunks(), LONG);
        assertThat(whole()).isTrue();
        assertThat(ask(Wish.LOOK, 0).thresholdPermille()).isEqualTo(100);
    }

    @Test
    void endedInTheMiddleItLeavesNoLitter() {
        aNewDatanode(ROOM);
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        ask(Wish.BEGIN, 50);
        cluster.await(() -> !orders().isEmpty());
        assertThat(ask(Wish.LOOK, 50).moving()).isPositive();
        ask(Wish.END, 0);
        cluster.time.advance(Duration.ofSeconds(5));
        int orders = orders().size();
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(orders()).hasSize(orders);
        assertThat(cluster.datanodes.get(7).chunks).isEmpty();
        assertThat(ask(Wish.LOOK, 50).moving()).isZero();
        cluster.await(() -> incidents().get(0).healedMillis().isPresent());
    }

    @Test
    void datanodesThatLeaveGoFirstAndAreNoTargets() {
        aNewDatanode(ROOM);
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"),
                cluster.datanodes.get(7).id,
                AdminState.State.DECOMMISSIONING,
                Optional.empty()));
        ask(Wish.BEGIN, 1);
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(cluster.datanodes.get(7).ordered).isEmpty();
        assertThat(whole()).isTrue();
    }

    @Test
    void oneThatHasLeftHoldsNothingUp() {
        aNewDatanode(ROOM);
        PretendDatanode left = cluster.datanodes.get(7);
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), left.id, AdminState.State.DECOMMISSIONING, Optional.empty()));
        cluster.await(() -> cluster.report().datanodes().stream()
                .anyMatch(d -> d.duty().state() == AdminState.State.DECOMMISSIONED));
        left.alive = false;
        PretendDatanode next = new PretendDatanode(cluster, 8, "rack0");
        next.capacity = ROOM;
        cluster.datanodes.put(8, next);
        cluster.await(next::registered);
        cluster.time.advance(Duration.ofSeconds(2));
        ask(Wish.BEGIN, 50);
        cluster.await(() -> ask(Wish.LOOK, 50).bytesToMove() == 0, LONG);
        assertThat(next.chunks).isNotEmpty();
        assertThat(left.ordered).isEmpty();
    }

    @Test
    void withoutALegalMoveItSaysSo() {
        TestCluster five = new TestCluster(9, 5, TestCluster.RECOVERY);
        five.datanodes.forEach((number, d) -> d.capacity = number == 1 ? 4 * ROOM : ROOM);
        five.ready();
        for (int i = 0; i < 10; i++) {
            five.file("/f" + i, TestCluster.POLICY.dataChunks() * CHUNK);
        }
        five.time.advance(Duration.ofSeconds(2));
        five.call(new NamespaceRequest.Balance(Wish.BEGIN, 5));
        five.time.advance(Duration.ofSeconds(30));
        BalanceReport stuck =
                ((NamespaceReply.Balanced) five.call(new NamespaceRequest.Balance(Wish.LOOK, 5))).report();
        assertThat(stuck.bytesToMove()).isPositive();
        assertThat(stuck.moving()).isZero();
        assertThat(stuck.waiting().orElseThrow()).contains("another chunk of the group");
    }

    @Test
    void onlyTheSuperuserBeginsIt() {
        cluster.ready();
        assertThat(cluster.failure(cluster.namenodes
                                .get("nn0")
                                .namespace(
                                        new CallerIdentity("eve", List.of("users")),
                                        new NamespaceRequest.Balance(Wish.BEGIN, 50)))
                        .code())
                .isEqualTo(ErrorCode.ACCESS_DENIED);
    }
}
