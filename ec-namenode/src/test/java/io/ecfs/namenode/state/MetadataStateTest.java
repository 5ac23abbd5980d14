package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.NextRelease;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a state is to its log: its restore, its checkpoints, the comparison of hashes, and who follows its groups. */
class MetadataStateTest {
    private static final LogIdentity NEW_LOG = new LogIdentity("cluster", new UUID(3, 4));
    private static final Instant EARLY = Instant.parse("2020-01-01T00:00:10Z");
    private static final Path CHECKPOINT = Path.of("checkpoint");

    private final MemoryStore.Shelf shelf = new MemoryStore.Shelf();
    private final MemoryStore store = new MemoryStore(shelf);
    private final Ledger ledger = new Ledger(store);

    /** What a listener receives; null: everything was replaced. */
    private static final class Followed implements GroupChanges.Listener {
        final List<GroupChanges> changes = new ArrayList<>();

        @Override
        public void changed(GroupChanges changed) {
            changes.add(changed);
        }

        @Override
        public void replaced() {
            changes.add(null);
        }
    }

    private static Position after(MetadataState state) {
        return new Position(state.applied().term(), state.applied().index() + 1);
    }

    private void damage() {
        try (Transaction behindItsBack = store.begin()) {
            behindItsBack.put(Table.GARBAGE, new byte[] {1}, new byte[0]);
            behindItsBack.commit();
        }
    }

    private byte[] check(long index, long hash) {
        return ledger.codec.encode(new Command.CheckState(1, "nn7", index, hash));
    }

    @Test
    void aRestoredStateIsAboveAllTermsOfTheLostLog() throws Exception {
        ledger.write("/a", 100);
        Position backup = ledger.state.applied();
        assertThat(ledger.state.beginAnew(NEW_LOG, EARLY)).as("epoch").isEqualTo(1);
        MetadataState restarted = new MetadataState(store);
        assertThat(restarted.applied()).isEqualTo(ledger.state.applied());
        assertThat(restarted.applied().index()).isEqualTo(backup.index());
        assertThat(restarted.applied().term())
                .as("no cluster has as many elections after its last backup")
                .isGreaterThan(200_000);
        try (MetadataView view = restarted.view()) {
            assertThat(view.log()).contains(NEW_LOG);
        }
        restarted.requireSound();
    }

    @Test
    void twoRestoresOfOneBackupGiveEachFileAndGroupANumberOfItsOwn() {
        CommandResult.Created lost = ledger.open("/a");
        assertThat(ledger.state.beginAnew(NEW_LOG, EARLY)).isEqualTo(1);
        assertThat(ledger.state.beginAnew(NEW_LOG, EARLY)).isEqualTo(2);
        byte[] create = ledger.codec.encode(ledger.command(ledger.create("/b", false)));
        byte[] answer = ledger.state.apply(after(ledger.state), List.of(create)).get(0);
        CommandResult.Created created = (CommandResult.Created) ledger.decode(answer);
        assertThat(created.first().group()).isEqualTo(GroupId.of(2, 1));
        assertThat(created.status().inode().value())
                .as("above what the lost log gave out after the backup")
                .isGreaterThan(lost.status().inode().value() + 1_000_000_000_000L);
    }

    @Test
    void aLaterRestoreBeginsAboveTheTermsOfAnEarlierOne() {
        Instant later = Instant.parse("2026-05-01T00:00:00Z");
        ledger.state.beginAnew(NEW_LOG, later);
        Ledger other = new Ledger(new MemoryStore());
        other.state.beginAnew(NEW_LOG, later.plusSeconds(1));
        assertThat(other.state.applied().term())
                .isEqualTo(ledger.state.applied().term() + 1);
        other.state.beginAnew(NEW_LOG, Instant.parse("9999-01-01T00:00:00Z"));
        assertThat(other.state.applied().term()).isLessThanOrEqualTo(Integer.MAX_VALUE / 2 + 1);
    }

    /** An entry of the lost log may have the index of one of the new log. */
    @Test
    void hashesOfTheLostLogAreNotComparedWithThoseOfTheNewOne() {
        ledger.done(ledger.mkdirs("/a"));
        long index = ledger.state.applied().index();
        ledger.state.beginAnew(NEW_LOG, EARLY);
        assertThat(ledger.state.hashAt(index - 1)).isEmpty();
        assertThat(ledger.state.hashAt(index)).hasValue(ledger.state.stateHash());
    }

