package io.ecfs.namenode.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.message.AdminState.State;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.DropRing.Remaining;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding.PolicyChange;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.ring.ReadTimes;
import io.ecfs.message.ring.RingClock;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.reconstruction.RepairPlanner;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A ring of five of twelve datanodes with a spare; groups of five chunks of which any three suffice. */
class RingLifeTest {
    private static final Policy POLICY = TestCluster.POLICY;
    private static final int COLOURS = 5;
    private static final long PERIOD = 10_000;

    private final TestCluster cluster = new TestCluster(5, 12, TestCluster.RECOVERY).ready();

    private List<VolumeId> volumes(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(number -> cluster.datanodes.get(number).volume())
                .toList();
    }

    private void create(int writers, int volumes, int spares) {
        cluster.call(new NamespaceRequest.CreateRing(
                cluster.request("admin"),
                "flash",
                COLOURS,
                Optional.of(writers),
                PERIOD,
                volumes(1, volumes),
                volumes(volumes + 1, volumes + spares)));
        cluster.call(new NamespaceRequest.Mkdirs(cluster.request("admin"), new FilePath("/hot"), 0755, true));
        cluster.call(directory(Optional.of("flash")));
    }

    private NamespaceRequest.SetDirectoryRing directory(Optional<String> ring) {
        return new NamespaceRequest.SetDirectoryRing(
                cluster.request("admin"),
                new FilePath("/hot"),
                ring,
                Optional.of(new PolicyChange(Optional.of(POLICY))));
    }

    private RingState ring() {
        return ((NamespaceReply.Rings) cluster.call(new NamespaceRequest.GetRings()))
                .rings()
                .get(0);
    }

    private Optional<RingVolume> member(VolumeId volume) {
        return ring().volumes().stream()
                .filter(found -> found.volume().equals(volume))
                .findFirst();
    }

    private List<ChunkLocation> chunks(String path) {
        return cluster.locate(path).groups().get(0).chunks();
    }

    private List<VolumeId> on(String path) {
        return chunks(path).stream().map(ChunkLocation::volume).toList();
    }

    private List<VolumeId> colouredVolumes(Duty duty) {
        return ring().volumes().stream()
                .filter(volume -> volume.duty() == duty)
                .map(RingVolume::volume)
                .toList();
    }

    private boolean toleratesWriters(String path) {
        RingState ring = ring();
        Map<VolumeId, Integer> colours = new TreeMap<>();
        ring.volumes().forEach(volume -> volume.colour().ifPresent(c -> colours.put(volume.volume(), c)));
        List<Integer> own = new ArrayList<>();
        on(path).forEach(volume -> own.add(colours.get(volume)));
        return !own.contains(null) && ring.shape().toleratedBy(POLICY.code(), own);
    }

    private PretendDatanode datanode(VolumeId volume) {
        return cluster.datanodes.values().stream()
                .filter(d -> d.volume().equals(volume))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void groupsOfItsDirectoriesAloneLieOnItsVolumes() {
        create(2, 5, 1);
        for (int i = 0; i < 10; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH);
            cluster.file("/f" + i, TestCluster.LENGTH);
            assertThat(on("/hot/f" + i)).containsExactlyInAnyOrderElementsOf(volumes(1, 5));
            assertThat(toleratesWriters("/hot/f" + i)).isTrue();
            assertThat(on("/f" + i)).doesNotContainAnyElementsOf(volumes(1, 6));
            assertThat(cluster.locate("/hot/f" + i).groups().get(0).ring()).contains(ring().ring());
            assertThat(cluster.locate("/f" + i).groups().get(0).ring()).isEmpty();
        }
        assertThat(ring().groupsByMostWriters()).containsExactly(0L, 0L, 10L, 0L, 0L);
        assertThat(ring().directories()).isEqualTo(1);
    }

