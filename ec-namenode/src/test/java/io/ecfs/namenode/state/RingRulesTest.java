package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.AssignVolumes;
import io.ecfs.message.namespace.NamespaceRequest.CreateRing;
import io.ecfs.message.namespace.NamespaceRequest.DropRing;
import io.ecfs.message.namespace.NamespaceRequest.DropRing.Remaining;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.SetDirectoryRing;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding.PolicyChange;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.message.namespace.NamespaceRequest.SetPolicy;
import io.ecfs.message.namespace.NamespaceRequest.SetRing;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.message.ring.RingVolumeChange;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rings as facts: six datanodes with one volume each, groups of four chunks of which any two suffice. */
class RingRulesTest {
    private static final RingId FLASH = new RingId(1);

    private final MemoryStore store = new MemoryStore();
    private final Ledger ledger = new Ledger(store);

    private static List<VolumeId> volumes(int... numbers) {
        return IntStream.of(numbers).mapToObj(VolumeId::new).toList();
    }

    private CreateRing create(int colours, Integer writers, List<VolumeId> volumes, List<VolumeId> spares) {
        return new CreateRing(
                ledger.request(), "flash", colours, Optional.ofNullable(writers), 10_000, volumes, spares);
    }

    private void flash(int writers) {
        ledger.done(create(4, writers, volumes(1, 2, 3, 4), volumes(5)));
    }

    private SetRing writers(int writers) {
        return new SetRing(ledger.request(), "flash", Optional.of(writers), Optional.empty(), Optional.empty());
    }

    private SetRing period(long millis) {
        return new SetRing(ledger.request(), "flash", Optional.empty(), Optional.of(millis), Optional.empty());
    }

    private AssignVolumes assign(List<VolumeId> add, List<VolumeId> spares, List<VolumeId> remove) {
        return new AssignVolumes(ledger.request(), "flash", add, spares, remove);
    }

    private SetDirectoryRing directory(String ring, String policy) {
        return new SetDirectoryRing(
                ledger.request(),
                Ledger.path("/hot"),
                Optional.ofNullable(ring),
                Optional.of(new PolicyChange(Optional.ofNullable(policy).map(Policy::parse))));
    }

    private DropRing drop(Remaining remaining) {
        return new DropRing(ledger.request(), "flash", remaining);
    }

    private RingFacts ring() {
        try (MetadataView view = ledger.state.view()) {
            return view.rings().get(0);
        }
    }

    private List<Long> groups() {
        try (MetadataView view = ledger.state.view()) {
            return view.ringGroups(view.rings().get(0));
        }
    }

    private List<RingMember> members() {
        try (MetadataView view = ledger.state.view()) {
            return view.ringMembers();
        }
    }

    private Optional<GroupFacts> group(GroupFacts group) {
        try (MetadataView view = ledger.state.view()) {
            return view.group(group.group());
        }
    }

    private void refused(Mutation mutation, String why) {
        ledger.refused(mutation, ErrorCode.INVALID_ARGUMENT);
        assertThat(refusal(mutation)).doesNotContain("\n").contains(why);
    }

    private String refusal(Mutation mutation) {
        return ((CommandResult.Refused) ledger.call(mutation)).message();
    }

    private void adapt(Optional<Integer> writers, List<Command.AdaptRing.Succession> successions, VolumeId... emptied) {
        assertThat(ledger.apply(new Command.AdaptRing(
                        ledger.now, FLASH, ring().epoch(), writers, successions, List.of(emptied), "test")))
                .isEqualTo(new CommandResult.Done());
    }