    @Test
    void rowsThatNoEntryWroteStopABackupAndARestore() throws Exception {
        ledger.state.requireSound();
        damage();
        assertThatThrownBy(ledger.state::requireSound)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    }

    @Test
    void aStateIsComparedFromItsFormatOnOrFromTheFirstComparisonOn() {
        assertThat(ledger.state.comparable()).as("without a log's identity").isFalse();
        ledger.apply(new Command.CheckState(1, "nn7", 0, 0));
        assertThat(ledger.state.comparable()).isTrue();
        assertThat(new MetadataState(store).comparable()).isTrue();

        MetadataState founded = new MetadataState(new MemoryStore());
        founded.apply(
                new Position(1, 0),
                List.of(ledger.codec.encode(new Command.Format(
                        1, "c", "root", Ledger.POLICY, Optional.of(new UUID(1, 2).toString()), Optional.empty()))));
        assertThat(founded.comparable()).isTrue();
        assertThatThrownBy(() -> founded.apply(new Position(1, 1), List.of(check(0, 7))))
                .isInstanceOf(StateStopped.class);
    }

    @Test
    void aRestartedNamenodeIsComparedFromItsLastEntryOn() {
        ledger.apply(new Command.CheckState(1, "nn7", 0, 0));
        MetadataState restarted = new MetadataState(store);
        long index = restarted.applied().index();
        byte[] others = check(index, restarted.stateHash() + 1);
        assertThatThrownBy(() -> restarted.apply(new Position(1, index + 1), List.of(others)))
                .isInstanceOf(StateStopped.class);
    }

    /** It stopped because its facts were others: what it had then is not compared again. */
    @Test
    void earlierHashesAreForgottenWithACheckpointOfTheLeader() {
        Ledger leader = new Ledger(new MemoryStore(shelf));
        leader.done(leader.mkdirs("/a"));
        leader.done(leader.mkdirs("/b"));
        leader.apply(new Command.CheckState(1, "nn7", 0, 0));
        leader.state.checkpoint(CHECKPOINT);
        ledger.done(ledger.mkdirs("/another"));
        long index = ledger.state.applied().index();
        ledger.state.install(CHECKPOINT);
        long leaders = leader.state.hashAt(index).orElseThrow();
        ledger.state.apply(after(ledger.state), List.of(check(index, leaders)));
        assertThat(ledger.state.applied().index())
                .isEqualTo(leader.state.applied().index() + 1);
    }

    @Test
    void onlyARaisedLevelWantsACheckpointAndOneSuffices() {
        assertThat(ledger.state.wantsCheckpoint()).as("of the format").isTrue();
        ledger.state.checkpoint(CHECKPOINT);
        assertThat(ledger.state.wantsCheckpoint()).isFalse();
        ledger.done(ledger.mkdirs("/a"));
        assertThat(ledger.state.wantsCheckpoint()).isFalse();
    }

    @Test
    void aListenerReceivesTheGroupsThatAnEntryChanged() {
        Followed followed = new Followed();
        ledger.state.listen(followed);
        ledger.done(ledger.mkdirs("/d"));
        assertThat(followed.changes).isEmpty();
        CommandResult.Created file = ledger.open("/d/f");
        GroupFacts group = file.first();
        assertThat(followed.changes).hasSize(1);
        assertThat(followed.changes.get(0).groups()).containsExactly(group.group());
        assertThat(followed.changes.get(0).unplaced()).isEmpty();

        ledger.close(file, 100);
        ledger.done(ledger.delete("/d"));
        followed.changes.clear();
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        assertThat(followed.changes).hasSize(1);
        assertThat(followed.changes.get(0).groups()).containsExactly(group.group());
        assertThat(followed.changes.get(0).unplaced()).containsExactlyInAnyOrderElementsOf(group.stored());
    }

    @Test
    void aListenerReceivesThatACheckpointReplacedEverything() {
        ledger.state.checkpoint(CHECKPOINT);
        Followed followed = new Followed();
        ledger.state.listen(followed);
        ledger.state.install(CHECKPOINT);
        assertThat(followed.changes).hasSize(1).containsOnlyNulls();
    }

    @Test
    void theLevelToWhichAnUpgradeCanBeFinalizedIsThatOfTheRelease() {
        CommandCodec release = NextRelease.codec();
        assertThat(new MetadataState(store, release).codec().level()).isEqualTo(NextRelease.LEVEL);
    }
}
