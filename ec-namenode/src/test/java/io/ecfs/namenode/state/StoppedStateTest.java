package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.NextRelease;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What a namenode cannot read, or what shows that its facts are not those of the others, stops it: skipping it would
 * lose chunks later.
 */
class StoppedStateTest {
    private final MemoryStore store = new MemoryStore();
    private final Ledger ledger = new Ledger(store);
    private final Position before = ledger.state.applied();
    private final long hash = ledger.state.stateHash();
    private final CommandCodec next = NextRelease.codec();

    private Position following() {
        return new Position(1, before.index() + 1);
    }

    private byte[] mkdir(String path) {
        return ledger.codec.encode(new Command.Call(
                ledger.now,
                Ledger.ROOT,
                new NamespaceRequest.Mkdirs(new RequestId("c", 1), new FilePath(path), 0755, true),
                List.of(),
                Optional.empty()));
    }

    private void assertNothingApplied() {
        assertThat(ledger.state.applied()).isEqualTo(before);
        assertThat(ledger.state.stateHash()).isEqualTo(hash);
        assertThatThrownBy(() -> ledger.state.apply(following(), List.of(mkdir("/b"))))
                .as("nothing after it is applied either")
                .isInstanceOf(StateStopped.class);
        assertThat(ledger.state.applied()).isEqualTo(before);
    }

    @Test
    void anEntryOfALaterReleaseStopsItBeforeItIsApplied() {
        byte[] later = next.encode(new Command.PurgeStep(1, 5));
        assertThatThrownBy(() -> ledger.state.apply(following(), List.of(mkdir("/a"), later)))
                .isInstanceOf(StateStopped.class)
                .hasMessageContaining("log entry " + following().index() + " of term 1 cannot be read")
                .hasMessageContaining("feature level " + NextRelease.LEVEL + ", this release reads up to level "
                        + FeatureLevel.RELEASE)
                .hasMessageContaining("start a release of level " + NextRelease.LEVEL + " or above")
                .message()
                .hasLineCount(1);
        assertNothingApplied();
    }

    @Test
    void anEntryThatIsDamagedStopsIt() {
        byte[] bytes = mkdir("/a");
        bytes[bytes.length - 1] ^= 0x40;
        assertThatThrownBy(() -> ledger.state.apply(following(), List.of(bytes)))
                .isInstanceOf(StateStopped.class)
                .hasMessageContaining("log entry " + following().index())
                .hasMessageContaining("the log is damaged here")
                .message()
                .hasLineCount(1);
        assertNothingApplied();
    }

    @Test
    void afterARestartWithTheReleaseThatIsNeededItGoesOn() {
        byte[] later = next.encode(new Command.RaiseLevel(1, NextRelease.LEVEL));
        assertThatThrownBy(() -> ledger.state.apply(following(), List.of(later)))
                .isInstanceOf(StateStopped.class);

        MetadataState upgraded = new MetadataState(store, next);
        upgraded.apply(following(), List.of(later));
        assertThat(upgraded.levelInForce()).isEqualTo(NextRelease.LEVEL);
        assertThat(upgraded.wantsCheckpoint())
                .as("so that old kinds can retire")
                .isTrue();
        assertThatThrownBy(() -> new MetadataState(store))
                .as("and the earlier release refuses what it left")
                .isInstanceOf(StateStopped.class)
                .hasMessageContaining("the state of this namenode is at feature level " + NextRelease.LEVEL)
                .hasMessageContaining("start a release of level " + NextRelease.LEVEL + " or above");
    }

