package io.ecfs.namenode.reconstruction;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FilePath;
import io.ecfs.message.Throttles;
import io.ecfs.message.Throttles.Throttle;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.chunk.RebuildWork.Phase;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.SetThrottles;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.FileProblem;
import io.ecfs.message.report.GroupSums;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.PretendDatanode.Rebuilding;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the leader has rebuilt, when, where, and what it does when that does not go well. */
class RepairServiceTest {
    private static final ClusterReport.Groups HEALTHY = new ClusterReport.Groups(1, 0, 0, 0);

    private final TestCluster cluster = new TestCluster(5, 7, TestCluster.RECOVERY).ready();
    private final LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();

    private PretendDatanode holder(int index) {
        return cluster.at(group.chunks().get(index));
    }

    private ChunkLocation now(int index) {
        return cluster.locate("/f").groups().get(0).chunk(index).orElseThrow();
    }

    private List<PretendDatanode> spares() {
        return cluster.datanodes.values().stream()
                .filter(d -> group.chunks().stream().noneMatch(c -> c.datanode().equals(d.id)))
                .toList();
    }

    private List<DatanodeOrder.Rebuild> orders() {
        return cluster.datanodes.values().stream()
                .flatMap(d -> d.ordered.stream())
                .distinct()
                .toList();
    }

    private void die(int index) {
        cluster.time.advance(Duration.ofSeconds(2));
        holder(index).alive = false;
        cluster.time.advance(Duration.ofSeconds(121));
    }

