package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.AdminState.State;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceReply.StopChecked;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.PretendDatanode.Rebuilding;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Datanodes that leave, rest and come back, as the leader handles them. */
class DrainTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final TestCluster cluster = new TestCluster(6, 7, TestCluster.RECOVERY).ready();
    private final List<String> paths = new ArrayList<>();

    private void files(int count) {
        for (int i = 0; i < count; i++) {
            paths.add("/f" + paths.size());
            cluster.file(paths.get(paths.size() - 1), TestCluster.LENGTH);
        }
        cluster.time.advance(Duration.ofSeconds(2));
    }

    private PretendDatanode dn(int number) {
        return cluster.datanodes.get(number);
    }

    private void want(int number, State state) {
        cluster.call(
                new NamespaceRequest.SetAdminState(cluster.request("admin"), dn(number).id, state, Optional.empty()));
    }

    private void maintenance(int number, Duration time) {
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), dn(number).id, State.IN_MAINTENANCE, Optional.of(time.toMillis())));
    }

    private ClusterReport.Datanode report(int number) {
        return cluster.report().datanodes().stream()
                .filter(d -> d.id().equals(dn(number).id))
                .findFirst()
                .orElseThrow();
    }

    private State adminState(int number) {
        return report(number).duty().state();
    }

    private boolean whole() {
        return cluster.groups().equals(new ClusterReport.Groups(paths.size(), 0, 0, 0));
    }

    private Stream<ChunkLocation> placed() {
        return paths.stream()
                .flatMap(path -> cluster.locate(path).groups().stream())
                .map(LocatedGroup::chunks)
                .flatMap(List::stream);
    }

    private long placedOn(int number) {
        return placed().filter(c -> c.datanode().equals(dn(number).id)).count();
    }

    private List<DatanodeOrder.Rebuild> orders() {
        return cluster.datanodes.values().stream()
                .flatMap(d -> d.ordered.stream())
                .distinct()
                .toList();
    }

    private void rebuilding(Rebuilding how) {
        cluster.datanodes.values().forEach(d -> d.rebuilding = how);
    }

    private List<Incident> incidents() {
        return ((NamespaceReply.Incidents) cluster.call(new NamespaceRequest.ListIncidents(0, 100))).incidents();
    }

    private long attempts(IncidentCause cause) {
        return incidents().stream()
                .filter(i -> i.cause().equals(cause))
                .mapToLong(Incident::attempts)
                .sum();
    }

    private static boolean copies(DatanodeOrder.Rebuild order) {
        return order.sources().stream()
                .anyMatch(s -> s.chunk().index() == order.chunk().index());
    }

    @Test
    void aDatanodeIsDecommissionedWhenAllItsChunksHaveMoved() {
        files(20);
        long before = placedOn(3);
        assertThat(before).isPositive();
        want(3, State.DECOMMISSIONING);
        int looks = 0;
        while (adminState(3) != State.DECOMMISSIONED && looks++ < 2000) {
            assertThat(whole()).as("every group keeps all its chunks").isTrue();
            cluster.time.advance(Duration.ofMillis(200));
        }
        assertThat(adminState(3)).isEqualTo(State.DECOMMISSIONED);
        assertThat(placedOn(3)).isZero();
        assertThat(dn(3).chunks).isEmpty();
        assertThat(dn(3).deleted).hasSize((int) before);
        Incident incident = incidents().get(0);
        assertThat(incident.cause()).isEqualTo(IncidentCause.leaving(dn(3).id));
        assertThat(incident.repaired()).isEqualTo(before);
        assertThat(incident.healedMillis()).isPresent();
        dn(3).alive = false;
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(whole()).isTrue();
        assertThat(incidents()).as("nobody misses it").hasSize(1);
    }

    /** Until its old chunks are compared with those that stand in for them, they may be the only good ones. */
    @Test
    void itIsNotDecommissionedBeforeWhatMovedAwayIsComparedAndGone() {
        files(5);
        for (String path : paths) {
            cluster.locate(path).groups().get(0).chunks().stream()
                    .filter(chunk -> chunk.datanode().equals(dn(3).id))
                    .forEach(chunk -> cluster.unread.add(
                            new ChunkId(chunk.chunk().group(), chunk.chunk().index(), 1)));
        }
        assertThat(cluster.unread).isNotEmpty();
        want(3, State.DECOMMISSIONING);
        cluster.await(() -> placedOn(3) == 0, LONG);
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(adminState(3)).isEqualTo(State.DECOMMISSIONING);
        ClusterReport.Drain drain = report(3).drain().orElseThrow();
        assertThat(drain.chunksLeft()).isZero();
        assertThat(drain.waiting().orElseThrow()).contains("not compared");
        cluster.elect(cluster.leader().equals("nn1") ? "nn2" : "nn1");
        cluster.await(() -> !cluster.report().safeMode());
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(adminState(3)).isEqualTo(State.DECOMMISSIONING);
        cluster.unread.clear();
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
        assertThat(dn(3).chunks).isEmpty();
    }

    /** A group that nobody can read keeps every chunk that there is of it. */
    @Test
    void anOldChunkOfALostGroupDoesNotKeepItFromBeingDecommissioned() {
        files(1);
        List<ChunkLocation> chunks = cluster.locate("/f0").groups().get(0).chunks();
        ChunkLocation moved = chunks.get(0);
        int leaving = number(moved.datanode());
        cluster.unread.add(new ChunkId(moved.chunk().group(), 0, 1));
        want(leaving, State.DECOMMISSIONING);
        cluster.await(() -> placedOn(leaving) == 0, LONG);
        chunks.subList(1, 4).forEach(lost -> cluster.at(lost).loseHeader(lost.chunk()));
        cluster.await(() -> adminState(leaving) == State.DECOMMISSIONED, LONG);
        assertThat(dn(leaving).chunks).containsOnlyKeys(moved.chunk());
    }

    /** A chunk that a group was sealed without may come back by itself for a while: nothing else moves meanwhile. */
    @Test
    void aGroupThatWasSealedWithoutAChunkGetsItBeforeAnotherOneMoves() {
        int last = TestCluster.POLICY.chunks() - 1;
        NamespaceReply.Created file = cluster.create("writer", "/short");
        cluster.complete("writer", file.status().inode(), cluster.write(file.first(), TestCluster.LENGTH, last));
        int leaving = cluster.datanodes.entrySet().stream()
                .filter(d -> d.getValue().id.equals(file.first().chunks().get(0).datanode()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        want(leaving, State.DECOMMISSIONING);
        cluster.await(() -> !orders().isEmpty());
        assertThat(orders()).extracting(order -> order.chunk().index()).containsExactly(last);
        cluster.await(() -> adminState(leaving) == State.DECOMMISSIONED, LONG);
    }

    /** A rollback of the namenodes may leave one: nothing is known of what an open group will be. */
    @Test
    void aChunkOfAnOpenGroupDoesNotKeepItFromBeingDecommissioned() {
        LocatedGroup open = cluster.create("writer", "/open").first();
        PretendDatanode leaving = cluster.datanodes.values().stream()
                .filter(d -> open.chunks().stream()
                        .noneMatch(chunk -> chunk.datanode().equals(d.id)))
                .findFirst()
                .orElseThrow();
        cluster.writeOpen(open, 1, 1, 1, 1, 1);
        ChunkId left = new ChunkId(open.group(), 0, 1);
        leaving.put(new ChunkRecord(left, ChunkState.FINALISED, 0, 0, 0, Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(2));
        want(number(leaving.id), State.DECOMMISSIONING);
        cluster.await(() -> adminState(number(leaving.id)) == State.DECOMMISSIONED, LONG);
        assertThat(leaving.chunks).containsOnlyKeys(left);
    }

    /** HDFS-14768, HDFS-16776: a busy datanode that leaves is one source of its own index and of no other. */
    @Test
    void chunksAreCopiedFromItAndComputedFromTheOthersInTurn() {
        files(30);
        want(3, State.DECOMMISSIONING);
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
        long copied = orders().stream().filter(DrainTest::copies).count();
        assertThat(copied).isBetween(orders().size() / 5L, orders().size() * 4L / 5);
        assertThat(orders())
                .allSatisfy(order -> assertThat(order.sources().stream()
                                .filter(s -> s.chunk().index() != order.chunk().index()))
                        .hasSize(4));
    }

    @Test
    void itGetsNoNewChunksAndNeitherDoesOneInMaintenance() {
        want(3, State.DECOMMISSIONING);
        want(4, State.IN_MAINTENANCE);
        files(10);
        assertThat(placedOn(3) + placedOn(4)).isZero();
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED);
        want(3, State.IN_SERVICE);
        want(4, State.IN_SERVICE);
        files(10);
        assertThat(placedOn(3)).isPositive();
        assertThat(placedOn(4)).isPositive();
    }

    @Test
    void damageGoesFirstAndMovesTakeAtMostHalfOfThePlaces() {
        files(30);
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        want(3, State.DECOMMISSIONING);
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(orders()).hasSize(2);
        dn(5).alive = false;
        // Past its death and the deadline of the moves that were under way then.
        cluster.time.advance(Duration.ofSeconds(190));
        long moves = attempts(IncidentCause.leaving(dn(3).id));
        long repairs = attempts(IncidentCause.dead(dn(5).id));
        cluster.time.advance(Duration.ofSeconds(90));
        assertThat(attempts(IncidentCause.leaving(dn(3).id))).isEqualTo(moves);
        assertThat(attempts(IncidentCause.dead(dn(5).id)))
                .isGreaterThan(repairs)
                .isPositive();
        rebuilding(Rebuilding.AT_ONCE);
        cluster.await(this::whole, LONG);
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
        assertThat(placedOn(3)).isZero();
    }

    @Test
    void aLossInAGroupWhoseChunkIsBeingMovedTakesTheMovesPlace() {
        files(1);
        ChunkLocation moved = cluster.locate("/f0").groups().get(0).chunks().get(0);
        ChunkLocation lost = cluster.locate("/f0").groups().get(0).chunks().get(1);
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        want(number(moved.datanode()), State.DECOMMISSIONING);
        cluster.await(() -> orders().size() == 1);
        cluster.at(lost).state = VolumeState.FAILED;
        cluster.await(() -> orders().size() == 2);
        assertThat(orders()).extracting(o -> o.chunk().index()).containsExactlyInAnyOrder(0, 1);
        rebuilding(Rebuilding.AT_ONCE);
        cluster.await(this::whole, LONG);
        cluster.await(() -> adminState(number(moved.datanode())) == State.DECOMMISSIONED, LONG);
    }

    private static int number(DatanodeId id) {
        return Integer.parseInt(id.name().substring(2));
    }

    @Test
    void withoutALegalTargetItWaitsSaysWhyAndGoesOnWhenThereIsOne() {
        files(5);
        want(1, State.DECOMMISSIONING);
        cluster.await(() -> adminState(1) == State.DECOMMISSIONED, LONG);
        want(2, State.DECOMMISSIONING);
        cluster.await(() -> adminState(2) == State.DECOMMISSIONED, LONG);
        want(3, State.DECOMMISSIONING);
        cluster.await(
                () -> report(3).drain().flatMap(ClusterReport.Drain::waiting).isPresent());
        String why = report(3).drain().orElseThrow().waiting().orElseThrow();
        assertThat(why)
                .contains("no datanode may take the chunk: 0 datanodes can take a chunk")
                .contains("3 decommissioned (dn1, dn2, dn3)")
                .contains("4 with another chunk of the group");
        assertThat(report(3).drain().orElseThrow().chunksLeft()).isEqualTo(5);
        assertThat(report(3).drain().orElseThrow().etaSeconds()).isEmpty();
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(adminState(3)).isEqualTo(State.DECOMMISSIONING);
        assertThat(whole()).isTrue();
        want(1, State.IN_SERVICE);
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
        assertThat(placedOn(1)).isEqualTo(5);
    }

    @Test
    void aDrainThatWaitsHasNoTimeOfCompletion() {
        files(20);
        want(3, State.DECOMMISSIONING);
        cluster.await(() -> report(3).drain().filter(d -> d.chunksMoved() > 3).isPresent(), LONG);
        cluster.datanodes.values().stream()
                .map(d -> number(d.id))
                .filter(number -> number != 3)
                .forEach(number -> want(number, State.IN_MAINTENANCE));
        cluster.await(
                () -> report(3).drain().flatMap(ClusterReport.Drain::waiting).isPresent(), LONG);
        assertThat(report(3).drain().orElseThrow().etaSeconds()).isEmpty();
    }

    @Test
    void aNewLeaderGoesOnWithItAndWithTheAttemptUnderWay() {
        files(20);
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        want(3, State.DECOMMISSIONING);
        cluster.await(() -> !orders().isEmpty());
        cluster.time.advance(Duration.ofSeconds(1));
        List<DatanodeOrder.Rebuild> first = orders();
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        rebuilding(Rebuilding.AT_ONCE);
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
        assertThat(whole()).isTrue();
        assertThat(placed().map(ChunkLocation::chunk))
                .containsAll(first.stream().map(DatanodeOrder.Rebuild::chunk).toList());
        assertThat(incidents()).hasSize(1);
    }

    @Test
    void recommissionInTheMiddleKeepsWhatIsThereAndLeavesNoLitter() {
        files(20);
        long before = placedOn(3);
        want(3, State.DECOMMISSIONING);
        cluster.await(() -> placedOn(3) < before - 2, LONG);
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        cluster.time.advance(Duration.ofSeconds(3));
        want(3, State.IN_SERVICE);
        long left = placedOn(3);
        assertThat(left).isPositive();
        cluster.time.advance(Duration.ofSeconds(2));
        int orders = orders().size();
        rebuilding(Rebuilding.AT_ONCE);
        cluster.time.advance(Duration.ofMinutes(3));
        assertThat(orders()).hasSize(orders);
        assertThat(placedOn(3)).isEqualTo(left);
        assertThat(whole()).isTrue();
        cluster.await(() -> cluster.garbage() == 0);
        assertThat(cluster.datanodes.values().stream()
                        .mapToInt(d -> d.chunks.size())
                        .sum())
                .isEqualTo(20 * TestCluster.POLICY.chunks());
        assertThat(incidents().get(0).healedMillis()).isPresent();
        assertThat(report(3).drain()).isEmpty();
    }

    @Test
    void oneThatDiesOnItsWayOutIsRepairedAndThenDecommissioned() {
        files(10);
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        want(3, State.DECOMMISSIONING);
        dn(3).alive = false;
        cluster.time.advance(Duration.ofSeconds(60));
        rebuilding(Rebuilding.AT_ONCE);
        assertThat(adminState(3)).isEqualTo(State.DECOMMISSIONING);
        cluster.await(this::whole, LONG);
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
    }

    @Test
    void theReportTellsWhatIsLeftAndWhenItWillBeReady() {
        files(30);
        long before = placedOn(3);
        want(3, State.DECOMMISSIONING);
        cluster.await(() -> report(3).drain().filter(d -> d.chunksMoved() > 3).isPresent(), LONG);
        ClusterReport.Drain drain = report(3).drain().orElseThrow();
        assertThat(drain.chunksLeft() + drain.chunksMoved()).isEqualTo(before);
        assertThat(drain.bytesLeft()).isPositive();
        assertThat(drain.bytesMoved()).isEqualTo(0); // pretended targets measure nothing
        assertThat(drain.waiting()).isEmpty();
        long eta = drain.etaSeconds().orElseThrow();
        long start = cluster.time.nanos();
        cluster.await(() -> adminState(3) == State.DECOMMISSIONED, LONG);
        assertThat(Duration.ofNanos(cluster.time.nanos() - start).toSeconds()).isBetween(eta / 3, eta * 3 + 5);
    }

    @Test
    void oneInMaintenanceMayBeStoppedWithoutARepairUntilItsTimeIsOver() {
        files(5);
        maintenance(3, Duration.ofMinutes(30));
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(placed().filter(c -> c.datanode().equals(dn(3).id)))
                .isNotEmpty()
                .allMatch(c -> c.state() == ChunkLocation.State.LAST_RESORT);
        dn(3).alive = false;
        cluster.time.advance(Duration.ofMinutes(28));
        assertThat(orders()).isEmpty();
        assertThat(incidents()).isEmpty();
        NamespaceReply.Problems problems = (NamespaceReply.Problems)
                cluster.call(new NamespaceRequest.FindProblems(new io.ecfs.message.FilePath("/"), false, 0, 10));
        assertThat(problems.problems().get(0).doing()).contains("dn3 is in maintenance, for another 1");
        cluster.time.advance(Duration.ofMinutes(3));
        assertThat(adminState(3)).isEqualTo(State.IN_SERVICE);
        cluster.await(this::whole, LONG);
        Incident dead = incidents().get(0);
        assertThat(dead.cause()).isEqualTo(IncidentCause.dead(dn(3).id));
        assertThat(dead.checkingMillis().orElseThrow())
                .as("maintenance is no checking")
                .isLessThan(10_000);
    }

    @Test
    void oneThatComesBackInItsMaintenanceHasLostNothing() {
        files(5);
        want(3, State.IN_MAINTENANCE);
        dn(3).alive = false;
        cluster.time.advance(Duration.ofMinutes(20));
        dn(3).restart();
        cluster.await(this::whole);
        want(3, State.IN_SERVICE);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(orders()).isEmpty();
        assertThat(dn(3).deleted).isEmpty();
    }

    @Test
    void groupsThatHaveNoChunkToSpareWithoutItAreRepairedAllTheSame() {
        files(20);
        // rs-3-2: with two away three are left, which is k.
        want(3, State.IN_MAINTENANCE);
        want(4, State.IN_MAINTENANCE);
        dn(3).alive = false;
        dn(4).alive = false;
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(orders()).isNotEmpty();
        long thin = placed().count();
        assertThat(thin).isEqualTo(100);
        for (String path : paths) {
            long live = cluster.locate(path).groups().get(0).chunks().stream()
                    .filter(c -> c.state() == ChunkLocation.State.LIVE)
                    .count();
            assertThat(live).as(path).isGreaterThanOrEqualTo(4);
        }
        assertThat(incidents()).isNotEmpty().allMatch(i -> i.cause().kind() == IncidentCause.Kind.DATANODE_RESTING);
        assertThat(cluster.groups().degraded()).as("the others wait").isPositive();
        dn(3).restart();
        dn(4).restart();
        want(3, State.IN_SERVICE);
        want(4, State.IN_SERVICE);
        cluster.await(this::whole, LONG);
        cluster.await(() -> incidents().stream().allMatch(i -> i.healedMillis().isPresent()));
    }

    private StopChecked check(Integer... numbers) {
        long checked = 0;
        long unreadable = 0;
        long withoutSpare = 0;
        List<io.ecfs.message.report.StopProblem> problems = new ArrayList<>();
        StopChecked page = null;
        List<DatanodeId> ids = Stream.of(numbers).map(n -> dn(n).id).toList();
        do {
            page = (StopChecked) cluster.call(new NamespaceRequest.CheckStop(
                    ids, page == null ? 0 : page.nextVolume(), page == null ? 0 : page.nextGroup(), 3));
            checked += page.checked();
            unreadable += page.unreadable();
            withoutSpare += page.withoutSpare();
            problems.addAll(page.problems());
        } while (page.nextVolume() > 0);
        return new StopChecked(checked, 0, unreadable, withoutSpare, problems, 0, 0);
    }

    @Test
    void theSafeToStopCheckCountsDeadDatanodes() {
        files(20);
        StopChecked one = check(3);
        assertThat(one.checked()).isEqualTo(placedOn(3));
        assertThat(one.unreadable() + one.withoutSpare()).isZero();
        StopChecked two = check(3, 4);
        long both = paths.stream()
                .filter(path -> cluster.locate(path).groups().get(0).chunks().stream()
                                .filter(c -> c.datanode().equals(dn(3).id)
                                        || c.datanode().equals(dn(4).id))
                                .count()
                        == 2)
                .count();
        assertThat(two.withoutSpare()).isEqualTo(both).isPositive();
        assertThat(two.unreadable()).isZero();
        assertThat(two.problems()).hasSize((int) both).allSatisfy(problem -> {
            assertThat(problem.path()).isPresent();
            assertThat(problem.after()).isEqualTo(3);
            assertThat(problem.needed()).isEqualTo(3);
        });
        StopChecked three = check(3, 4, 5);
        assertThat(three.unreadable()).isPositive();

        dn(4).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        StopChecked withDead = check(3);
        assertThat(withDead.checked()).isEqualTo(placedOn(3));
        assertThat(withDead.withoutSpare()).isEqualTo(both);
        assertThat(cluster.failure(cluster.send(
                                cluster.quorum.leader().orElseThrow(),
                                new NamespaceRequest.CheckStop(List.of(new DatanodeId("dn33")), 0, 0, 10)))
                        .code())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }
}