    @Test
    void aCommandAboveTheLevelInForceIsRefusedByAllThatCanReadIt() throws Exception {
        MetadataState upgraded = new MetadataState(store, next);
        byte[] purge = next.encode(new Command.PurgeStep(1, 5));
        byte[] answer = upgraded.apply(following(), List.of(purge)).get(0);
        assertThat(next.applied(answer))
                .isInstanceOfSatisfying(
                        CommandResult.Refused.class, r -> assertThat(r.code()).isEqualTo(ErrorCode.UNSUPPORTED));

        Position raised = new Position(1, following().index() + 1);
        upgraded.apply(raised, List.of(next.encode(new Command.RaiseLevel(1, NextRelease.LEVEL))));
        answer = upgraded.apply(new Position(1, raised.index() + 1), List.of(purge))
                .get(0);
        assertThat(next.applied(answer)).isInstanceOf(CommandResult.Purged.class);
        ledger.refused(
                next.applied(upgraded.apply(
                                new Position(1, raised.index() + 2), List.of(next.encode(new Command.RaiseLevel(1, 1))))
                        .get(0)),
                ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void aRowThatOnlyALaterReleaseReadsStopsItAtTheEntryThatMeetsIt() {
        byte[] root = Keys.number(InodeId.ROOT.value());
        try (Transaction behindItsBack = store.begin()) {
            byte[] setting = new RowWriter()
                    .raw(behindItsBack.get(Table.INODES, root))
                    .tagged(100, 2, Optional.of("new"), RowWriter::text)
                    .bytes();
            behindItsBack.put(Table.INODES, root, setting);
            behindItsBack.commit();
        }
        assertThatThrownBy(() -> ledger.state.apply(following(), List.of(mkdir("/a"))))
                .isInstanceOf(StateStopped.class)
                .hasMessageContaining("log entry " + following().index() + " of term 1 is not applied")
                .hasMessageContaining("a directory row has a field 100 that this release does not know")
                .hasMessageContaining("start a later release")
                .message()
                .hasLineCount(1);
        assertThat(ledger.state.applied()).isEqualTo(before);
    }

    @Test
    void aClusterThatALaterReleaseFoundsIsAtItsLevelFromTheStart() {
        try (MemoryStore empty = new MemoryStore()) {
            byte[] format = next.encode(
                    new Command.Format(1, "c", "root", Ledger.POLICY, Optional.empty(), Optional.of(next.level())));
            assertThat(CommandCodec.levelOf(format)).isEqualTo(next.level());
            MetadataState founded = new MetadataState(empty, next);
            founded.apply(new Position(1, 1), List.of(format));
            assertThat(founded.levelInForce()).isEqualTo(next.level());
            try (MemoryStore earlier = new MemoryStore()) {
                MetadataState older = new MetadataState(earlier);
                assertThatThrownBy(() -> older.apply(new Position(1, 1), List.of(format)))
                        .isInstanceOf(StateStopped.class)
                        .hasMessageContaining("start a release of level " + NextRelease.LEVEL + " or above");
            }
        }
    }

    @Test
    void otherFactsThanTheLeadersStopItWithBothHashes() {
        checkState(); // from now on its rows are comparable
        long leaders = ledger.state.hashAt(ledger.state.applied().index()).orElseThrow();
        try (Transaction behindItsBack = store.begin()) {
            behindItsBack.put(
                    Table.GARBAGE, new RowWriter().i32(1).i64(2).u8(0).i32(0).bytes(), new byte[0]);
            behindItsBack.commit();
        }
        // The one row is counted when the next entry deletes it, and the sum is no more that of the others.
        ledger.apply(new Command.ForgetGarbage(1, List.of(Ledger.STRAY)));
        long index = ledger.state.applied().index();
        long own = ledger.state.hashAt(index).orElseThrow();
        assertThat(own).isNotEqualTo(leaders);
        byte[] check = ledger.codec.encode(new Command.CheckState(1, "nn7", index, leaders));
        Position after = new Position(1, index + 1);
        assertThatThrownBy(() -> ledger.state.apply(after, List.of(mkdir("/a"), check)))
                .isInstanceOf(StateStopped.class)
                .hasMessageContaining("not those of nn7: after log entry " + index)
                .hasMessageContaining(String.format("%016x here", own))
                .hasMessageContaining(String.format("%016x there", leaders))
                .message()
                .hasLineCount(1);
        assertThat(ledger.state.applied().index()).isEqualTo(index);
    }

    private void checkState() {
        long index = ledger.state.applied().index();
        ledger.apply(new Command.CheckState(
                1, "nn7", index, ledger.state.hashAt(index).orElseThrow()));
    }

    @Test
    void equalFactsAndThoseThatNobodyRemembersPass() {
        long index = ledger.state.applied().index();
        checkState();
        MetadataState restarted = new MetadataState(store);
        byte[] old = ledger.codec.encode(new Command.CheckState(1, "nn7", index, 1));
        restarted.apply(new Position(1, restarted.applied().index() + 1), List.of(old));
        assertThat(restarted.stateHash()).isEqualTo(ledger.state.stateHash());
    }
}