    @Test
    void theLeaderTurnsTheRingAndTellsTheDatanodesOfItsVolumesAlone() {
        create(2, 5, 1);
        cluster.time.advance(Duration.ofSeconds(1));
        PretendDatanode first = cluster.datanodes.get(1);
        RingClock clock = first.clocks.get(0);
        assertThat(clock.shape()).isEqualTo(new Ring(COLOURS, 2));
        assertThat(clock.volumes()).containsExactly(new RingClock.Coloured(first.volume(), 0));
        assertThat(cluster.datanodes.get(6).clocks).as("a spare has no colour").isEmpty();
        assertThat(cluster.datanodes.get(7).clocks).isEmpty();
        cluster.time.advance(Duration.ofMillis(3 * PERIOD));
        RingClock later = first.clocks.get(0);
        assertThat(later.position()).isEqualTo((clock.position() + 3) % COLOURS);
        assertThat(Math.abs(later.millisToMove() - clock.millisToMove())).isLessThanOrEqualTo(500);
        assertThat(cluster.datanodes.get(4).clocks.get(0).position()).isEqualTo(later.position());
    }

    @Test
    void aPausedRingStaysAndAChangedOneKeepsItsPlace() {
        create(2, 5, 1);
        cluster.time.advance(Duration.ofMillis(PERIOD + 4000));
        int position = ring().position();
        cluster.call(new NamespaceRequest.SetRing(
                cluster.request("admin"), "flash", Optional.empty(), Optional.empty(), Optional.of(true)));
        cluster.time.advance(Duration.ofMillis(7 * PERIOD));
        assertThat(ring().position()).isEqualTo(position);
        cluster.call(new NamespaceRequest.SetRing(
                cluster.request("admin"), "flash", Optional.of(1), Optional.of(2 * PERIOD), Optional.of(false)));
        assertThat(ring().position()).isEqualTo(position);
        assertThat(ring().epoch()).isEqualTo(3);
        cluster.time.advance(Duration.ofMillis(2 * PERIOD));
        assertThat(ring().position()).isEqualTo((position + 1) % COLOURS);
    }

    /** What datanodes follow is what a new leader goes on from: the wall clock plays no part. */
    @Test
    void aNewLeaderGoesOnWhereTheDatanodesAre() {
        create(2, 5, 1);
        cluster.time.advance(Duration.ofMillis(3 * PERIOD + 4000));
        RingState before = ring();
        PretendDatanode second = cluster.datanodes.get(2);
        second.rings = Optional.of(List.of(reading(second, before, 0)));
        cluster.time.advance(Duration.ofMillis(600));
        second.rings = Optional.empty();
        cluster.elect("nn1");
        cluster.ready();
        cluster.await(() -> cluster.leader().equals("nn1"));
        RingState after = ring();
        assertThat(after.epoch()).isEqualTo(before.epoch());
        assertThat(Math.floorMod(after.position() - before.position(), COLOURS)).isLessThanOrEqualTo(1);
        cluster.time.advance(Duration.ofMillis(2 * PERIOD));
        assertThat(ring().position()).isEqualTo((after.position() + 2) % COLOURS);
    }

    private static RingVolumeStatus reading(PretendDatanode datanode, RingState ring, long journalBytes) {
        return new RingVolumeStatus(
                datanode.volume(),
                ring.ring(),
                ring.epoch(),
                ring.position(),
                ring.millisToMove(),
                RingRole.READING,
                0,
                journalBytes,
                1000,
                0,
                0,
                0,
                Map.of(),
                ReadTimes.NONE,
                ReadTimes.NONE);
    }

