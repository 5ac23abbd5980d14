package io.ecfs.namenode.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.PretendDatanode.Checking;
import io.ecfs.namenode.rpc.PretendDatanode.Rebuilding;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.settings.ParitySettings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Groups are read whole now and then; a chunk that does not belong to the others goes to recovery. */
class ParityScrubberTest {
    private static final long LENGTH = TestCluster.POLICY.stripeBytes() + 100;
    private static final int FILES = 6;

    private final TestCluster cluster = new TestCluster(11, 7, TestCluster.RECOVERY).ready();

    private void files() {
        for (int i = 0; i < FILES; i++) {
            cluster.file("/f" + i, LENGTH);
        }
    }

    private List<GroupId> checked() {
        return cluster.datanodes.values().stream()
                .flatMap(d -> d.checked.stream())
                .toList();
    }

    private long unclear() {
        var gauges = cluster.namenodes.get(cluster.leader()).gauges();
        cluster.await(gauges::isDone);
        return gauges.join().parityUnclear();
    }

    private List<ChunkLocation> chunks(int file) {
        return cluster.locate("/f" + file).groups().get(0).chunks();
    }

    @Test
    void everyWholeGroupIsCheckedInTurnByDifferentDatanodes() {
        files();
        cluster.await(() -> checked().stream().distinct().count() == FILES, Duration.ofMinutes(2));
        assertThat(cluster.datanodes.values())
                .filteredOn(d -> !d.checked.isEmpty())
                .hasSizeGreaterThan(2);
        int before = checked().size();
        cluster.await(() -> checked().size() > 2 * before, Duration.ofMinutes(5));
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(FILES, 0, 0, 0));
    }

    /** As many as the pace allows, 8 MiB/s here; one a tick would need weeks for a million small files. */
    @Test
    void manySmallGroupsAreCheckedInATick() {
        for (int i = 0; i < 200; i++) {
            cluster.file("/small" + i, LENGTH);
        }
        int before = checked().size();
        cluster.await(() -> checked().size() > before, Duration.ofMinutes(2));
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(checked().size() - before).isGreaterThan(80);
    }

    @Test
    void aGroupThatIsBeingWrittenIsPassedOver() {
        cluster.writeOpen(cluster.create("writer", "/open").first(), 1, 1, 1, 1, 1);
        files();
        cluster.await(() -> checked().stream().distinct().count() == FILES, Duration.ofMinutes(2));
        assertThat(cluster.groups().open()).isEqualTo(1);
    }

    @Test
    // SeaweedFS #10130, #10152
    void aChunkThatDoesNotBelongToTheOthersIsRebuiltFromThem() {
        files();
        ChunkLocation wrong = chunks(2).get(1);
        cluster.parity = Finding.ONE_WRONG;
        cluster.wrong.add(wrong.chunk());
        cluster.await(() -> cluster.at(wrong).deleted.contains(wrong.chunk()), Duration.ofMinutes(5));
        assertThat(chunks(2).get(1).chunk().generation()).isEqualTo(1);
        assertThat(originals()).as("cross-checked whole").containsExactly(ChunkLocation.State.MISSING);
        assertThat(cluster.datanodes.values().stream()
                        .flatMap(d -> d.deleted.stream())
                        .toList())
                .containsExactly(wrong.chunk());
    }

    /** Of the chunks that were to be rebuilt. */
    private List<ChunkLocation.State> originals() {
        return cluster.datanodes.values().stream()
                .flatMap(d -> d.ordered.stream())
                .flatMap(order -> order.original().stream())
                .map(ChunkLocation::state)
                .distinct()
                .toList();
    }

    @Test
    void whatOneDatanodeAloneReckonsCondemnsNobody() {
        files();
        cluster.parity = Finding.ONE_WRONG;
        ChunkId accused = chunks(2).get(1).chunk();
        cluster.wrong.add(accused);
        GroupId group = accused.group();
        cluster.await(() -> checked().contains(group), Duration.ofMinutes(5));
        cluster.parity = Finding.ALIKE;
        cluster.wrong.clear();
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(cluster.datanodes.values()).allMatch(d -> d.deleted.isEmpty());
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(FILES, 0, 0, 0));
        assertThat(unclear()).isZero();
    }

    /** Copied to another datanode between the two checks, it is as wrong as before, and another chunk. */
    @Test
    void aMovedSuspectIsConfirmedWhereItLiesNow() {
        files();
        ChunkLocation before = chunks(2).get(1);
        ChunkId after = new ChunkId(before.chunk().group(), 1, 1);
        cluster.parity = Finding.ONE_WRONG;
        cluster.wrong.addAll(List.of(before.chunk(), after));
        cluster.heldChecks.add(after.group());
        cluster.await(() -> checked().contains(after.group()), Duration.ofMinutes(5));
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), before.datanode(), AdminState.State.DECOMMISSIONING, Optional.empty()));
        cluster.await(() -> chunks(2).get(1).chunk().equals(after));
        cluster.heldChecks.clear();
        cluster.await(() -> chunks(2).get(1).chunk().generation() == 2, Duration.ofMinutes(5));
        assertThat(unclear()).isZero();
    }

    @Test
    void whatNobodyCanTellAndWhatTheGroupCannotSpareIsLeftAlone() {
        files();
        cluster.parity = Finding.UNCLEAR;
        cluster.await(() -> checked().size() > FILES, Duration.ofMinutes(5));
        assertThat(unclear()).isPositive();
        cluster.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        cluster.at(chunks(0).get(0)).alive = false;
        cluster.time.advance(Duration.ofMinutes(5));
        GroupId thin = chunks(0).get(0).chunk().group();
        int before = Collections.frequency(checked(), thin);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(Collections.frequency(checked(), thin)).isEqualTo(before);
        assertThat(cluster.datanodes.values()).allMatch(d -> d.deleted.isEmpty());
    }

    @Test
    void thePaceFollowsWhatIsStoredWithinItsBounds() {
        ParitySettings settings = new ParitySettings(true, Duration.ofDays(90), 8L << 20, 16L << 20);
        long petabyte = 1L << 50;
        assertThat(settings.bytesPerSecond(0, 100)).isEqualTo(8L << 20);
        long pace = settings.bytesPerSecond(petabyte, 100);
        assertThat(petabyte / pace).as("seconds for all of it").isBetween(89L * 86_400, 91L * 86_400);
        assertThat(settings.bytesPerSecond(100 * petabyte, 100)).isEqualTo(100 * (16L << 20));
        assertThat(ParitySettings.defaults()).isEqualTo(settings);
    }

    @Test
    void aGroupWhoseComputedChunkDiffersIsCheckedAtOnce() {
        files();
        ChunkLocation drained = chunks(3).get(2);
        GroupId group = drained.chunk().group();
        cluster.time.advance(Duration.ofMinutes(1));
        cluster.datanodes.values().forEach(d -> {
            d.checked.clear();
            d.rebuilding = Rebuilding.DISPUTES;
        });
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), drained.datanode(), AdminState.State.DECOMMISSIONING, Optional.empty()));
        cluster.await(() -> cluster.datanodes.values().stream()
                .flatMap(d -> d.ordered.stream())
                .anyMatch(order -> order.chunk().group().equals(group)));
        assertThat(cluster.datanodes.values().stream().flatMap(d -> d.ordered.stream()))
                .allMatch(order ->
                        order.original().map(ChunkLocation::state).equals(Optional.of(ChunkLocation.State.LIVE)));
        cluster.await(() -> checked().contains(group), Duration.ofSeconds(10));
        assertThat(cluster.datanodes.values()).allMatch(d -> d.deleted.isEmpty());
        assertThat(chunks(3).get(2).chunk()).isEqualTo(drained.chunk());
    }

    private List<Incident> disputes() {
        return ((NamespaceReply.Incidents) cluster.call(new NamespaceRequest.ListIncidents(0, 100)))
                .incidents().stream()
                        .filter(incident -> incident.cause().equals(IncidentCause.disputed()))
                        .toList();
    }

    private void rebuilding(Rebuilding how) {
        cluster.datanodes.values().forEach(d -> d.rebuilding = how);
    }

    /** The repair waits for the check, so that the check must not wait for the repair. */
    @Test
    void contradictingSourcesAreCheckedWithTheRemainingChunks() {
        cluster.file("/f0", LENGTH);
        GroupId group = chunks(0).get(0).chunk().group();
        rebuilding(Rebuilding.SOURCES_DIFFER);
        cluster.at(chunks(0).get(0)).alive = false;
        cluster.time.advance(Duration.ofMinutes(1)); // the group is not whole any more, and waited for
        cluster.parity = Finding.UNCLEAR;
        cluster.datanodes.values().forEach(d -> d.checked.clear());
        cluster.await(() -> checked().contains(group), Duration.ofMinutes(5));
        cluster.await(() -> !disputes().isEmpty());
        assertThat(disputes().get(0).healedMillis()).isEmpty();
        assertThat(unclear()).isOne();
        int before = checked().size();
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(checked()).as("the same chunks say the same").hasSize(before);
        assertThat(cluster.datanodes.values()).allMatch(d -> d.deleted.isEmpty());

        cluster.elect(cluster.namenodes.keySet().stream()
                .filter(id -> !id.equals(cluster.leader()))
                .findFirst()
                .orElseThrow());
        cluster.parity = Finding.ALIKE;
        rebuilding(Rebuilding.AT_ONCE);
        cluster.await(() -> checked().size() > before, Duration.ofMinutes(5));
        cluster.await(() ->
                disputes().stream().allMatch(incident -> incident.healedMillis().isPresent()));
        assertThat(disputes()).hasSize(1);
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(1, 0, 0, 0)), Duration.ofMinutes(5));
    }

    @Test
    void aWrongChunkBesideAMissingOneIsCondemned() {
        TestCluster wide = new TestCluster(12, 9, TestCluster.RECOVERY).ready();
        wide.file("/f", LENGTH, Policy.parse("rs-3-3-4k"));
        List<ChunkLocation> chunks = wide.locate("/f").groups().get(0).chunks();
        wide.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.SOURCES_DIFFER);
        wide.at(chunks.get(0)).alive = false;
        wide.time.advance(Duration.ofMinutes(1));
        wide.parity = Finding.ONE_WRONG;
        wide.wrong.add(chunks.get(4).chunk());
        wide.await(
                () -> wide.at(chunks.get(4)).chunks.get(chunks.get(4).chunk()).state() == ChunkState.CORRUPT,
                Duration.ofMinutes(5));
        wide.parity = Finding.ALIKE;
        wide.wrong.clear();
        wide.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.AT_ONCE);
        wide.await(() -> wide.groups().equals(new ClusterReport.Groups(1, 0, 0, 0)), Duration.ofMinutes(5));
    }

    /** The others agree without it: what is computed from them is right. */
    @Test
    void aContradictedChunkOfAFailedVolumeIsRebuiltUncompared() {
        cluster.file("/f0", LENGTH);
        ChunkLocation failed = chunks(0).get(2);
        rebuilding(Rebuilding.DISPUTES);
        cluster.failedVolumesUnread = true;
        cluster.at(failed).state = VolumeState.FAILED;
        cluster.await(
                () -> cluster.datanodes.values().stream()
                        .flatMap(d -> d.ordered.stream())
                        .anyMatch(order -> order.original().isEmpty()),
                Duration.ofMinutes(5));
        rebuilding(Rebuilding.AT_ONCE);
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(1, 0, 0, 0)), Duration.ofMinutes(5));
        assertThat(disputes()).isEmpty();
    }

    /** Of the only file one chunk is wrong, and a datanode that does not hold it has begun to check the group. */
    private final class Accused {
        final GroupId group;
        final PretendDatanode accuser;
        final ChunkLocation wrong;

        Accused() {
            cluster.file("/f0", LENGTH);
            group = chunks(0).get(0).chunk().group();
            cluster.heldChecks.add(group);
            cluster.datanodes.values().forEach(d -> d.checked.clear());
            cluster.await(() -> !checked().isEmpty());
            accuser = cluster.datanodes.values().stream()
                    .filter(d -> !d.checked.isEmpty())
                    .findFirst()
                    .orElseThrow();
            wrong = chunks(0).stream()
                    .filter(chunk -> !chunk.datanode().equals(accuser.id))
                    .findFirst()
                    .orElseThrow();
            cluster.parity = Finding.ONE_WRONG;
            cluster.wrong.add(wrong.chunk());
        }

        List<PretendDatanode> others() {
            return cluster.datanodes.values().stream().filter(d -> d != accuser).toList();
        }

        /** The accuser answers, and the others do this with what they are to check. */
        void accuses(Checking others) {
            others().forEach(d -> d.checking = others);
            cluster.heldChecks.clear();
            cluster.await(() -> !disputes().isEmpty());
            accuser.checked.clear();
        }

        void assertCondemned() {
            assertThat(disputes()).hasSize(1);
            assertThat(disputes().get(0).healedMillis()).isEmpty();
            others().forEach(d -> d.checking = Checking.AT_ONCE);
            cluster.await(() -> cluster.at(wrong).deleted.contains(wrong.chunk()), Duration.ofMinutes(5));
            cluster.await(() -> disputes().get(0).healedMillis().isPresent());
            assertThat(disputes()).hasSize(1);
            assertThat(unclear()).isZero();
        }
    }

    @Test
    void anAccusationOutlastsChecksThatCannotReadAChunk() {
        Accused accused = new Accused();
        accused.accuses(Checking.READS_NOTHING);
        int before = checked().size();
        cluster.await(() -> checked().size() > before + 3, Duration.ofMinutes(10));
        assertThat(accused.accuser.checked).isEmpty();
        accused.assertCondemned();
    }

    @Test
    void anAccusationOutlastsChecksThatTakeTooLong() {
        Accused accused = new Accused();
        accused.accuses(Checking.TAKES_FOR_EVER);
        cluster.await(
                () -> accused.others().stream()
                                .filter(d -> !d.checked.isEmpty())
                                .count()
                        > 2,
                Duration.ofHours(2));
        assertThat(accused.accuser.checked).isEmpty();
        accused.assertCondemned();
    }

    @Test
    void anAccusationOutlastsTheLeader() {
        Accused accused = new Accused();
        accused.accuses(Checking.READS_NOTHING);
        accused.accuser.checking = Checking.READS_NOTHING;
        cluster.elect(cluster.namenodes.keySet().stream()
                .filter(id -> !id.equals(cluster.leader()))
                .findFirst()
                .orElseThrow());
        cluster.time.advance(Duration.ofMinutes(5));
        accused.accuser.checking = Checking.AT_ONCE;
        accused.assertCondemned();
    }

    /** The others agree without it: it is wrong, and may come back before it is rebuilt. */
    @Test
    void anAccusedChunkThatWasAwayIsCondemnedWhenItReturns() {
        Accused accused = new Accused();
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        cluster.at(accused.wrong).alive = false;
        cluster.time.advance(Duration.ofSeconds(20));
        accused.accuses(Checking.AT_ONCE);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(disputes().get(0).healedMillis()).isEmpty();
        cluster.at(accused.wrong).restart();
        rebuilding(Rebuilding.AT_ONCE);
        accused.assertCondemned();
    }

    /** Of four chunks of RS(3,2) nobody can tell which one is wrong. */
    @Test
    void anAccusationIsConfirmedWhenAllChunksCanBeReadAgain() {
        Accused accused = new Accused();
        rebuilding(Rebuilding.TAKES_FOR_EVER);
        PretendDatanode away = accused.others().stream()
                .filter(d ->
                        chunks(0).stream().anyMatch(chunk -> chunk.datanode().equals(d.id)))
                .filter(d -> d != cluster.at(accused.wrong))
                .findFirst()
                .orElseThrow();
        away.alive = false;
        cluster.time.advance(Duration.ofSeconds(20));
        accused.accuses(Checking.READS_NOTHING);
        cluster.time.advance(Duration.ofMinutes(1));
        away.restart();
        rebuilding(Rebuilding.AT_ONCE);
        accused.assertCondemned();
    }
}