    @Test
    void aSuspectedDatanodeIsGivenTheGraceAndADeadOneIsReplaced() {
        cluster.time.advance(Duration.ofSeconds(2));
        holder(2).alive = false;
        cluster.time.advance(Duration.ofSeconds(115));
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 1, 0, 0));
        assertThat(orders()).isEmpty();
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        assertThat(now(2).chunk()).isEqualTo(new ChunkId(group.group(), 2, 1));
        assertThat(spares()).anyMatch(d -> d.id.equals(now(2).datanode()));
        assertThat(orders()).hasSize(1);
        assertThat(orders().get(0).sources()).extracting(s -> s.chunk().index()).containsExactly(0, 1, 3, 4);
    }

    private CompletableFuture<DatanodeReply> awaitOrders(String namenode, PretendDatanode datanode, Duration hold) {
        return cluster.namenodes
                .get(namenode)
                .datanode(new DatanodeReport.AwaitOrders(datanode.id, datanode.uuid, hold.toMillis()));
    }

    @Test
    void anOrderReachesADatanodeThatWaitsForItBeforeItsNextHeartbeat() {
        cluster.time.advance(Duration.ofSeconds(2));
        holder(2).alive = false;
        cluster.time.advance(Duration.ofSeconds(115));
        List<CompletableFuture<DatanodeReply>> answers = spares().stream()
                .map(spare -> awaitOrders(cluster.leader(), spare, Duration.ofMinutes(5)))
                .toList();
        cluster.time.advance(Duration.ofMillis(1));
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        cluster.await(() -> answers.stream().anyMatch(CompletableFuture::isDone));
        assertThat(orders()).isEmpty();
        List<DatanodeOrder> received = answers.stream()
                .filter(CompletableFuture::isDone)
                .flatMap(answer -> ((DatanodeReply.HeartbeatReply) answer.join()).orders().stream())
                .toList();
        assertThat(received).singleElement().isInstanceOf(DatanodeOrder.Rebuild.class);
        cluster.await(() -> cluster.groups().equals(HEALTHY));
    }

    @Test
    void whoWaitsForOrdersIsToldWhenThereAreNoneAndAtOnceByAFollower() {
        PretendDatanode spare = spares().get(0);
        CompletableFuture<DatanodeReply> first = awaitOrders(cluster.leader(), spare, Duration.ofSeconds(4));
        CompletableFuture<DatanodeReply> second = awaitOrders(cluster.leader(), spare, Duration.ofSeconds(4));
        cluster.time.advance(Duration.ofMillis(1));
        assertThat(first).isCompleted();
        assertThat(second).isNotCompleted();
        cluster.time.advance(Duration.ofSeconds(4));
        assertThat(second).isCompletedWithValueMatching(reply -> ((DatanodeReply.HeartbeatReply) reply).term() > 0);
        for (String namenode : cluster.namenodes.keySet()) {
            if (!namenode.equals(cluster.leader())) {
                CompletableFuture<DatanodeReply> answer = awaitOrders(namenode, spare, Duration.ofSeconds(4));
                cluster.time.advance(Duration.ofMillis(1));
                assertThat(answer)
                        .isCompletedWithValueMatching(reply -> ((DatanodeReply.HeartbeatReply) reply).term() == 0);
            }
        }
    }

    @Test
    void aDatanodeThatComesBackLosesTheChunkThatWasReplaced() {
        die(2);
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        ChunkId old = group.chunks().get(2).chunk();
        holder(2).restart();
        cluster.await(() -> holder(2).deleted.contains(old));
        cluster.await(() -> cluster.garbage() == 0);
        assertThat(cluster.groups()).isEqualTo(HEALTHY);
    }

    @Test
    void anUnreportedVolumeIsAwayAsLongAsASilentDatanode() {
        cluster.time.advance(Duration.ofSeconds(2));
        holder(1).volumeLost = true;
        holder(1).restart();
        cluster.time.advance(Duration.ofSeconds(110));
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 1, 0, 0));
        assertThat(now(1).state()).isEqualTo(ChunkLocation.State.UNREACHABLE);
        assertThat(orders()).isEmpty();
        holder(1).volumeLost = false;
        holder(1).restart();
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        cluster.time.advance(Duration.ofSeconds(200));
        assertThat(orders()).as("nothing was rebuilt").isEmpty();

        holder(1).volumeLost = true;
        holder(1).restart();
        cluster.time.advance(Duration.ofSeconds(130));
        assertThat(cluster.groups()).isEqualTo(HEALTHY);
        assertThat(now(1).chunk().generation()).isEqualTo(1);
    }

    @Test
    void chunksOfFailedVolumesAreReadWhenNothingElseHelps() {
        cluster.time.advance(Duration.ofSeconds(2));
        List<PretendDatanode> failed = List.of(holder(0), holder(1), holder(3));
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        failed.forEach(d -> d.state = VolumeState.FAILED);
        cluster.await(() -> orders().size() == 1);
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 0, 1, 0));
        assertThat(orders().get(0).sources())
                .extracting(s -> s.chunk().index())
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(orders().get(0).original().map(ChunkLocation::state))
                .as("compared with as long as it can be read")
                .contains(ChunkLocation.State.LAST_RESORT);
        assertThat(now(0).state()).isEqualTo(ChunkLocation.State.LAST_RESORT);
        assertThat(now(2).state()).isEqualTo(ChunkLocation.State.LIVE);
    }

    @Test
    void aFailedVolumeAndACorruptChunkAreReplacedAtOnce() {
        cluster.time.advance(Duration.ofSeconds(2));
        holder(1).state = VolumeState.FAILED;
        cluster.time.advance(Duration.ofSeconds(4));
        assertThat(cluster.groups()).isEqualTo(HEALTHY);
        assertThat(now(1).chunk().generation()).isEqualTo(1);

        ChunkId corrupt = group.chunks().get(3).chunk();
        ChunkRecord record = holder(3).chunks.get(corrupt);
        holder(3)
                .put(new ChunkRecord(
                        corrupt,
                        ChunkState.CORRUPT,
                        record.bytes(),
                        record.fullStripeBytes(),
                        record.groupLength(),
                        Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(4));
        assertThat(cluster.groups()).isEqualTo(HEALTHY);
        assertThat(now(3).chunk().generation()).isEqualTo(1);
        cluster.await(() -> holder(3).deleted.contains(corrupt));
    }

    @Test
    void aComplaintAboutAChunkThatWasReplacedIsOver() {
        cluster.time.advance(Duration.ofSeconds(2));
        ChunkLocation bad = now(1);
        PretendDatanode holder = holder(1);
        holder.state = VolumeState.FAILED;
        cluster.call(new NamespaceRequest.ReportBadChunks(
                List.of(new BadChunk(bad.chunk(), bad.volume(), bad.datanode(), BadChunk.Reason.CORRUPT))));
        cluster.await(
                () -> cluster.groups().equals(HEALTHY) && !now(1).datanode().equals(holder.id));
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(holder.unverified).isEmpty();
    }

    @Test
    void aChunkMissingSinceTheSealingIsReconstructed() {
        NamespaceReply.Created created = cluster.create("writer", "/g");
        SealedGroup sealed = cluster.write(created.first(), TestCluster.LENGTH, 4);
        cluster.complete("writer", created.status().inode(), sealed);
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(orders()).isEmpty();
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(2, 0, 0, 0)));
        assertThat(orders()).hasSize(1);
    }

    @Test
    void aReportThatIsSlowerThanTheWritersWordStartsNoRepair() {
        NamespaceReply.Created created = cluster.create("writer", "/g");
        ChunkLocation slow = created.first().chunks().get(4);
        SealedGroup four = cluster.write(created.first(), TestCluster.LENGTH, 4);
        List<ChunkId> all =
                created.first().chunks().stream().map(ChunkLocation::chunk).toList();
        cluster.complete("writer", created.status().inode(), new SealedGroup(four.group(), TestCluster.LENGTH, all));
        cluster.time.advance(Duration.ofSeconds(2));
        long bytes = new GroupLayout(TestCluster.POLICY, TestCluster.LENGTH).chunkBytes(4);
        cluster.at(slow)
                .put(new ChunkRecord(slow.chunk(), ChunkState.FINALISED, bytes, bytes, TestCluster.LENGTH, Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(orders()).isEmpty();
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(2, 0, 0, 0));
    }

    @Test
    void aFailedAttemptIsRetriedWithAHigherGeneration() {
        spares().forEach(d -> d.rebuilding = Rebuilding.FAILS);
        die(0);
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(orders()).extracting(o -> o.chunk().generation()).containsExactly(1);
        spares().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        assertThat(now(0).chunk().generation()).isEqualTo(2);
    }

    /** Several datanodes that die within milliseconds are given orders for each other's chunks. */
    @Test
    void anotherTargetIsChosenAtOnceWhenTheFirstIsGone() {
        spares().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(0);
        cluster.await(() -> !orders().isEmpty());
        DatanodeOrder.Rebuild first = orders().get(0);
        PretendDatanode target = spares().stream()
                .filter(d -> d.volume().equals(first.volume()))
                .findFirst()
                .orElseThrow();
        spares().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        target.state = VolumeState.FAILED;
        cluster.await(() -> cluster.groups().equals(HEALTHY), TestCluster.RECOVERY.retryAfter());
        assertThat(now(0).datanode()).isNotEqualTo(target.id);
        assertThat(now(0).chunk().generation()).isEqualTo(2);
    }

    @Test
    void aSlowTargetLosesTheOrder() {
        spares().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(4);
        cluster.time.advance(Duration.ofSeconds(5));
        DatanodeOrder.Rebuild first = orders().get(0);
        spares().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        spares().stream()
                .filter(d -> d.volume().equals(first.volume()))
                .forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        cluster.await(() -> cluster.groups().equals(HEALTHY), Duration.ofMinutes(10));
        assertThat(now(4).chunk().generation()).isGreaterThan(first.chunk().generation());

        PretendDatanode late = spares().stream()
                .filter(d -> d.volume().equals(first.volume()))
                .findFirst()
                .orElseThrow();
        long bytes = new GroupLayout(TestCluster.POLICY, TestCluster.LENGTH).chunkBytes(4);
        late.put(new ChunkRecord(first.chunk(), ChunkState.FINALISED, bytes, bytes, TestCluster.LENGTH, Stamp.NONE));
        cluster.await(() -> late.deleted.contains(first.chunk()));
        assertThat(now(4).chunk().generation()).isGreaterThan(first.chunk().generation());
    }

    /** Or a pace that is set too low for the deadline would mean that nothing is ever repaired. */
    @Test
    void everyFurtherAttemptHasTwiceTheTime() {
        spares().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(4);
        Duration deadline = TestCluster.RECOVERY.deadline();
        cluster.await(() -> orders().size() == 2, deadline.multipliedBy(2));
        cluster.time.advance(deadline.plusSeconds(30));
        assertThat(orders()).hasSize(2);
        cluster.await(() -> orders().size() == 3, deadline.multipliedBy(2));
        assertThat(TestCluster.RECOVERY.deadlineAfter(1_000_000)).isEqualTo(deadline.multipliedBy(64));
    }

    @Test
    void aNewLeaderGoesOnWithTheAttemptThatIsUnderWay() {
        spares().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(1);
        cluster.time.advance(Duration.ofSeconds(5));
        DatanodeOrder.Rebuild first = orders().get(0);
        cluster.elect("nn1");
        cluster.time.advance(Duration.ofSeconds(15));
        spares().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        assertThat(now(1).chunk()).isEqualTo(first.chunk());
        assertThat(now(1).volume()).isEqualTo(first.volume());
        assertThat(orders()).extracting(DatanodeOrder.Rebuild::chunk).containsOnly(first.chunk());
    }

    @Test
    void whatATargetToldOfItsWorkBeforeANewLeaderLedIsInTheHistory() {
        spares().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(1);
        cluster.await(() -> !orders().isEmpty());
        DatanodeOrder.Rebuild order = orders().get(0);
        Phase phase = new Phase(10, 5);
        RebuildWork work = new RebuildWork(40, phase, phase, phase, phase, 600, 100, List.of());
        spares().stream()
                .filter(d -> d.ordered.contains(order))
                .forEach(d -> d.rebuildUnheardBy(cluster.leader(), order, work));
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.groups()).isNotEqualTo(HEALTHY);
        cluster.elect("nn1");
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        RepairTrace trace = traces(1).get(0);
        assertThat(trace.work()).contains(work);
        assertThat(List.of(
                        trace.plannedMillis().orElseThrow(),
                        trace.startedMillis().orElseThrow(),
                        trace.writtenMillis().orElseThrow(),
                        trace.committedMillis().orElseThrow()))
                .isSorted();
    }

    @Test
    void aRepairWhoseGroupIsDeletedWhileItsCommitIsInTheLogEndsOnce() {
        spares().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(2);
        cluster.await(() -> !orders().isEmpty());
        DatanodeOrder.Rebuild order = orders().get(0);
        PretendDatanode target = spares().stream()
                .filter(d -> d.volume().equals(order.volume()))
                .findFirst()
                .orElseThrow();
        cluster.delete("/f");
        long before = cluster.quorum.lastIndex();
        cluster.await(() -> cluster.quorum.lastIndex() > before);
        assertThat(known()).as("the purge is in the log and not applied yet").isTrue();
        long bytes = new GroupLayout(TestCluster.POLICY, TestCluster.LENGTH).chunkBytes(2);
        ChunkRecord rebuilt =
                new ChunkRecord(order.chunk(), ChunkState.FINALISED, bytes, bytes, TestCluster.LENGTH, Stamp.NONE);
        target.put(rebuilt);
        target.beat();
        cluster.await(() -> !known());
        target.put(rebuilt);
        target.beat();
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(repairFailures()).hasSize(1);
        cluster.await(() -> target.deleted.contains(order.chunk()));
        cluster.file("/g", TestCluster.LENGTH);
        cluster.await(() -> cluster.groups().equals(HEALTHY));
    }

    /** Whether the leader's facts have the group. */
    private boolean known() {
        try (MetadataView view = cluster.facts(cluster.leader())) {
            return view.group(group.group()).isPresent();
        }
    }

    private List<ClusterEvent> repairFailures() {
        return ((NamespaceReply.Events) cluster.call(new NamespaceRequest.ListEvents(0, 1000)))
                .events().stream()
                        .map(HistoryEvent::event)
                        .filter(ClusterEvent.RepairFailed.class::isInstance)
                        .toList();
    }

    @Test
    void withoutALegalTargetItWaitsAndRepairsWhenThereIsOne() {
        spares().forEach(d -> d.alive = false);
        die(3);
        cluster.time.advance(Duration.ofSeconds(30));
        assertThat(orders()).isEmpty();
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 1, 0, 0));
        spares().get(0).restart();
        cluster.await(() -> cluster.groups().equals(HEALTHY));
        assertThat(now(3).datanode()).isEqualTo(spares().get(0).id);
    }

    @Test
    void aGroupOneLossFromItsEndIsRepairedFirst() {
        for (int i = 0; i < 30; i++) {
            cluster.file("/more" + i, TestCluster.LENGTH);
        }
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        holder(0).alive = false;
        holder(1).alive = false;
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(orders()).hasSize(TestCluster.RECOVERY.atOnce());
        List<FileProblem> urgent = ((NamespaceReply.Problems) cluster.call(
                        new NamespaceRequest.FindProblems(new FilePath("/"), false, 0, 1000, Optional.of(true))))
                .problems();
        assertThat(urgent).hasSize((int) cluster.groups().degraded());
        assertThat(urgent.stream().map(FileProblem::alive)).isSorted();
        assertThat(cluster.datanodes.values())
                .allMatch(d -> d.ordered.stream().distinct().count() <= TestCluster.RECOVERY.perDatanode());
        for (DatanodeOrder.Rebuild order : orders()) {
            assertThat(order.sources()).as("sources of %s", order).hasSize(3);
        }
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(31, 0, 0, 0)), Duration.ofMinutes(10));
        assertThat(Optional.of(now(0).chunk().generation())).contains(1);
    }

    private void throttle(long atOnce, long perDatanode) {
        cluster.call(new NamespaceRequest.SetThrottles(
                cluster.request("admin"), Optional.of(atOnce), Optional.of(perDatanode), Optional.empty()));
    }

    private Throttles throttles() {
        return ((NamespaceReply.ThrottlesInForce) cluster.call(new NamespaceRequest.GetThrottles())).throttles();
    }

    @Test
    void anOperatorsRepairLimitSurvivesAFailover() {
        for (int i = 0; i < 30; i++) {
            cluster.file("/more" + i, TestCluster.LENGTH);
        }
        throttle(0, SetThrottles.AS_CONFIGURED);
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        holder(0).alive = false;
        cluster.time.advance(Duration.ofSeconds(125));
        assertThat(orders()).isEmpty();
        assertThat(cluster.report().degradedBySpare().orElseThrow())
                .hasSize(TestCluster.POLICY.parityChunks())
                .element(TestCluster.POLICY.parityChunks() - 1)
                .isEqualTo(cluster.groups().degraded());
        throttle(2, 1);
        cluster.elect("nn1");
        cluster.await(() -> orders().size() >= 2);
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(orders()).hasSize(2);
        assertThat(throttles().repairsAtOnce()).isEqualTo(new Throttle(2, TestCluster.RECOVERY.atOnce(), true));
        assertThat(throttles().repairBytesPerSecond())
                .isEqualTo(new Throttle(Throttles.AT_EACH_DATANODE, Throttles.AT_EACH_DATANODE, false));
        throttle(SetThrottles.AS_CONFIGURED, SetThrottles.AS_CONFIGURED);
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(31, 0, 0, 0)), Duration.ofMinutes(10));
    }

    @Test
    void pagesSumEveryGroupExactlyOnce() {
        for (int i = 0; i < 30; i++) {
            cluster.file("/more" + i, TestCluster.LENGTH);
        }
        cluster.time.advance(Duration.ofSeconds(2)); // so that all chunks are reported
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(31, 0, 0, 0));
        List<GroupSums> pages = new ArrayList<>();
        long after = 0;
        do {
            pages.add(((NamespaceReply.SummedGroups) cluster.call(new NamespaceRequest.SumGroups(after, 10))).sums());
            after = pages.get(pages.size() - 1).next();
        } while (after > 0);
        assertThat(pages)
                .hasSize(4)
                .allSatisfy(page -> assertThat(page.sums()).singleElement().satisfies(sum -> {
                    assertThat(sum.groups()).isBetween(1L, 10L);
                    assertThat(sum.userBytes()).isEqualTo(sum.groups() * TestCluster.LENGTH);
                    assertThat(sum.chunks()).isEqualTo(sum.groups() * TestCluster.POLICY.chunks());
                    assertThat((double) sum.storedBytes() / sum.userBytes()).isBetween(1.4, 2.5);
                }));
        assertThat(pages.stream().mapToLong(page -> page.sums().get(0).groups()).sum())
                .isEqualTo(31);
    }

    private List<Incident> incidents() {
        return ((NamespaceReply.Incidents) cluster.call(new NamespaceRequest.ListIncidents(0, 100))).incidents();
    }

    private List<RepairTrace> traces(long incident) {
        return ((NamespaceReply.Repairs) cluster.call(new NamespaceRequest.ListRepairs(incident, 0, 0, 100))).repairs();
    }

    @Test
    void aDeathIsOneIncidentWithTheGraceApartFromTheChecking() {
        die(2);
        cluster.await(() -> incidents().stream().anyMatch(i -> i.healedMillis().isPresent()));
        assertThat(incidents()).hasSize(1);
        Incident incident = incidents().get(0);
        assertThat(incident.cause()).isEqualTo(IncidentCause.dead(holder(2).id));
        assertThat(incident.deadMillis() - incident.detectedMillis())
                .isEqualTo(TestCluster.RECOVERY.grace().toMillis());
        assertThat(incident.checkingMillis().orElseThrow()).isBetween(0L, 2_000L);
        assertThat(incident.repaired()).isOne();
        assertThat(traces(1)).hasSize(1);
        assertThat(traces(1).get(0).committedMillis()).isPresent();
    }

    @Test
    void anIncidentGoesOnUnderANewLeaderAndItsChunkIsRepairedOnce() {
        spares().forEach(spare -> spare.rebuilding = Rebuilding.TAKES_FOR_EVER);
        die(2);
        cluster.await(() -> !orders().isEmpty());
        assertThat(incidents()).hasSize(1);
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        spares().forEach(spare -> spare.rebuilding = Rebuilding.AT_ONCE);
        cluster.await(() -> cluster.groups().equals(HEALTHY), Duration.ofMinutes(3));
        cluster.await(() -> incidents().get(0).healedMillis().isPresent());
        assertThat(incidents()).hasSize(1);
        assertThat(incidents().get(0).repaired()).isOne();
        assertThat(traces(1)).hasSize(1);
        // Dead for ever is no new incident, whoever leads.
        cluster.elect("nn2");
        cluster.await(() -> !cluster.report().safeMode());
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(incidents()).hasSize(1);
        holder(2).restart();
        cluster.await(() -> incidents().get(0).causeGone());
    }

    @Test
    void aGroupWithoutATargetSaysSoInTheTimelineAndInFsck() {
        cluster.time.advance(Duration.ofSeconds(2));
        spares().forEach(spare -> spare.alive = false);
        holder(3).alive = false;
        cluster.time.advance(Duration.ofSeconds(125));
        long incident = incidents().stream()
                .filter(i -> i.cause().equals(IncidentCause.dead(holder(3).id)))
                .findFirst()
                .orElseThrow()
                .id();
        assertThat(traces(incident).get(0).waiting().orElseThrow()).contains("no datanode may take the chunk");
        NamespaceReply.Problems problems = (NamespaceReply.Problems)
                cluster.call(new NamespaceRequest.FindProblems(new FilePath("/"), false, 0, 10));
        assertThat(problems.problems()).hasSize(1);
        assertThat(problems.problems().get(0).doing()).contains("no datanode may take the chunk");
        assertThat(problems.problems().get(0).alive()).isEqualTo(4);
        assertThat(problems.problems().get(0).lacking().get(0).why())
                .isEqualTo("datanode " + holder(3).id + " is dead");
    }
}
