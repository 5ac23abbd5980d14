package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.real.Metric;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.HotGroups;
import io.ecfs.message.report.MoverReport;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chunks move to where reading them costs less, as the leader handles it. */
class ChunkMoverTest {
    private static final long CHUNK = 1 << 16;
    private static final int DATANODES = 12;
    private static final int FILES = 12;

    private final TestCluster cluster = new TestCluster(9, DATANODES, TestCluster.RECOVERY);

    private void files() {
        cluster.ready();
        cluster.datanodes.values().forEach(d -> d.busy = Optional.of(new DatanodeLoad(200, 1 << 20, 0, 2_000, 0)));
        for (int i = 0; i < FILES; i++) {
            cluster.file("/f" + i, TestCluster.POLICY.dataChunks() * CHUNK);
        }
    }

    private LocatedGroup group(int file) {
        return cluster.locate("/f" + file).groups().get(0);
    }

    private Set<DatanodeId> sites(int file) {
        return group(file).chunks().stream()
                .map(ChunkLocation::datanode)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private int shared(int one, int other) {
        Set<DatanodeId> both = sites(one);
        both.retainAll(sites(other));
        return both.size();
    }

    /** Clients read these files together, and say so, for a while. */
    private void reads(Duration time, int... files) {
        reads(time, 10, files);
    }

    /** @param weight requests that each of the sets stands for, one a second */
    private void reads(Duration time, int weight, int[] files) {
        List<GroupId> groups =
                Arrays.stream(files).mapToObj(file -> group(file).group()).toList();
        for (long second = 0; second < time.toSeconds(); second++) {
            for (String namenode : cluster.namenodes.keySet()) {
                cluster.result(cluster.send(
                        namenode, new NamespaceRequest.ReportAccesses(List.of(new AccessSet(groups, weight)))));
            }
            cluster.time.advance(Duration.ofSeconds(1));
        }
    }

    private MoverReport mover(boolean plan) {
        return ((NamespaceReply.Moves) cluster.call(new NamespaceRequest.GetMoves(0, 1000, plan))).report();
    }

    private void pause(boolean paused) {
        cluster.call(new NamespaceRequest.PauseMover(cluster.request("admin"), paused));
    }

    private Map<String, Long> gauges() {
        return metrics().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, metric -> metric.getValue().longValue()));
    }

    /** Those of several labels are summed. */
    private Map<String, Double> metrics() {
        var gauges = cluster.namenodes.get(cluster.leader()).gauges();
        cluster.await(gauges::isDone);
        return gauges.join().named("nn").stream().collect(Collectors.toMap(Metric::name, Metric::value, Double::sum));
    }

    private List<ClusterEvent> events() {
        return ((NamespaceReply.Events) cluster.call(new NamespaceRequest.ListEvents(0, 1000)))
                .events().stream().map(HistoryEvent::event).toList();
    }

    private int[] apart() {
        int best = 0;
        for (int file = 1; file < FILES; file++) {
            best = shared(0, file) < shared(0, best == 0 ? 1 : best) || best == 0 ? file : best;
        }
        return new int[] {0, best};
    }

    @Test
    void chunksThatAreReadTogetherMoveTogether() {
        files();
        int[] pair = apart();
        int before = shared(pair[0], pair[1]);
        assertThat(before).isLessThan(4);
        for (int i = 0; i < 30; i++) {
            reads(Duration.ofSeconds(10), pair);
            assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(FILES, 0, 0, 0));
        }
        assertThat(shared(pair[0], pair[1])).isGreaterThanOrEqualTo(TestCluster.POLICY.dataChunks());
        MoverReport report = mover(false);
        assertThat(report.chunksMoved()).isBetween(1L, 4L);
        assertThat(report.moves()).allSatisfy(move -> {
            assertThat(move.state()).isEqualTo(MoverReport.State.MOVED);
            assertThat(move.predictedGain()).isPositive();
            assertThat(move.realisedGain()).isPresent();
            assertThat(move.realisedGain().orElseThrow()).isPositive();
        });
        assertThat(events())
                .filteredOn(ClusterEvent.ChunkMoved.class::isInstance)
                .hasSize((int) report.chunksMoved());
        assertThat(events())
                .filteredOn(ClusterEvent.MoveJudged.class::isInstance)
                .hasSize((int) report.chunksMoved());
        assertThat(report.waiting()).contains("no move that gains anything could be begun a moment ago");
        Map<String, Long> gauges = gauges();
        assertThat(gauges)
                .containsEntry("ecfs_namenode_mover_moves_begun_total", report.chunksMoved())
                .containsEntry("ecfs_namenode_mover_moves_done_total", report.chunksMoved())
                .containsEntry("ecfs_namenode_mover_moves_judged_total", report.chunksMoved())
                .containsEntry("ecfs_namenode_mover_moves_failed_total", 0L)
                .containsEntry("ecfs_namenode_mover_moved_bytes_total", report.bytesMoved())
                .containsEntry("ecfs_namenode_statistics_window_groups", 2L);
        assertThat(metrics().get("ecfs_namenode_mover_realised_gain_ratio")).isPositive();
        assertThat(metrics().get("ecfs_namenode_mover_move_p99_seconds")).isPositive();

        reads(Duration.ofMinutes(5), pair);
        assertThat(mover(false).chunksMoved()).as("it stops").isEqualTo(report.chunksMoved());
        cluster.await(() -> cluster.datanodes.values().stream()
                        .mapToLong(d -> d.chunks.size())
                        .sum()
                == (long) FILES * TestCluster.POLICY.chunks());
    }

    @Test
    void aHandfulOfReadsMovesNothing() {
        files();
        int[] pair = apart();
        reads(Duration.ofSeconds(8), pair);
        cluster.time.advance(Duration.ofSeconds(50));
        assertThat(mover(true).plan()).isEmpty();
        assertThat(mover(false).moves()).isEmpty();
        assertThat(mover(false).waiting()).contains("no move that gains anything could be begun a moment ago");
        reads(Duration.ofSeconds(130), pair);
        assertThat(mover(false).moves())
                .as("after a minute it looks at the group again")
                .isNotEmpty();
    }

    @Test
    void aLightlyUsedClusterMovesNothing() {
        files();
        int[] pair = apart();
        for (int i = 0; i < 40; i++) {
            reads(Duration.ofSeconds(1), 1, pair);
            cluster.time.advance(Duration.ofSeconds(4));
        }
        assertThat(mover(true).plan()).as("it would gain").isNotEmpty();
        assertThat(mover(false).moves()).isEmpty();
        assertThat(mover(false).waiting().orElseThrow()).contains("mover.leastRequestsPerSecond");
    }

    @Test
    void aDryRunTellsWhatWouldMoveAndMovesNothing() {
        files();
        pause(true);
        int[] pair = apart();
        reads(Duration.ofSeconds(60), pair);
        MoverReport report = mover(true);
        assertThat(report.plan()).isNotEmpty().allMatch(move -> move.state() == MoverReport.State.PLANNED);
        assertThat(report.moves()).isEmpty();
        assertThat(report.paused()).isTrue();
        assertThat(report.waiting().orElseThrow()).contains("resume");
    }

    private List<GroupId> planned() {
        return mover(true).plan().stream().map(MoverReport.Move::group).toList();
    }

    @Test
    void aGroupWithASilentChunkStaysAsItIsUntilTheChunkIsBack() {
        files();
        pause(true);
        int[] pair = apart();
        reads(Duration.ofSeconds(60), pair);
        MoverReport.Move move = mover(true).plan().get(0);
        int file = group(pair[0]).group().equals(move.group()) ? pair[0] : pair[1];
        PretendDatanode silent = group(file).chunks().stream()
                .map(cluster::at)
                .filter(holder -> !holder.id.equals(move.from()) && rackOf(holder.id) == rackOf(move.to()))
                .findFirst()
                .orElseThrow();
        silent.alive = false;
        reads(Duration.ofSeconds(15), pair);
        assertThat(planned()).as("%s is silent", silent.id).doesNotContain(move.group());
        silent.restart();
        reads(Duration.ofSeconds(90), pair);
        assertThat(planned()).contains(move.group());
    }

    /** As {@link TestCluster} numbers them. */
    private static int rackOf(DatanodeId datanode) {
        return Integer.parseInt(datanode.name().substring("dn".length())) % 2;
    }

    @Test
    void twoGroupsThatAreReadTogetherDoNotPassEachOther() {
        files();
        pause(true);
        int[] pair = lackingOne();
        reads(Duration.ofSeconds(60), pair);
        assertThat(planned()).as("either may come to the other").hasSize(2);
        cluster.datanodes.values().forEach(d -> d.rebuilding = PretendDatanode.Rebuilding.TAKES_FOR_EVER);
        pause(false);
        reads(Duration.ofSeconds(12), pair);
        assertThat(mover(false).moves())
                .singleElement()
                .satisfies(move -> assertThat(move.state()).isEqualTo(MoverReport.State.UNDER_WAY));
        assertThat(planned()).isEmpty();
    }

    @Test
    void aMoveToADatanodeThatIsToRestIsGivenUp() {
        files();
        cluster.datanodes.values().forEach(d -> d.rebuilding = PretendDatanode.Rebuilding.TAKES_FOR_EVER);
        reads(Duration.ofSeconds(90), apart());
        MoverReport.Move move = mover(false).moves().get(0);
        assertThat(move.state()).isEqualTo(MoverReport.State.UNDER_WAY);
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), move.to(), AdminState.State.IN_MAINTENANCE, Optional.of(60_000L)));
        cluster.await(() -> mover(false).moves().stream()
                .anyMatch(m -> m.number() > move.number() && m.group().equals(move.group())));
        assertThat(mover(false).moves())
                .filteredOn(m -> m.group().equals(move.group()) && m.to().equals(move.to()))
                .extracting(MoverReport.Move::state)
                .containsOnly(MoverReport.State.FAILED);
    }

    @Test
    void whatANewLeaderMovesComesAfterAllThatTheOldOneMoved() {
        files();
        int[] pair = apart();
        reads(Duration.ofMinutes(2), pair);
        List<MoverReport.Move> before = mover(false).moves();
        assertThat(before).hasSizeGreaterThan(1);
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        int[] others = lackingOne(pair);
        reads(Duration.ofMinutes(2), others);
        assertThat(mover(false).moves())
                .isNotEmpty()
                .allMatch(move -> move.number() > before.get(before.size() - 1).number());
    }

    /** Two other files that share all but one of the datanodes that a read needs. */
    private int[] lackingOne(int... without) {
        int[] files = IntStream.range(0, FILES)
                .filter(file -> IntStream.of(without).noneMatch(other -> other == file))
                .toArray();
        for (int one : files) {
            for (int other : files) {
                if (one != other && shared(one, other) == TestCluster.POLICY.dataChunks() - 1) {
                    return new int[] {one, other};
                }
            }
        }
        throw new AssertionError("no two files share as much");
    }

    @Test
    void aMoveThatFailedIsForgottenAfterAnHourThoughOthersGoOn() {
        files();
        cluster.datanodes.values().forEach(d -> d.rebuilding = PretendDatanode.Rebuilding.FAILS);
        int[] pair = apart();
        int[] others = lackingOne(pair);
        reads(Duration.ofSeconds(90), pair);
        reads(Duration.ofSeconds(90), others);
        assertThat(failing()).isEqualTo(4);
        cluster.delete("/f" + pair[0]);
        cluster.delete("/f" + pair[1]);
        for (int i = 0; i < 30; i++) {
            reads(Duration.ofSeconds(10), others);
            cluster.time.advance(Duration.ofSeconds(20));
        }
        assertThat(failing()).as("those that are gone as well").isEqualTo(4);
        for (int i = 0; i < 100; i++) {
            reads(Duration.ofSeconds(10), others);
            cluster.time.advance(Duration.ofSeconds(20));
        }
        assertThat(failing()).isEqualTo(2);
    }

    private long failing() {
        return gauges().get("ecfs_namenode_moves_failing");
    }

    private long windowRequests() {
        return gauges().get("ecfs_namenode_statistics_window_requests");
    }

    @Test
    void nobodyReplacesTheWindowWithWhatOneSays() {
        files();
        int[] pair = apart();
        reads(Duration.ofSeconds(30), pair);
        List<AccessSet> many = Collections.nCopies(
                NamespaceRequest.ReportAccesses.MAX_SETS, new AccessSet(List.of(new GroupId(77)), 1));
        for (int i = 0; i < 20; i++) {
            cluster.call(new NamespaceRequest.ReportAccesses(many));
        }
        assertThat(windowRequests()).isBetween(400L, 500L);
    }

    @Test
    void aDryRunIsGoodForASecondAndLeavesTheMoverAsItWas() {
        files();
        int[] pair = apart();
        reads(Duration.ofSeconds(8), pair);
        long vetoed = gauges().get("ecfs_namenode_mover_moves_vetoed_total");
        pause(true);
        reads(Duration.ofSeconds(60), pair);
        List<MoverReport.Move> plan = mover(true).plan();
        assertThat(plan).isNotEmpty();
        cluster.time.advance(Duration.ofMillis(500));
        assertThat(mover(true).plan()).as("so soon").isEqualTo(plan);
        cluster.time.advance(Duration.ofMillis(600));
        assertThat(mover(true).plan())
                .isNotEmpty()
                .allMatch(move -> move.atMillis() > plan.get(0).atMillis());
        assertThat(gauges()).containsEntry("ecfs_namenode_mover_moves_vetoed_total", vetoed);
    }

    @Test
    void aPauseOutlivesTheLeaderAndTheNextOneIsWarm() {
        files();
        pause(true);
        int[] pair = apart();
        reads(Duration.ofSeconds(60), pair);
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        reads(Duration.ofSeconds(30), pair);
        assertThat(mover(false).paused()).isTrue();
        assertThat(mover(false).moves()).isEmpty();
        assertThat(mover(true).plan()).as("it heard all accesses").isNotEmpty();
        pause(false);
        cluster.await(() -> !mover(false).moves().isEmpty());
    }

    @Test
    void aNewLeaderMovesNothingBackToWhereItLayWithinTheHour() {
        files();
        pause(true);
        int[] pair = apart();
        reads(Duration.ofSeconds(60), pair);
        GroupId group = mover(true).plan().get(0).group();
        List<ClusterEvent> left = new ArrayList<>();
        for (int index = 0; index < TestCluster.POLICY.chunks(); index++) {
            for (PretendDatanode datanode : cluster.datanodes.values()) {
                left.add(new ClusterEvent.ChunkMoved(
                        new ChunkId(group, index, 1), datanode.id, cluster.datanodes.get(1).id, 1, 1, 0));
            }
        }
        cluster.record(left);
        // The move is not among the latest events.
        cluster.record(Collections.nCopies(900, new ClusterEvent.LeaderChanged("nn0", 1)));
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        reads(Duration.ofSeconds(90), pair);
        assertThat(planned()).isNotEmpty().doesNotContain(group);
        cluster.time.advance(Duration.ofMinutes(30));
        reads(Duration.ofMinutes(1), pair);
        assertThat(planned()).doesNotContain(group);
        cluster.time.advance(Duration.ofMinutes(30));
        reads(Duration.ofMinutes(1), pair);
        assertThat(planned()).as("an hour later").contains(group);
    }

    @Test
    void inSafeModeAndWithoutReadsNothingMoves() {
        files();
        cluster.call(new NamespaceRequest.SetSafeMode(cluster.request("admin"), true));
        int[] pair = apart();
        reads(Duration.ofSeconds(60), pair);
        assertThat(mover(false).moves()).isEmpty();
        assertThat(mover(false).waiting()).contains("the superuser asked for safe mode");
        cluster.time.advance(Duration.ofMinutes(2));
        cluster.call(new NamespaceRequest.SetSafeMode(cluster.request("admin"), false));
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(mover(false).moves()).as("what is known is old").isEmpty();
        assertThat(mover(false).waiting().orElseThrow()).contains("no access was reported");
    }

    @Test
    void loadsAreToldWithTheirImbalance() {
        files();
        cluster.datanodes.get(1).busy = Optional.of(new DatanodeLoad(900, 10 << 20, 0, 40_000, 0));
        cluster.time.advance(Duration.ofMinutes(2));
        var report = ((NamespaceReply.Loads) cluster.call(new NamespaceRequest.GetLoads())).report();
        assertThat(report.datanodes()).hasSize(DATANODES);
        assertThat(report.imbalance()).isBetween(450.0, 480.0);
        var busy = report.datanodes().stream()
                .filter(d -> d.id().equals(cluster.datanodes.get(1).id))
                .findFirst()
                .orElseThrow();
        assertThat(busy.load().orElseThrow().waitMicros()).isBetween(39_000L, 40_000L);
        assertThat(busy.share()).isGreaterThan(3);
    }

    @Test
    void theGroupsReadMostOnADatanodeAreNamed() {
        files();
        pause(true);
        reads(Duration.ofSeconds(5), 10, new int[] {0});
        reads(Duration.ofSeconds(5), 1, new int[] {1});
        DatanodeId of0 = sites(0).iterator().next();
        HotGroups hot = hotGroups(of0);
        assertThat(hot.requests()).isEqualTo(55);
        assertThat(hot.groups().get(0).group()).isEqualTo(group(0).group());
        assertThat(hot.groups().get(0).requests()).isEqualTo(50);
        assertThat(hot.groups().get(0).readers()).hasSize(1).allMatch(reader -> reader.share() == 1.0);
        assertThat(hot.groups()).hasSize(sites(1).contains(of0) ? 2 : 1);
        assertThat(cluster.datanodes.values().stream()
                        .map(datanode -> datanode.id)
                        .filter(id -> !sites(0).contains(id)))
                .isNotEmpty()
                .allSatisfy(id -> assertThat(hotGroups(id).groups())
                        .extracting(HotGroups.Group::group)
                        .doesNotContain(group(0).group()));
    }

    private HotGroups hotGroups(DatanodeId datanode) {
        return ((NamespaceReply.ReadMost) cluster.call(new NamespaceRequest.GetHotGroups(datanode, 10))).groups();
    }
}
