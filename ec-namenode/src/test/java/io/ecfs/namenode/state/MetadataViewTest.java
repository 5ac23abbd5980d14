package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Repairs;
import io.ecfs.namenode.history.HistoryBounds;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the namenode's services see of the facts. */
class MetadataViewTest {
    private static final DatanodeId DN = new DatanodeId("dn0");

    private final Ledger ledger = new Ledger(new MemoryStore());

    private GroupId closed(String path) {
        CommandResult.Created file = ledger.open(path);
        ledger.close(file, 100);
        return file.first().group();
    }

    private void record(ClusterEvent event) {
        ledger.apply(new Command.RecordEvents(
                ledger.now, HistoryBounds.DEFAULT, List.of(new Command.Noted(ledger.now, event))));
    }

    @Test
    void beforeTheFormatThereIsNoIdentityNoLogAndNoNamespace() {
        try (MetadataView view = new MetadataState(new MemoryStore()).view()) {
            assertThat(view.applied()).isEqualTo(new Position(0, -1));
            assertThat(view.identity()).isEmpty();
            assertThat(view.log()).isEmpty();
            assertThatThrownBy(view::namespace)
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SAFE_MODE));
            assertThatThrownBy(view::knownNamespace).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aFormattedClusterHasItsIdentityItsLogAndTheLastEntry() throws Exception {
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.applied()).isEqualTo(ledger.state.applied());
            assertThat(view.identity()).contains(new ClusterIdentity("cluster", "root", Ledger.POLICY, 1_000_000));
            assertThat(view.log()).contains(LogIdentity.ofCluster("cluster"));
            assertThat(view.knownNamespace().status(Ledger.path("/"), Ledger.ROOT))
                    .isEqualTo(view.namespace().status(Ledger.path("/"), Ledger.ROOT));
        }
        MetadataState other = new MetadataState(new MemoryStore());
        UUID log = new UUID(1, 2);
        other.apply(
                new Position(1, 0),
                List.of(ledger.codec.encode(new Command.Format(
                        1, "second", "root", Ledger.POLICY, Optional.of(log.toString()), Optional.empty()))));
        try (MetadataView view = other.view()) {
            assertThat(view.log()).contains(new LogIdentity("second", log));
        }
    }

    @Test
    void groupsAreWalkedInOrderFromAnyOneAndAsManyAsAreWanted() {
        List<GroupId> all = List.of(closed("/a"), closed("/b"), closed("/c"));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.groupsFrom(new GroupId(1), 10)).isEqualTo(all);
            assertThat(view.groupsFrom(new GroupId(1), 2)).isEqualTo(all.subList(0, 2));
            assertThat(view.groupsFrom(all.get(1), 1)).containsExactly(all.get(1));
            List<GroupId> walked = new ArrayList<>();
            view.groups(all.get(1), group -> walked.add(group.group()));
            assertThat(walked).isEqualTo(all.subList(1, 3));
        }
    }

    @Test
    void aStampOutlivesItsGroupAndTheLastNumberOfAnEpochIsKnown() {
        GroupId group = closed("/a");
        ledger.done(ledger.delete("/a"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(group)).isEmpty();
            assertThat(view.stampOf(group)).hasValue(Ledger.STAMP);
            assertThat(view.stampOf(new GroupId(group.value() + 1))).isEmpty();
            assertThat(view.lastNumber(0)).isEqualTo(group.number());
        }
    }

    @Test
    void theGarbageOfAVolumeHasTheStampOfItsGroup() {
        ledger.write("/a", 100);
        CommandResult.Created second = ledger.open("/b");
        ledger.close(second, 100);
        GroupFacts group = second.first();
        ledger.done(ledger.delete("/a"));
        ledger.done(ledger.delete("/b"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        ChunkOnVolume garbage = group.stored().get(0);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.isGarbage(garbage)).isTrue();
            assertThat(view.isGarbage(new ChunkOnVolume(garbage.volume(), new ChunkId(new GroupId(99), 0, 0))))
                    .isFalse();
            assertThat(view.stampedGarbage(garbage.volume(), 10)).containsEntry(garbage, Ledger.STAMP);
            List<ChunkOnVolume> there = view.garbageOn(garbage.volume(), Optional.empty(), 10);
            assertThat(view.stampedGarbage(garbage.volume(), 10).keySet()).containsExactlyElementsOf(there);
            assertThat(view.stampedGarbage(garbage.volume(), 1)).containsOnlyKeys(there.get(0));
        }
    }

    @Test
    void aDatanodeThatNeverRegisteredIsRefusedWithTheOneThatWasMeant() throws Exception {
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.registered(DN)).isEqualTo(view.datanode(DN).orElseThrow());
            assertThat(view.ownerOf(new VolumeId(1))).contains(DN);
            assertThat(view.ownerOf(new VolumeId(99))).isEmpty();
            assertThatThrownBy(() -> view.registered(new DatanodeId("dm0")))
                    .isInstanceOfSatisfying(EcfsException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
                        assertThat(e).hasMessageContaining("did you mean dn0?");
                    });
        }
        try (MetadataView view = new MetadataState(new MemoryStore()).view()) {
            assertThatThrownBy(() -> view.registered(DN)).hasMessageEndingWith("none has");
        }
    }

    @Test
    void anIncidentHasItsRepairsAndGoesOnUntilItIsHealed() {
        GroupId group = closed("/a");
        IncidentCause cause = IncidentCause.onVolume(IncidentCause.Kind.CHUNKS_CORRUPT, DN, new VolumeId(1));
        ClusterEvent planned = new ClusterEvent.RepairPlanned(
                cause, new ChunkId(group, 1, 1), 10, 20, 30, new VolumeId(5), DN, "a test");
        record(planned);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.events(0, 10)).extracting(HistoryEvent::event).contains(planned);
            assertThat(view.events(view.events(0, 10).size(), 10)).isEmpty();
            List<Incident> incidents = view.incidents(0, 10);
            assertThat(incidents).extracting(Incident::cause).containsExactly(cause);
            assertThat(view.incidents(1, 10)).isEmpty();
            assertThat(view.incident(1)).contains(incidents.get(0));
            assertThat(view.incident(2)).isEmpty();
            assertThat(view.incidentsGoingOn()).isEqualTo(incidents);
            assertThat(view.repairs(1, 0, 0, 10)).extracting(RepairTrace::group).containsExactly(group);
            assertThat(view.repairs(1, group.value(), 1, 10)).isEmpty();
        }
        record(new ClusterEvent.IncidentHealed(cause));
        record(new ClusterEvent.CauseGone(cause));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.incidentsGoingOn()).isEmpty();
            assertThat(view.incidents(0, 10)).hasSize(1);
        }
    }

    /** Why it was begun, and that its end is recorded, is in the history; without a reason there is nothing. */
    @Test
    void aRepairWithAReasonIsInTheHistory() {
        GroupId group = closed("/a");
        IncidentCause cause = IncidentCause.onVolume(IncidentCause.Kind.CHUNKS_CORRUPT, DN, new VolumeId(1));
        VolumeId target = ledger.volumes.get(5);
        ledger.apply(new Command.BeginRepair(ledger.now, group, 0, target, 7, Optional.empty()));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.incidents(0, 10)).isEmpty();
        }
        CommandResult begun = ledger.apply(new Command.BeginRepair(
                ledger.now,
                group,
                0,
                target,
                7,
                Optional.of(new Command.RepairReason(cause, 10, 20, 30, DN, "a test"))));
        ChunkId chunk = ((CommandResult.RepairBegun) begun).chunk();
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.events(0, 10))
                    .extracting(HistoryEvent::event)
                    .contains(new ClusterEvent.RepairPlanned(cause, chunk, 10, 20, 30, target, DN, "a test"));
            assertThat(view.incidents(0, 10)).extracting(Incident::cause).containsExactly(cause);
        }
    }

    @Test
    void theAnswerToACallIsRememberedAsItWas() throws Exception {
        Mkdirs call = ledger.mkdirs("/a");
        CommandResult answer = ledger.call(call);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.answerTo("root", call)).contains(answer);
            assertThat(view.answerTo("root", ledger.mkdirs("/b"))).isEmpty();
        }
    }

    @Test
    void theLevelInForceIsThatOfTheFactsAndNotOfTheRelease() {
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.levelInForce()).isEqualTo(FeatureLevel.RELEASE);
        }
        try (MetadataView view = new Ledger(new MemoryStore(), FeatureLevel.OF_USERS).state.view()) {
            assertThat(view.levelInForce()).isEqualTo(FeatureLevel.OF_USERS);
        }
    }

    /** The leader purges while there are any. */
    @Test
    void deletionsArePendingUntilTheirFilesAreGarbage() {
        closed("/a");
        closed("/b");
        ledger.done(ledger.delete("/a"));
        ledger.done(ledger.delete("/b"));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.pendingDeletions()).isEqualTo(2);
        }
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.pendingDeletions()).isZero();
        }
    }

    /** From the attempt a new leader knows which chunk the target brings; its commit is in the history. */
    @Test
    void anAttemptIsKnownUntilItsCommitWhichIsRecorded() {
        CommandResult.Created file = ledger.open("/a");
        ledger.close(file, 100);
        GroupFacts group = file.first();
        VolumeId target = ledger.volumes.get(5);
        CommandResult begun =
                ledger.apply(new Command.BeginRepair(ledger.now, group.group(), 0, target, 7, Optional.empty()));
        ChunkId chunk = ((CommandResult.RepairBegun) begun).chunk();
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.repair(group.group(), 0)).contains(new Repairs.Attempt(chunk, Optional.of(target), 7));
            assertThat(view.repair(group.group(), 1)).isEmpty();
        }
        IncidentCause cause = IncidentCause.onVolume(IncidentCause.Kind.CHUNKS_CORRUPT, DN, new VolumeId(1));
        ClusterEvent.RepairCommitted event =
                new ClusterEvent.RepairCommitted(cause, chunk, DN, ledger.now, Optional.empty());
        assertThat(ledger.apply(new Command.CommitRepair(
                        ledger.now,
                        new ChunkOnVolume(target, chunk),
                        100,
                        group.places().get(0).volume(),
                        List.of(),
                        Optional.of(event))))
                .isEqualTo(new CommandResult.Done());
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.repair(group.group(), 0)).isEmpty();
            assertThat(view.events(0, 100)).extracting(HistoryEvent::event).contains(event);
        }
    }

    @Test
    void theHistoryHasNoMoreEventsThanItsBoundsSay() {
        ClusterEvent event = new ClusterEvent.IncidentHealed(IncidentCause.leaving(DN));
        HistoryBounds three = new HistoryBounds(3, 10, 10);
        for (int i = 0; i < 20; i++) {
            ledger.apply(
                    new Command.RecordEvents(ledger.now, three, List.of(new Command.Noted(ledger.now + i, event))));
        }
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.events(0, 100)).hasSize(3);
        }
    }

    @Test
    void anAppliedPositionOfALaterFormIsRefused() {
        MemoryStore store = new MemoryStore();
        try (Transaction later = store.begin()) {
            later.put(Table.META, AppliedPosition.KEY, new byte[25]);
            later.commit();
        }
        assertThatThrownBy(() -> new MetadataState(store)).hasMessageContaining("bytes after its end");
    }
}