    @Test
    void aRingIsMadeChangedAndDroppedInGrowingEpochsThatTheHistoryHas() {
        flash(2);
        assertThat(ring().epoch()).isEqualTo(1);
        assertThat(members())
                .containsExactly(
                        RingMember.active(new VolumeId(1), FLASH, 0),
                        RingMember.active(new VolumeId(2), FLASH, 1),
                        RingMember.active(new VolumeId(3), FLASH, 2),
                        RingMember.active(new VolumeId(4), FLASH, 3),
                        RingMember.spare(new VolumeId(5), FLASH));
        ledger.done(writers(1));
        ledger.done(writers(1));
        ledger.done(period(20_000));
        ledger.done(
                new SetRing(ledger.request(), "flash", Optional.of(SetRing.AUTO), Optional.empty(), Optional.of(true)));
        assertThat(ring()).isEqualTo(new RingFacts(FLASH, "flash", 4, new Ring(4, 1), true, true, false, 20_000));
        ledger.done(drop(Remaining.REFUSE));
        assertThat(members()).isEmpty();
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.rings()).isEmpty();
            assertThat(view.events(0, 100).stream()
                            .filter(event -> event.event() instanceof ClusterEvent.RingChanged)
                            .map(event -> ((ClusterEvent.RingChanged) event.event()).epoch()))
                    .containsExactly(1L, 2L, 3L, 4L, 5L);
        }
        flash(2);
        assertThat(ring().ring()).as("numbers are not used again").isEqualTo(new RingId(2));
    }

    @Test
    void anEventHasTheSettingsBeforeAndAfterAndTheVolumesThatChanged() {
        flash(2);
        RingSettings made = new RingSettings(4, 2, false, 10_000, false, false);
        List<RingVolumeChange> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(new RingVolumeChange(
                    new VolumeId(i + 1), Optional.empty(), Optional.of(Duty.ACTIVE), Optional.of(i)));
        }
        all.add(new RingVolumeChange(new VolumeId(5), Optional.empty(), Optional.of(Duty.SPARE), Optional.empty()));
        ledger.done(new SetRing(ledger.request(), "flash", Optional.of(1), Optional.of(20_000L), Optional.of(true)));
        RingSettings changed = new RingSettings(4, 1, false, 20_000, true, false);
        ledger.done(assign(List.of(), List.of(), volumes(2)));
        List<RingVolumeChange> moved = List.of(
                new RingVolumeChange(new VolumeId(2), Optional.of(Duty.ACTIVE), Optional.empty(), Optional.of(1)),
                new RingVolumeChange(
                        new VolumeId(5), Optional.of(Duty.SPARE), Optional.of(Duty.ACTIVE), Optional.of(1)));
        adapt(Optional.of(2), List.of());
        RingSettings adapted = new RingSettings(4, 2, false, 20_000, true, false);
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(directory("flash", "rs-2-2-64k"));
        ledger.done(directory(null, null));
        ledger.done(drop(Remaining.REFUSE));
        List<RingVolumeChange> gone = new ArrayList<>();
        for (int volume : List.of(1, 3, 4, 5)) {
            int colour = volume == 5 ? 1 : volume - 1;
            gone.add(new RingVolumeChange(
                    new VolumeId(volume), Optional.of(Duty.ACTIVE), Optional.empty(), Optional.of(colour)));
        }
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.events(0, 100).stream()
                            .map(HistoryEvent::event)
                            .filter(event -> !(event instanceof ClusterEvent.PolicyChanged)))
                    .containsSubsequence(
                            event(1, null, made, all, "root"),
                            event(2, made, changed, List.of(), "root"),
                            event(3, changed, changed, moved, "root"),
                            event(4, changed, adapted, List.of(), "test"),
                            new ClusterEvent.DirectoryRingChanged(
                                    "/hot", Optional.empty(), Optional.of("flash"), "root"),
                            new ClusterEvent.DirectoryRingChanged(
                                    "/hot", Optional.of("flash"), Optional.empty(), "root"),
                            event(5, adapted, null, gone, "root"));
        }
    }

    private static ClusterEvent event(
            long epoch, RingSettings from, RingSettings to, List<RingVolumeChange> volumes, String who) {
        return new ClusterEvent.RingChanged(
                "flash", epoch, Optional.ofNullable(from), Optional.ofNullable(to), volumes, 0, who);
    }

    @Test
    void anEventNamesSoManyVolumesAndCountsTheOthers() {
        List<RingVolumeChange> all = IntStream.rangeClosed(1, ClusterEvent.RingChanged.MOST_VOLUMES + 2)
                .mapToObj(i -> new RingVolumeChange(
                        new VolumeId(i), Optional.empty(), Optional.of(Duty.SPARE), Optional.empty()))
                .toList();
        ClusterEvent.RingChanged event =
                ClusterEvent.RingChanged.of("flash", 1, Optional.empty(), Optional.empty(), all, "root");
        assertThat(event.volumes()).isEqualTo(all.subList(0, ClusterEvent.RingChanged.MOST_VOLUMES));
        assertThat(event.moreVolumes()).isEqualTo(2);
    }

    @Test
    void impossibleRingsAreRefusedWithTheNearestThatIsPossible() {
        refused(create(4, 2, volumes(1, 2, 3), List.of()), "nearest is --colours 3");
        refused(create(4, 4, volumes(1, 2, 3, 4), List.of()), "nearest is 3");
        refused(create(1, 1, volumes(1), List.of()), "2 to 255 colours, not 1: nearest is 2");
        refused(create(2, 1, volumes(1), List.of()), "name at least two");
        assertThat(refusal(writers(1)))
                .isEqualTo("there is no ring flash, and no other one: 'ecfs ring create' makes one");
        refused(create(4, 2, volumes(1, 2, 3, 3), List.of()), "volume v3 is named twice");
        ledger.refused(create(4, 2, volumes(1, 2, 3, 99), List.of()), ErrorCode.NOT_FOUND);
        refused(
                new CreateRing(ledger.request(), "flash", 4, Optional.of(2), 999, volumes(1, 2, 3, 4), List.of()),
                "nearest is 1000 ms");
        flash(2);
        ledger.refused(create(4, 2, volumes(1, 2, 3, 4), List.of()), ErrorCode.ALREADY_EXISTS);
        refused(writers(4), "nearest is 3");
        refused(period(500), "nearest is 1000 ms");
        SetRing flush = new SetRing(ledger.request(), "flush", Optional.of(1), Optional.empty(), Optional.empty());
        ledger.refused(flush, ErrorCode.NOT_FOUND);
        assertThat(refusal(flush)).isEqualTo("there is no ring flush; nearest is flash");
        ledger.refused(new CallerIdentity("eve", List.of("users")), writers(1), ErrorCode.ACCESS_DENIED);
    }

    @Test
    void volumesOfARingHaveNoChunksAndBelongToOneRing() {
        ledger.write("/f", 100);
        refused(create(4, 2, volumes(1, 2, 3, 4), List.of()), "volume v1 holds 1 chunks of groups outside");
        ledger.done(ledger.delete("/f"));
        assertThat(ledger.apply(new Command.PurgeStep(ledger.now, 1000))).isInstanceOf(CommandResult.Purged.class);
        flash(2);
        refused(
                new CreateRing(ledger.request(), "other", 2, Optional.of(1), 10_000, volumes(6, 5), List.of()),
                "volume v5 is in ring flash already");
    }

    @Test
    void groupsAreInTheRingOfTheirVolumesAndCountedByTheWritersThatTheyTolerate() {
        flash(1);
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(directory("flash", "rs-2-2-64k"));
        GroupFacts group = ledger.open("/hot/f").first();
        assertThat(group.ring()).contains(FLASH);
        assertThat(groups()).containsExactly(0L, 0L, 1L, 0L);
        refused(writers(3), "1 groups of ring flash could not be read");
        ledger.done(writers(2));
        ledger.done(ledger.delete("/hot/f"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        assertThat(groups()).containsExactly(0L, 0L, 0L, 0L);
        refused(writers(3), "rs-2-2-64k, the policy of directories");
    }

    @Test
    void aGroupIsAllVolumesOfOneRingOrOfNone() {
        ledger.done(create(4, 2, volumes(3, 4, 5, 6), List.of()));
        ledger.refused(ledger.create("/f", false), ErrorCode.NO_SPACE);
        assertThat(ledger.status("/f")).isEmpty();
    }

    @Test
    void aDirectoryMayNameARingThatServesItsPolicy() {
        ledger.done(create(4, 3, volumes(1, 2, 3, 4), List.of()));
        ledger.done(ledger.mkdirs("/hot/below"));
        refused(directory("flash", "rs-2-2-64k"), "tolerate at most 2 writers of 4 colours, ring flash has 3");
        ledger.refused(directory("flsh", "rs-2-2-64k"), ErrorCode.NOT_FOUND);
        ledger.done(writers(2));
        refused(directory("flash", "rs-3-3-64k"), "have 6 chunks on as many datanodes, ring flash has volumes on 4");
        ledger.done(directory("flash", "rs-2-2-64k"));
        assertThat(ledger.status("/hot").orElseThrow().ring()).contains(FLASH);
        assertThat(ledger.status("/hot/below").orElseThrow().ring()).contains(FLASH);
        refused(
                new SetPolicy(ledger.request(), Ledger.path("/hot/below"), Optional.of(Policy.parse("rs-3-1-64k"))),
                "tolerate at most 1 writers");
        refused(drop(Remaining.MOVE), "named by a directory: 'ecfs ec set");
        ledger.done(directory(null, null));
        assertThat(ledger.status("/hot/below").orElseThrow().ring()).isEmpty();
        ledger.done(drop(Remaining.REFUSE));
    }

    /** Volumes 1 and 7 lie on one datanode, and alone have the colours 1 and 2. */
    @Test
    void coloursThatShareADatanodeHaveNoRoomForAWholeGroup() {
        ledger.apply(new Command.RegisterDatanode(
                ledger.now, new DatanodeId("dn0"), "uuid0", new Address("host", 9000), "/r", List.of("vol0", "more")));
        ledger.done(create(4, 2, volumes(2, 1, 7, 3, 4), List.of()));
        ledger.done(ledger.mkdirs("/hot"));
        refused(directory("flash", "rs-2-2-64k"), "only 3 find datanodes of their own");
        ledger.done(assign(volumes(5), List.of(), List.of()));
        ledger.done(directory("flash", "rs-2-2-64k"));
    }

    @Test
    void aDirectoryThatIsDeletedNamesNoRingAnyMore() {
        flash(2);
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(directory("flash", "rs-2-2-64k"));
        ledger.done(directory("flash", null));
        ledger.done(ledger.delete("/hot"));
        refused(drop(Remaining.REFUSE), "named by a directory: 'ecfs ec set");
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        ledger.done(drop(Remaining.REFUSE));
    }

    @Test
    void theWritersOfAnAdaptiveRingFollowItsFirstDirectory() {
        ledger.done(create(4, null, volumes(1, 2, 3, 4), List.of()));
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(directory("flash", "rs-3-1-64k"));
        assertThat(ring().shape().writers()).isEqualTo(1);
        assertThat(ring().adaptive()).isTrue();
    }

    /** What a directory puts into a ring bounds the writers of all: no user decides that for the others. */
    @Test
    void onlyTheSuperuserNamesARingOrLowersItsWriters() {
        ledger.done(create(4, null, volumes(1, 2, 3, 4), List.of()));
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(new SetOwner(ledger.request(), Ledger.path("/hot"), Optional.of("eve"), Optional.empty()));
        CallerIdentity eve = new CallerIdentity("eve", List.of("users"));
        ledger.refused(eve, directory("flash", "rs-3-1-64k"), ErrorCode.ACCESS_DENIED);
        assertThat(((CommandResult.Refused) ledger.call(eve, directory("flash", "rs-2-2-64k"))).message())
                .contains("is denied naming ring flash, which the superuser must do");
        ledger.done(directory("flash", "rs-2-2-64k"));
        ledger.refused(eve, policy("rs-3-1-64k"), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(eve, directory("flash", "rs-3-1-64k"), ErrorCode.INVALID_ARGUMENT);
        assertThat(ring().shape().writers()).isEqualTo(2);
        assertThat(ledger.call(eve, directory("flash", "replication-3"))).isEqualTo(new CommandResult.Done());
        assertThat(ledger.call(eve, directory(null, null))).isEqualTo(new CommandResult.Done());
        ledger.done(drop(Remaining.REFUSE));
    }

    private SetPolicy policy(String policy) {
        return new SetPolicy(ledger.request(), Ledger.path("/hot"), Optional.of(Policy.parse(policy)));
    }

    @Test
    void volumesAreAddedToTheSmallestColourAndLeaveWhenTheyAreEmpty() {
        flash(2);
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(directory("flash", "rs-2-2-64k"));
        ledger.open("/hot/f");
        refused(
                assign(List.of(), List.of(), volumes(9)),
                "ring flash has no volume v9: 'ecfs ring status flash' lists");
        ledger.done(assign(volumes(6), List.of(), List.of()));
        assertThat(members().get(5)).isEqualTo(RingMember.active(new VolumeId(6), FLASH, 0));
        ledger.done(assign(List.of(), List.of(), volumes(1)));
        assertThat(members().get(0))
                .isEqualTo(RingMember.active(new VolumeId(1), FLASH, 0).leaving());
        assertThat(groups()).as("its chunks keep their colour").containsExactly(0L, 0L, 1L, 0L);
        ledger.done(assign(List.of(), List.of(), volumes(2)));
        assertThat(members().get(4))
                .as("the last of a colour gives it to a spare")
                .isEqualTo(RingMember.active(new VolumeId(5), FLASH, 1));
        refused(assign(List.of(), List.of(), volumes(3)), "no volume of colour 2");
        ledger.done(ledger.delete("/hot/f"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        adapt(Optional.empty(), List.of(), new VolumeId(1), new VolumeId(2));
        assertThat(members()).extracting(RingMember::volume).containsExactlyElementsOf(volumes(3, 4, 5, 6));
    }

    @Test
    void theLeaderChangesARingInTheEpochThatItKnowsAlone() {
        flash(2);
        adapt(Optional.of(1), List.of(new Command.AdaptRing.Succession(new VolumeId(2), new VolumeId(5))));
        assertThat(ring().shape().writers()).isEqualTo(1);
        assertThat(ring().epoch()).isEqualTo(2);
        assertThat(members().get(1).duty()).isEqualTo(Duty.LEAVING);
        assertThat(members().get(4)).isEqualTo(RingMember.active(new VolumeId(5), FLASH, 1));
        ledger.refused(
                ledger.apply(new Command.AdaptRing(ledger.now, FLASH, 1, Optional.of(2), List.of(), List.of(), "late")),
                ErrorCode.INVALID_ARGUMENT);
        ledger.refused(
                ledger.apply(new Command.AdaptRing(
                        ledger.now, FLASH, 2, Optional.empty(), List.of(), volumes(1), "it does not leave")),
                ErrorCode.INVALID_ARGUMENT);
        assertThat(ring().epoch()).isEqualTo(2);
    }

    @Test
    void aDroppedRingIsGoneWithItsLastGroup() {
        ledger.done(create(4, 2, volumes(1, 2, 3, 4), List.of()));
        GroupFacts group = ledger.open("/f").first();
        assertThat(group.ring()).contains(FLASH);
        refused(drop(Remaining.REFUSE), "has a group: 'ecfs ring drop flash --drain'");
        ledger.done(drop(Remaining.MOVE));
        assertThat(ring().dropping()).isTrue();
        refused(assign(volumes(5), List.of(), List.of()), "is being dropped");
        ledger.done(ledger.delete("/f"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        adapt(Optional.empty(), List.of());
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.rings()).isEmpty();
            assertThat(view.ringMembers()).isEmpty();
        }
    }

    @Test
    void aRingThatIsDroppedInPlaceLeavesItsGroupsOnOrdinaryVolumes() {
        ledger.done(create(4, 2, volumes(1, 2, 3, 4), volumes(5)));
        CommandResult.Created file = ledger.open("/f");
        GroupFacts group = file.first();
        ledger.close(file, 100);
        ledger.done(drop(Remaining.MOVE));
        ledger.done(drop(Remaining.KEEP));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.rings()).isEmpty();
            assertThat(view.ringMembers()).isEmpty();
        }
        assertThat(group(group).orElseThrow().places()).isEqualTo(group.places());
        assertThat(ledger.open("/g").first().ring()).isEmpty();
        refused(create(4, 2, volumes(1, 2, 3, 4), List.of()), "volume v1 holds 2 chunks of groups outside ring flash");
        rebuild(group, 0, new VolumeId(6));
        assertThat(group(group).orElseThrow().ring()).isEmpty();
        ledger.done(ledger.delete("/f"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        assertThat(group(group)).isEmpty();
        assertThat(ringRows()).isZero();
    }

    private void rebuild(GroupFacts group, int index, VolumeId target) {
        commitRepair(group, index, target, beginRepair(group, index, target));
    }

    private CommandResult beginRepair(GroupFacts group, int index, VolumeId target) {
        return ledger.apply(new Command.BeginRepair(ledger.now, group.group(), index, target, 7, Optional.empty()));
    }

    private void commitRepair(GroupFacts group, int index, VolumeId target, CommandResult begun) {
        assertThat(ledger.apply(new Command.CommitRepair(
                        ledger.now,
                        new ChunkOnVolume(target, ((CommandResult.RepairBegun) begun).chunk()),
                        100,
                        group.places().get(index).volume(),
                        List.of(),
                        Optional.empty())))
                .isEqualTo(new CommandResult.Done());
    }

    /** Rows of rings, whatever their kind. */
    private int ringRows() {
        int[] rows = new int[1];
        try (View view = store.view()) {
            for (char kind : new char[] {'r', 'c', 'n', 'g'}) {
                byte[] prefix = {(byte) kind};
                view.scan(Table.DATANODES, prefix, Keys.afterPrefix(prefix), (key, row) -> ++rows[0] > 0);
            }
        }
        return rows[0];
    }

    @Test
    void chunksAreRebuiltInTheRingAloneAndADrainedGroupLosesIt() {
        ledger.done(create(4, 2, volumes(1, 2, 3, 4), List.of()));
        CommandResult.Created file = ledger.open("/f");
        GroupFacts group = file.first();
        ledger.close(file, 100);
        ledger.refused(beginRepair(group, 0, new VolumeId(5)), ErrorCode.INVALID_ARGUMENT);
        ledger.done(assign(volumes(5, 6), List.of(), List.of()));
        assertThat(beginRepair(group, 0, new VolumeId(5))).isInstanceOf(CommandResult.RepairBegun.class);
        assertThat(group(group).orElseThrow().ring()).contains(FLASH);
    }

    /** The target was chosen while one colour wrote: a commit under more writers is taken, and bounds no ring. */
    @Test
    void aGroupBelowTheRuleKeepsTheWritersAsTheyAre() {
        ledger.done(create(4, 1, volumes(1, 2, 3, 4, 5), List.of()));
        CommandResult.Created file = ledger.open("/f");
        GroupFacts group = file.first();
        ledger.close(file, 100);
        CommandResult begun = beginRepair(group, 1, new VolumeId(5));
        ledger.done(writers(2));
        commitRepair(group, 1, new VolumeId(5), begun);
        assertThat(groups()).as("colours 0, 0, 2 and 3").containsExactly(0L, 1L, 0L, 0L);
        ledger.done(writers(2));
        refused(writers(3), "1 groups of ring flash could not be read without a volume that writes: nearest is 2");
        ledger.done(writers(1));
        refused(writers(2), "nearest is 1");
    }

    @Test
    void aRestartedNamenodeHasTheSameRings() {
        flash(2);
        ledger.done(ledger.mkdirs("/hot"));
        ledger.done(directory("flash", "rs-2-2-64k"));
        ledger.open("/hot/f");
        MetadataState again = new MetadataState(store);
        try (MetadataView view = again.view();
                MetadataView before = ledger.state.view()) {
            assertThat(view.rings()).isEqualTo(before.rings()).hasSize(1);
            assertThat(view.ringMembers()).isEqualTo(before.ringMembers()).hasSize(5);
            assertThat(view.ringGroups(view.rings().get(0))).containsExactly(0L, 0L, 1L, 0L);
            assertThat(view.ringDirectories(FLASH)).isEqualTo(1);
        }
    }

    /** Datanodes refuse clocks of lower epochs, and may have seen some that the backup does not know. */
    @Test
    void aRestoreBeginsALaterEpoch() {
        flash(2);
        ledger.state.beginAnew(new LogIdentity("cluster", new UUID(1, 2)), Instant.parse("2026-11-28T00:00:00Z"));
        assertThat(ring().epoch()).isGreaterThan(1000);
        assertThat(ring().shape()).isEqualTo(new Ring(4, 2));
    }

    @Test
    void aClusterOfLevelOneHasNoRings() {
        Ledger old = new Ledger(new MemoryStore(), 1);
        try (MetadataView view = old.state.view()) {
            assertThat(view.rings()).isEmpty();
            assertThat(view.levelInForce()).isEqualTo(1);
        }
    }
}
