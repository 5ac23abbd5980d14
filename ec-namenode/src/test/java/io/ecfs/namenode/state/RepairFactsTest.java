package io.ecfs.namenode.state;

import static io.ecfs.namenode.state.Ledger.sealed;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log takes of repairs, and what it refuses. */
class RepairFactsTest {
    private static final long LENGTH = 100;

    private final Ledger ledger = new Ledger(new MemoryStore());
    private final VolumeId spare = ledger.volumes.get(4);
    private final VolumeId other = ledger.volumes.get(5);
    private GroupFacts group;

    @BeforeEach
    void aSealedGroupOfFourChunks() {
        CommandResult.Created file = ledger.open("/file");
        ledger.close(file, LENGTH);
        group = file.first();
    }

    private CommandResult begin(int index, VolumeId target) {
        return ledger.apply(new Command.BeginRepair(ledger.now, group.group(), index, target, 7, Optional.empty()));
    }

    private ChunkId begun(int index, VolumeId target) {
        return ((CommandResult.RepairBegun) begin(index, target)).chunk();
    }

    private CommandResult commit(ChunkOnVolume chunk, Optional<VolumeId> replaced, Integer... proof) {
        return ledger.apply(new Command.CommitRepair(
                ledger.now,
                chunk,
                LENGTH,
                replaced,
                List.of(proof).stream().map(group::chunk).toList(),
                Optional.empty()));
    }

    private void refused(CommandResult applied) {
        ledger.refused(applied, ErrorCode.INVALID_ARGUMENT);
    }

    private Optional<VolumeId> placeOf(int index) {
        return group.places().get(index).volume();
    }

    private GroupFacts facts() {
        try (MetadataView view = ledger.state.view()) {
            return view.group(group.group()).orElseThrow();
        }
    }

    private List<ChunkOnVolume> garbage() {
        List<ChunkOnVolume> garbage = new ArrayList<>();
        try (MetadataView view = ledger.state.view()) {
            ledger.volumes.forEach(v -> garbage.addAll(view.garbageOn(v, Optional.empty(), 100)));
        }
        return garbage;
    }