    /** Nothing is staged on the first volume any more, but its journal is not freed: it delays acknowledgements. */
    @Test
    void aVolumeWhoseJournalIsNearlyFullGetsFewerChunks() {
        create(2, 10, 0);
        PretendDatanode first = cluster.datanodes.get(1);
        first.rings = Optional.of(List.of(reading(first, ring(), 800)));
        cluster.time.advance(Duration.ofSeconds(2));
        int onFirst = 0;
        for (int i = 0; i < 40; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH);
            onFirst += on("/hot/f" + i).contains(first.volume()) ? 1 : 0;
        }
        assertThat(onFirst).as("of 40, shared with another volume").isLessThan(12);
    }

    @Test
    void aRingClockThatStaysOffIsAnIncidentUntilItIsRight() {
        create(2, 5, 0);
        PretendDatanode second = cluster.datanodes.get(2);
        IncidentCause cause = IncidentCause.ringClockOff(second.id);
        follow(second, PERIOD, Duration.ofSeconds(5));
        follow(second, 0, Duration.ofSeconds(40));
        assertThat(incident(cause)).as("it jumped once").isEmpty();
        follow(second, 2 * PERIOD, Duration.ofSeconds(40));
        assertThat(incident(cause).orElseThrow().healedMillis()).isEmpty();
        follow(second, 0, Duration.ofSeconds(5));
        assertThat(incident(cause).orElseThrow().healedMillis()).isPresent();
    }

    @Test
    void theRingClockOfADeadDatanodeIsNoIncident() {
        create(2, 5, 0);
        PretendDatanode second = cluster.datanodes.get(2);
        IncidentCause cause = IncidentCause.ringClockOff(second.id);
        follow(second, 2 * PERIOD, Duration.ofSeconds(40));
        assertThat(incident(cause).orElseThrow().healedMillis()).isEmpty();
        second.alive = false;
        cluster.await(() -> incident(cause).orElseThrow().healedMillis().isPresent(), Duration.ofMinutes(5));
        follow(second, 2 * PERIOD, Duration.ofMinutes(1));
        assertThat(incidents(cause)).hasSize(1);
    }

    /** The second datanode's last report before the election is older than the first one's, which is right. */
    @Test
    void aRingClockThatIsOffStaysOneIncidentWhenTheLeaderChanges() {
        create(2, 5, 0);
        PretendDatanode first = cluster.datanodes.get(1);
        PretendDatanode second = cluster.datanodes.get(2);
        IncidentCause cause = IncidentCause.ringClockOff(second.id);
        follow(second, 2 * PERIOD, Duration.ofSeconds(40));
        assertThat(incident(cause).orElseThrow().healedMillis()).isEmpty();
        second.rings = Optional.empty();
        follow(first, 0, Duration.ofSeconds(2));
        cluster.elect("nn1");
        cluster.ready();
        cluster.await(() -> cluster.leader().equals("nn1"));
        follow(second, 2 * PERIOD, Duration.ofSeconds(40));
        assertThat(incidents(cause)).hasSize(1);
        assertThat(incident(cause).orElseThrow().healedMillis()).isEmpty();
        follow(second, 0, Duration.ofSeconds(5));
        assertThat(incident(cause).orElseThrow().healedMillis()).isPresent();
    }

    /** The datanode reports the earlier epoch for a second. */
    @Test
    void aRingClockThatIsOffStaysOneIncidentWhenTheRingChanges() {
        create(2, 5, 0);
        PretendDatanode second = cluster.datanodes.get(2);
        IncidentCause cause = IncidentCause.ringClockOff(second.id);
        follow(second, 2 * PERIOD, Duration.ofSeconds(40));
        cluster.call(writers(1));
        cluster.time.advance(Duration.ofSeconds(1));
        follow(second, 2 * PERIOD, Duration.ofSeconds(40));
        assertThat(incidents(cause)).hasSize(1);
        assertThat(incident(cause).orElseThrow().healedMillis()).isEmpty();
    }

    /** A datanode follows the ring's clock for a time, so far behind it. */
    private void follow(PretendDatanode datanode, long behindMillis, Duration time) {
        long step = 100;
        for (long past = 0; past < time.toMillis(); past += step) {
            report(datanode, behindMillis);
            cluster.time.advance(Duration.ofMillis(step));
        }
    }

    /** Has a datanode report the position that the ring has now, or had so long ago. */
    private void report(PretendDatanode datanode, long behindMillis) {
        RingState ring = ring();
        long phase = (ring.position() + 1) * PERIOD - ring.millisToMove() - behindMillis;
        long inCycle = Math.floorMod(phase, COLOURS * PERIOD);
        datanode.rings = Optional.of(List.of(new RingVolumeStatus(
                datanode.volume(),
                ring.ring(),
                ring.epoch(),
                Math.toIntExact(inCycle / PERIOD),
                PERIOD - inCycle % PERIOD,
                RingRole.READING,
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                ReadTimes.NONE,
                ReadTimes.NONE)));
    }

    private Optional<Incident> incident(IncidentCause cause) {
        return incidents(cause).stream().findFirst();
    }

    private List<Incident> incidents(IncidentCause cause) {
        return ((NamespaceReply.Incidents) cluster.call(new NamespaceRequest.ListIncidents(0, 100)))
                .incidents().stream()
                        .filter(incident -> incident.cause().equals(cause))
                        .toList();
    }

    @Test
    void aNamenodeThatComesBackHasTheRing() {
        create(2, 5, 1);
        cluster.file("/hot/f", TestCluster.LENGTH);
        RingState before = ring();
        cluster.crash("nn0");
        cluster.elect("nn2");
        cluster.startAs("nn0", new CommandCodec());
        cluster.elect("nn0");
        cluster.ready();
        assertThat(ring().epoch()).isEqualTo(before.epoch());
        assertThat(ring().groupsByMostWriters()).isEqualTo(before.groupsByMostWriters());
        assertThat(ring().volumes().stream().map(RingVolume::colour))
                .containsExactlyElementsOf(
                        before.volumes().stream().map(RingVolume::colour).toList());
        cluster.file("/hot/g", TestCluster.LENGTH);
        assertThat(toleratesWriters("/hot/g")).isTrue();
    }

    @Test
    void aSpareTakesTheColourOfAFailedVolumeAndItsChunks() {
        create(2, 5, 1);
        cluster.file("/hot/f", TestCluster.LENGTH);
        VolumeId failed = on("/hot/f").get(1);
        int colour = member(failed).orElseThrow().colour().orElseThrow();
        VolumeId spare = volumes(6, 6).get(0);
        datanode(failed).state = VolumeState.FAILED;
        cluster.await(() -> member(spare).filter(m -> m.duty() == Duty.ACTIVE).isPresent(), Duration.ofMinutes(5));
        assertThat(member(spare).orElseThrow().colour()).contains(colour);
        cluster.await(() -> on("/hot/f").contains(spare), Duration.ofMinutes(5));
        assertThat(toleratesWriters("/hot/f")).isTrue();
        cluster.await(() -> member(failed).isEmpty(), Duration.ofMinutes(5));
        assertThat(colouredVolumes(Duty.ACTIVE)).hasSize(5);
    }

    /** What is on the one that leaves can be read meanwhile. */
    @Test
    void aFailedVolumeGetsTheSpareBeforeOneWhoseDatanodeLeaves() {
        create(2, 5, 1);
        VolumeId leaving = volumes(1, 1).get(0);
        VolumeId failed = volumes(5, 5).get(0);
        VolumeId spare = volumes(6, 6).get(0);
        int colour = member(failed).orElseThrow().colour().orElseThrow();
        datanode(failed).state = VolumeState.FAILED;
        datanode(spare).state = VolumeState.FAILED;
        cluster.time.advance(Duration.ofSeconds(10));
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), datanode(leaving).id, State.DECOMMISSIONING, Optional.empty()));
        cluster.time.advance(Duration.ofSeconds(10));
        datanode(spare).state = VolumeState.HEALTHY;
        cluster.await(() -> colouredVolumes(Duty.ACTIVE).contains(spare), Duration.ofMinutes(5));
        assertThat(member(spare).orElseThrow().colour()).contains(colour);
    }

    /** Five volumes of five colours: without the spare no chunk could leave the datanode. */
    @Test
    void aSpareTakesTheColourOfADatanodeThatIsDecommissioned() {
        create(2, 5, 1);
        cluster.file("/hot/f", TestCluster.LENGTH);
        VolumeId leaving = on("/hot/f").get(1);
        VolumeId spare = volumes(6, 6).get(0);
        cluster.call(new NamespaceRequest.SetAdminState(
                cluster.request("admin"), datanode(leaving).id, State.DECOMMISSIONING, Optional.empty()));
        cluster.await(() -> on("/hot/f").contains(spare), Duration.ofMinutes(5));
        assertThat(toleratesWriters("/hot/f")).isTrue();
        cluster.await(() -> member(leaving).isEmpty(), Duration.ofMinutes(5));
        assertThat(colouredVolumes(Duty.ACTIVE)).hasSize(5).contains(spare);
    }

    @Test
    void aChunkIsRebuiltOnlyWhereItsGroupToleratesTheWriters() {
        create(2, 9, 0);
        for (int i = 0; i < 6; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH);
        }
        // colours 0 to 3 have two volumes: the other one of the same colour is the only place by the rule
        VolumeId dead = on("/hot/f0").stream()
                .filter(volume -> member(volume).orElseThrow().colour().orElseThrow() < COLOURS - 1)
                .findFirst()
                .orElseThrow();
        datanode(dead).alive = false;
        cluster.time.advance(Duration.ofMinutes(5));
        for (int i = 0; i < 6; i++) {
            assertThat(on("/hot/f" + i)).doesNotContain(dead);
            assertThat(toleratesWriters("/hot/f" + i)).as("f%s", i).isTrue();
        }
    }

    /** The only volume of colour 4 dies: groups tolerate one writer less, which costs less than a chunk. */
    @Test
    void aChunkWithoutAVolumeByTheRuleIsRebuiltElsewhereInTheRing() {
        create(2, 9, 0);
        for (int i = 0; i < 6; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH);
        }
        VolumeId dead = volumes(5, 5).get(0);
        datanode(dead).alive = false;
        cluster.await(() -> ring().groupsByMostWriters().equals(List.of(0L, 6L, 0L, 0L, 0L)), Duration.ofMinutes(6));
        for (int i = 0; i < 6; i++) {
            assertThat(on("/hot/f" + i)).isSubsetOf(volumes(1, 9)).doesNotContain(dead);
            assertThat(on("/hot/f" + i)).doesNotHaveDuplicates().hasSize(COLOURS);
        }
    }

    /** As above; then colour 4 has a volume again. */
    @Test
    void groupsBelowTheRuleDoNotLowerTheWritersAndAreMovedToWhereTheyTolerateThem() {
        create(2, 9, 0);
        for (int i = 0; i < 6; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH);
        }
        datanode(volumes(5, 5).get(0)).alive = false;
        cluster.await(() -> ring().groupsByMostWriters().equals(List.of(0L, 6L, 0L, 0L, 0L)), Duration.ofMinutes(6));
        cluster.call(writers(2));
        assertThat(cluster.refusal(writers(3)).getMessage()).contains("6 groups of ring flash", "nearest is 2");
        cluster.call(new NamespaceRequest.AssignVolumes(
                cluster.request("admin"), "flash", volumes(10, 10), List.of(), List.of()));
        cluster.await(() -> ring().groupsByMostWriters().equals(List.of(0L, 0L, 6L, 0L, 0L)), Duration.ofMinutes(10));
        for (int i = 0; i < 6; i++) {
            assertThat(toleratesWriters("/hot/f" + i)).isTrue();
            assertThat(on("/hot/f" + i)).contains(volumes(10, 10).get(0));
        }
    }

    private NamespaceRequest.SetRing writers(int writers) {
        return new NamespaceRequest.SetRing(
                cluster.request("admin"), "flash", Optional.of(writers), Optional.empty(), Optional.empty());
    }

    /** As a directory inherits them or a file names them: four of five chunks must be read, or they are six. */
    @Test
    void groupsThatTheRingCannotServeLieInNone() {
        create(2, 5, 1);
        for (String policy : List.of("rs-4-1-4k", "rs-4-2-4k")) {
            cluster.file("/hot/" + policy, TestCluster.LENGTH, Policy.parse(policy));
            assertThat(on("/hot/" + policy)).doesNotContainAnyElementsOf(volumes(1, 6));
            assertThat(cluster.locate("/hot/" + policy).groups().get(0).ring()).isEmpty();
        }
        cluster.file("/hot/f", TestCluster.LENGTH);
        assertThat(toleratesWriters("/hot/f")).isTrue();
    }

    /** Of colour 0 one volume is dead and the other one leaves: its chunks have no place. */
    @Test
    void aVolumeThatCannotBeEmptiedHoldsUpNoBalance() {
        long room = 320 << 20;
        create(2, 6, 0);
        datanode(volumes(6, 6).get(0)).alive = false;
        cluster.time.advance(Duration.ofMinutes(3));
        cluster.file("/hot/f", TestCluster.LENGTH);
        VolumeId removed = volumes(1, 1).get(0);
        cluster.datanodes.tailMap(7).values().forEach(d -> d.capacity = room);
        for (int i = 0; i < 40; i++) {
            cluster.file("/f" + i, POLICY.dataChunks() * (1L << 20));
        }
        PretendDatanode fresh = new PretendDatanode(cluster, 13, "rack1");
        fresh.capacity = room;
        cluster.datanodes.put(13, fresh);
        cluster.await(fresh::registered);
        cluster.call(new NamespaceRequest.AssignVolumes(
                cluster.request("admin"), "flash", List.of(), List.of(), List.of(removed)));
        cluster.call(new NamespaceRequest.Balance(NamespaceRequest.Balance.Wish.BEGIN, 50));
        cluster.await(() -> fresh.chunks.size() >= 10, Duration.ofMinutes(20));
        assertThat(member(removed).orElseThrow().duty()).isEqualTo(Duty.LEAVING);
        assertThat(on("/hot/f")).contains(removed);
    }

    /** The spare of the lowest number has failed: whoever gets the colour first, a healthy one has it in the end. */
    @Test
    void aFailedSpareKeepsNoColour() {
        create(2, 5, 2);
        datanode(volumes(6, 6).get(0)).state = VolumeState.FAILED;
        cluster.time.advance(Duration.ofSeconds(10));
        cluster.call(new NamespaceRequest.AssignVolumes(
                cluster.request("admin"), "flash", List.of(), List.of(), volumes(1, 1)));
        cluster.await(
                () -> colouredVolumes(Duty.ACTIVE).contains(volumes(7, 7).get(0))
                        && !colouredVolumes(Duty.ACTIVE).contains(volumes(6, 6).get(0)),
                Duration.ofMinutes(5));
        assertThat(member(volumes(7, 7).get(0)).orElseThrow().colour()).contains(0);
    }

    /** The sixth datanode has none, and the first one none any more. */
    @Test
    void aVolumeWithoutAJournalIsRefusedAndShown() {
        PretendDatanode sixth = cluster.datanodes.get(6);
        restart(sixth, Optional.empty());
        create(2, 5, 0);
        List<VolumeId> without = volumes(6, 6);
        for (NamespaceRequest request : List.of(
                assign(without, List.of()),
                assign(List.of(), without),
                new NamespaceRequest.CreateRing(
                        cluster.request("admin"), "other", 2, Optional.of(1), PERIOD, volumes(6, 8), List.of()))) {
            assertThat(cluster.refusal(request))
                    .hasMessage("volume " + without.get(0) + ", /disk/dn6 of datanode dn6, has no journal, which a ring"
                            + " needs: set store.journal.directory, store.journal.bytes and store.journal.direct of"
                            + " that datanode, and start it again");
        }
        restart(sixth, Optional.of(1L << 30));
        cluster.call(assign(without, List.of()));
        VolumeId first = volumes(1, 1).get(0);
        assertThat(member(first).flatMap(RingVolume::journal)).contains(true);
        restart(datanode(first), Optional.empty());
        assertThat(member(first).flatMap(RingVolume::journal)).contains(false);
    }

    /** Its leader was elected while the datanode was away, and knows nothing of its journal. */
    @Test
    void aVolumeWhoseDatanodeHasNotRegisteredIsRefused() {
        cluster.datanodes.get(6).alive = false;
        cluster.crash("nn0");
        cluster.startAs("nn0", new CommandCodec());
        cluster.elect("nn0");
        cluster.ready();
        create(2, 5, 0);
        assertThat(cluster.refusal(assign(volumes(6, 6), List.of())))
                .hasMessageContaining("the datanode has not registered at the leader: start it, and repeat");
    }

    private NamespaceRequest.AssignVolumes assign(List<VolumeId> add, List<VolumeId> spares) {
        return new NamespaceRequest.AssignVolumes(cluster.request("admin"), "flash", add, spares, List.of());
    }

    private void restart(PretendDatanode datanode, Optional<Long> journalBound) {
        datanode.journalBound = journalBound;
        datanode.restart();
        cluster.time.advance(Duration.ofSeconds(5));
    }

    @Test
    void aRingWithoutAnyTargetHoldsUpNoOtherGroup() {
        create(2, 5, 0);
        for (int i = 0; i <= RepairPlanner.MOST_WITHOUT_TARGET; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH);
        }
        cluster.file("/f", TestCluster.LENGTH);
        datanode(volumes(1, 1).get(0)).alive = false;
        cluster.time.advance(Duration.ofMinutes(1));
        VolumeId dead = on("/f").get(0);
        datanode(dead).alive = false;
        cluster.await(() -> !on("/f").contains(dead), Duration.ofMinutes(5));
        assertThat(cluster.groups().degraded()).isEqualTo(RepairPlanner.MOST_WITHOUT_TARGET + 1);
    }

    @Test
    void aVolumeThatIsRemovedIsEmptiedIntoTheRing() {
        create(2, 5, 0);
        cluster.file("/hot/f", TestCluster.LENGTH);
        VolumeId removed = on("/hot/f").get(2);
        VolumeId instead = volumes(8, 8).get(0);
        cluster.call(new NamespaceRequest.AssignVolumes(
                cluster.request("admin"), "flash", List.of(), List.of(instead), List.of(removed)));
        assertThat(member(removed).orElseThrow().duty()).isEqualTo(Duty.LEAVING);
        cluster.await(() -> member(removed).isEmpty(), Duration.ofMinutes(5));
        assertThat(on("/hot/f")).contains(instead).doesNotContain(removed);
        assertThat(toleratesWriters("/hot/f")).isTrue();
    }

    @Test
    void aDroppedRingMovesItsGroupsToOtherVolumesAndIsGone() {
        create(2, 5, 1);
        cluster.file("/hot/f", TestCluster.LENGTH);
        cluster.call(directory(Optional.empty()));
        cluster.call(new NamespaceRequest.DropRing(cluster.request("admin"), "flash", Remaining.MOVE));
        cluster.await(
                () -> ((NamespaceReply.Rings) cluster.call(new NamespaceRequest.GetRings()))
                        .rings()
                        .isEmpty(),
                Duration.ofMinutes(10));
        assertThat(on("/hot/f")).doesNotContainAnyElementsOf(volumes(1, 6));
        cluster.file("/hot/g", TestCluster.LENGTH);
    }

    private List<RingState> rings() {
        return ((NamespaceReply.Rings) cluster.call(new NamespaceRequest.GetRings())).rings();
    }

    private NamespaceRequest.DropRing drop(Remaining remaining) {
        return new NamespaceRequest.DropRing(cluster.request("admin"), "flash", remaining);
    }

    /** Of five datanodes outside of the ring four die: one takes a chunk, and the others wait. */
    @Test
    void aRingThatCannotBeDrainedSaysWhyAndIsDroppedInPlace() {
        create(2, 7, 0);
        cluster.file("/hot/f", TestCluster.LENGTH);
        cluster.call(directory(Optional.empty()));
        cluster.datanodes.tailMap(9).values().forEach(d -> d.alive = false);
        cluster.call(drop(Remaining.MOVE));
        VolumeId outside = volumes(8, 8).get(0);
        cluster.await(() -> on("/hot/f").contains(outside), Duration.ofMinutes(5));
        cluster.await(
                () -> ring().waiting()
                        .filter(why -> why.contains("0 datanodes can take a chunk"))
                        .isPresent(),
                Duration.ofMinutes(5));
        assertThat(ring().dropping()).isTrue();
        List<VolumeId> before = on("/hot/f");

        cluster.call(drop(Remaining.KEEP));
        assertThat(rings()).isEmpty();
        assertThat(on("/hot/f")).isEqualTo(before);
        assertThat(cluster.locate("/hot/f").groups().get(0).ring()).isEmpty();
        VolumeId dead = before.stream()
                .filter(volume -> !volume.equals(outside))
                .findFirst()
                .orElseThrow();
        datanode(dead).alive = false;
        cluster.await(() -> !on("/hot/f").contains(dead), Duration.ofMinutes(10));
        assertThat(new TreeSet<>(on("/hot/f"))).hasSize(COLOURS);
    }

    @Test
    void aRingIsNotDrainedWithoutDatanodesForItsGroups() {
        create(2, 8, 0);
        cluster.file("/hot/f", TestCluster.LENGTH);
        cluster.call(directory(Optional.empty()));
        assertThat(cluster.refusal(drop(Remaining.MOVE)).getMessage())
                .startsWith("groups of ring flash need volumes outside of rings on 5 datanodes: add some, or 'ecfs ring"
                        + " drop flash --in-place' leaves them where they are; 4 datanodes can take a chunk")
                .doesNotContain("\n");
        assertThat(ring().dropping()).isFalse();
        cluster.call(drop(Remaining.KEEP));
        assertThat(rings()).isEmpty();
    }
}