    @Test
    void aRebuiltChunkTakesThePlaceAndTheOldOneBecomesGarbage() {
        ChunkOnVolume old = group.stored().get(1);
        ChunkOnVolume rebuilt = new ChunkOnVolume(spare, begun(1, spare));
        assertThat(rebuilt.chunk().generation()).isEqualTo(1);
        assertThat(facts()).as("nothing moves before the end").isEqualTo(group(LENGTH));
        assertThat(commit(rebuilt, placeOf(1), 0, 2)).isEqualTo(new CommandResult.Done());
        assertThat(facts().stored()).contains(rebuilt).doesNotContain(old);
        assertThat(garbage()).containsExactly(old);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.chunksOn(spare, Optional.empty(), 10)).containsExactly(rebuilt);
            assertThat(view.chunksOn(old.volume(), Optional.empty(), 10)).isEmpty();
            assertThat(view.repair(group.group(), 1)).isEmpty();
        }
        refused(commit(rebuilt, placeOf(1), 0, 2));
    }

    private GroupFacts group(long length) {
        return group.sealed(length, group.places());
    }

    /** SeaweedFS 9490: with a repair of k chunks there is not one to let go. */
    @Test
    // #9493, #10768, #10769
    void withoutProofOfASpareChunkTheOldOneIsKept() {
        assertThat(commit(new ChunkOnVolume(spare, begun(1, spare)), placeOf(1), 0))
                .isEqualTo(new CommandResult.Done());
        assertThat(garbage()).isEmpty();
    }

    /** HDDS-9657: what an attempt that was given up brings about later must never count. */
    @Test
    // HDDS-7462, HDDS-15791
    void onlyTheLatestAttemptIsPublished() {
        ChunkOnVolume first = new ChunkOnVolume(spare, begun(1, spare));
        ChunkOnVolume second = new ChunkOnVolume(other, begun(1, other));
        assertThat(second.chunk().generation()).isEqualTo(2);
        refused(commit(first, placeOf(1), 0, 2));
        refused(commit(new ChunkOnVolume(spare, second.chunk()), placeOf(1), 0, 2));
        assertThat(commit(second, placeOf(1), 0, 2)).isEqualTo(new CommandResult.Done());
        assertThat(begun(1, spare).generation()).isEqualTo(3);
    }

    @Test
    void aPlaceThatChangedMeanwhileAndAnotherLengthAreRefused() {
        ChunkOnVolume rebuilt = new ChunkOnVolume(spare, begun(1, spare));
        refused(commit(rebuilt, Optional.empty(), 0, 2));
        refused(commit(rebuilt, Optional.of(other), 0, 2));
        refused(ledger.apply(
                new Command.CommitRepair(ledger.now, rebuilt, LENGTH + 1, placeOf(1), List.of(), Optional.empty())));
    }

    @Test
    void aTargetOnADatanodeWithAnotherChunkIsRefused() {
        refused(begin(1, placeOf(2).orElseThrow()));
        refused(begin(9, spare));
    }

    @Test
    void aTargetWithTheChunkOfItsOwnIndexIsAccepted() {
        ChunkOnVolume again =
                new ChunkOnVolume(placeOf(1).orElseThrow(), begun(1, placeOf(1).orElseThrow()));
        assertThat(commit(again, placeOf(1), 0, 2)).isEqualTo(new CommandResult.Done());
        assertThat(garbage()).containsExactly(group.stored().get(1));
    }

    @Test
    void aRebuiltChunkThatIsGarbageIsNotPublished() {
        ChunkOnVolume rebuilt = new ChunkOnVolume(spare, begun(1, spare));
        List<ChunkId> proof = List.of(group.chunk(0), group.chunk(1), group.chunk(2));
        assertThat(ledger.apply(new Command.MarkGarbage(ledger.now, rebuilt, proof, Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
        refused(commit(rebuilt, placeOf(1), 0, 2));
        ledger.apply(new Command.ForgetGarbage(ledger.now, List.of(rebuilt)));
        refused(commit(rebuilt, placeOf(1), 0, 2));
        assertThat(begun(1, spare).generation()).isEqualTo(2);
    }

    @Test
    void repairsOfRepairsGoOnAndTheOpenGroupIsNotRepaired() {
        for (int round = 1; round <= 4; round++) {
            VolumeId from = facts().places().get(1).volume().orElseThrow();
            VolumeId to = round % 2 == 1 ? spare : other;
            assertThat(commit(new ChunkOnVolume(to, begun(1, to)), Optional.of(from), 0, 2))
                    .isEqualTo(new CommandResult.Done());
            assertThat(facts().chunk(1).generation()).isEqualTo(round);
        }
        CommandResult.Created open = ledger.open("/open");
        refused(ledger.apply(new Command.BeginRepair(ledger.now, open.first().group(), 1, spare, 7, Optional.empty())));
        ledger.close(open, 0);
    }

    @Test
    void attemptsGoWithTheirGroup() {
        ChunkOnVolume rebuilt = new ChunkOnVolume(spare, begun(1, spare));
        ledger.done(ledger.delete("/file"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(group.group())).isEmpty();
            assertThat(view.repair(group.group(), 1)).isEmpty();
        }
        refused(commit(rebuilt, placeOf(1), 0, 2));
        assertThat(ledger.apply(new Command.MarkGarbage(ledger.now, rebuilt, List.of(), Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
    }

    @Test
    void anOldChunkOfARebuiltIndexIsNotAdopted() {
        CommandResult.Created file = ledger.open("/g");
        group = file.first();
        ledger.apply(new Command.Call(
                ledger.now,
                Ledger.ROOT,
                new io.ecfs.message.namespace.NamespaceRequest.CompleteFile(
                        ledger.request(), file.status().inode(), Optional.of(sealed(group, LENGTH, 0, 1, 3))),
                ledger.volumes,
                Optional.empty()));
        ChunkOnVolume back = group.stored().get(2);
        ChunkOnVolume rebuilt = new ChunkOnVolume(spare, begun(2, spare));
        assertThat(commit(rebuilt, Optional.empty(), 0, 1)).isEqualTo(new CommandResult.Done());
        refused(ledger.apply(new Command.AdoptChunk(ledger.now, back, LENGTH, Optional.of(Ledger.STAMP))));
        assertThat(facts().stored()).contains(rebuilt);
    }
}
