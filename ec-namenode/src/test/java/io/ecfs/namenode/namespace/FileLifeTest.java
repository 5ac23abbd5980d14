package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static io.ecfs.namenode.state.Ledger.sealed;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.AbandonFile;
import io.ecfs.message.namespace.NamespaceRequest.AddGroup;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.RecoverLease;
import io.ecfs.message.namespace.NamespaceRequest.SealGroup;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.namespace.NamespaceView.Located;
import io.ecfs.namenode.state.CountingStore;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Writing, leases, recovery, deletion, orphans. */
class FileLifeTest {
    private final CountingStore store = new CountingStore();
    private final Ledger ledger = new Ledger(store);

    @Test
    void createAllocatesTheFirstGroupAndCompleteSealsTheLast() throws EcfsException {
        CommandResult.Created file = ledger.open("/dir/file");
        assertThat(file.status().open()).isTrue();
        assertThat(file.first().open()).isTrue();
        assertThat(file.first().stored()).hasSize(4);

        assertThat(ledger.close(file, 100).length()).isEqualTo(100);
        assertThat(ledger.status("/dir/file").orElseThrow().open()).isFalse();
        assertThat(ledger.hasLease(file.status().inode())).isFalse();
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(file.first().group()).orElseThrow().length()).isEqualTo(100);
            assertThat(view.count(Counter.SEALED_GROUPS)).isEqualTo(1);
            assertThat(view.count(Counter.OPEN_GROUPS)).isZero();
        }
    }

    @Test
    void groupsFollowEachOtherInTheFileAndAreLocatedByRange() throws EcfsException {
        CommandResult.Created file = ledger.open("/file");
        InodeId inode = file.status().inode();
        GroupFacts second =
                addGroup(inode, Optional.of(sealed(file.first(), 1000))).group();
        ledger.call(new SealGroup(ledger.request(), inode, sealed(second, 500)));
        GroupFacts third = addGroup(inode, Optional.empty()).group();

        Located all = locate(0, Long.MAX_VALUE, 10);
        assertThat(all.extents())
                .containsExactly(
                        new Extent(0, 1000, file.first().group(), 0), new Extent(1000, 500, second.group(), 0));
        assertThat(all.groups())
                .extracting(GroupFacts::group)
                .containsExactly(file.first().group(), second.group(), third.group());
        assertThat(all.status().length()).isEqualTo(1500);
        assertThat(locate(1000, 1, 10).extents()).containsExactly(new Extent(1000, 500, second.group(), 0));
        assertThat(locate(0, 1500, 1).more()).isTrue();
        assertThat(locate(0, 1500, 1).groups()).hasSize(1);
    }

    @Test
    void aFileWithoutBytesHasNoGroupAndItsChunksBecomeGarbage() throws EcfsException {
        CommandResult.Created file = ledger.open("/file");
        assertThat(ledger.close(file, 0).length()).isZero();
        assertThat(locate(0, 10, 10).groups()).isEmpty();
        assertThat(garbage()).containsExactlyInAnyOrderElementsOf(file.first().stored());
    }

    @Test
    void aGroupThatItsWriterNeverUsedLeavesNothing() throws EcfsException {
        CommandResult.Created file = ledger.open("/file");
        SealedGroup nothing = new SealedGroup(file.first().group(), 0, List.of());
        ledger.refused(
                new CompleteFile(ledger.request(), file.status().inode(), Optional.of(sealed(file.first(), 100)), true),
                ErrorCode.INVALID_ARGUMENT);
        ledger.refused(
                new CompleteFile(ledger.request(), file.status().inode(), Optional.empty(), true),
                ErrorCode.INVALID_ARGUMENT);

        ledger.call(new CompleteFile(ledger.request(), file.status().inode(), Optional.of(nothing), true));
        assertThat(ledger.status("/file").orElseThrow().open()).isFalse();
        assertThat(garbage()).isEmpty();
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(file.first().group())).isEmpty();
            assertThat(view.count(Counter.OPEN_GROUPS)).isZero();
            file.first()
                    .stored()
                    .forEach(chunk -> assertThat(view.chunksOn(chunk.volume(), Optional.empty(), 10))
                            .isEmpty());
        }
    }

    @Test
    void aGroupIsSealedOnlyWithEnoughOfItsOwnChunks() {
        CommandResult.Created file = ledger.open("/file");
        GroupFacts group = file.first();
        refusedSeal(file, sealed(group, 100, 0, 1), ErrorCode.INVALID_ARGUMENT);
        refusedSeal(file, sealed(group, Ledger.POLICY.groupBytes() + 1, 0, 1, 2), ErrorCode.INVALID_ARGUMENT);
        ChunkId foreign = new ChunkId(group.group(), 3, 1);
        refusedSeal(
                file,
                new SealedGroup(group.group(), 100, List.of(group.chunk(0), group.chunk(1), foreign)),
                ErrorCode.INVALID_ARGUMENT);
        refusedSeal(file, new SealedGroup(new GroupId(99), 100, List.of()), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(
                new CompleteFile(ledger.request(), file.status().inode(), Optional.empty()),
                ErrorCode.INVALID_ARGUMENT);

        seal(file, sealed(group, 100, 0, 1, 3));
        try (MetadataView view = ledger.state.view()) {
            GroupFacts sealed = view.group(group.group()).orElseThrow();
            assertThat(sealed.places().get(2).volume()).isEmpty();
            assertThat(sealed.stored()).hasSize(3);
            VolumeId lost = group.places().get(2).volume().orElseThrow();
            assertThat(view.chunksOn(lost, Optional.empty(), 10)).isEmpty();
            assertThat(view.garbageOn(lost, Optional.empty(), 10)).isEmpty();
        }
    }

    @Test
    void onlyTheHolderOfTheLeaseWrites() {
        CommandResult.Created file = ledger.open("/file");
        InodeId inode = file.status().inode();
        ledger.refused(
                new AddGroup(ledger.request("other"), inode, Optional.empty(), List.of()), ErrorCode.LEASE_CONFLICT);
        ledger.refused(
                new CompleteFile(ledger.request("other"), inode, Optional.of(sealed(file.first(), 10))),
                ErrorCode.LEASE_CONFLICT);
        ledger.refused(new AbandonFile(ledger.request("other"), inode), ErrorCode.LEASE_CONFLICT);
        ledger.close(file, 10);
        ledger.refused(new AddGroup(ledger.request(), inode, Optional.empty(), List.of()), ErrorCode.LEASE_CONFLICT);
        ledger.refused(
                new AddGroup(ledger.request(), new InodeId(999), Optional.empty(), List.of()), ErrorCode.NOT_FOUND);
    }

    @Test
    void theSmallestPurgeStepsComeToAnEnd() {
        ledger.write("/d/e/a", 100);
        ledger.write("/d/b", 100);
        ledger.done(ledger.delete("/d"));
        for (int i = 0; i < 50; i++) {
            ledger.apply(new Command.PurgeStep(ledger.now, 1));
        }
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.pendingDeletions()).isZero();
            assertThat(view.count(Counter.FILES)).isZero();
        }
    }

    /** The leader lets young deletions wait: what replaced their files may not be on disk yet. */
    @Test
    void deletionsThatMayNotBePurgedRetainTheirFiles() {
        ledger.write("/a", 100);
        ledger.write("/b", 100);
        ledger.done(ledger.delete("/a"));
        long first;
        try (MetadataView view = ledger.state.view()) {
            first = view.lastDeletion();
        }
        ledger.done(ledger.delete("/b"));
        assertThat(ledger.apply(new Command.PurgeStep(ledger.now, 1000, first))).isEqualTo(new CommandResult.Purged(1));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.purgedDeletion()).isEqualTo(first);
            assertThat(view.count(Counter.FILES)).isEqualTo(1);
        }
        int purged = garbage().size();
        assertThat(ledger.apply(new Command.PurgeStep(ledger.now, 1000, first))).isEqualTo(new CommandResult.Purged(1));
        assertThat(garbage()).hasSize(purged);
        assertThat(ledger.apply(new Command.PurgeStep(ledger.now, 1000, first + 1)))
                .isEqualTo(new CommandResult.Purged(0));
        assertThat(garbage()).hasSize(2 * purged);
    }

    /** HDDS-6434: the new file kept the layout of the one it replaced. */
    @Test
    void anOverwritingFileHasItsOwnPolicyInEveryRow() {
        ledger.write("/f", 100);
        Policy other = Policy.parse("rs-3-1-64k");
        CommandResult.Created created = (CommandResult.Created)
                ledger.call(new Create(ledger.request(), new FilePath("/f"), 0644, true, true, Optional.of(other)));
        assertThat(created.first().policy()).isEqualTo(other);
        assertThat(created.status().policy()).isEqualTo(other);
        assertThat(ledger.close(created, 200).policy()).isEqualTo(other);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(created.first().group()).orElseThrow().policy())
                    .isEqualTo(other);
        }
    }

    @Test
    void aRetriedCallGetsTheSameAnswerAndHasNoSecondEffect() {
        Create create = ledger.create("/file", false);
        CommandResult first = ledger.call(create);
        long hash = ledger.state.stateHash();
        ledger.now += 1000;
        assertThat(ledger.call(create)).isEqualTo(first);
        assertThat(ledger.state.stateHash()).isEqualTo(hash);
        CompleteFile complete = ledger.complete((CommandResult.Created) first, 10);
        CommandResult closed = ledger.call(complete);
        assertThat(closed).isInstanceOf(CommandResult.Status.class);
        assertThat(ledger.call(complete)).isEqualTo(closed);
    }

    @Test
    void aRefusedCallThatComesAgainIsStillRefused() {
        ledger.open("/file");
        Create create = ledger.create("/file", false);
        CommandResult refusal = ledger.call(create);
        ledger.refused(refusal, ErrorCode.LEASE_CONFLICT);
        ledger.done(ledger.delete("/file"));
        assertThat(ledger.call(create)).isEqualTo(refusal);
        assertThat(ledger.status("/file")).isEmpty();
    }

    @Test
    void aRepeatedCloseWithoutARetainedAnswerFindsTheFileClosed() {
        CommandResult.Created file = ledger.open("/file");
        SealedGroup three = sealed(file.first(), 10, 0, 1, 3);
        CompleteFile complete = new CompleteFile(ledger.request(), file.status().inode(), Optional.of(three));
        CommandResult closed = ledger.call(complete);
        assertThat(ledger.call(anew(complete))).isEqualTo(closed);

        ledger.refused(ledger.complete(file, 11), ErrorCode.LEASE_CONFLICT);
        ledger.refused(ledger.complete(file, 10), ErrorCode.LEASE_CONFLICT);
        ledger.refused(ledger.complete(file, 0), ErrorCode.LEASE_CONFLICT);
        ledger.refused(
                new CallerIdentity("stranger", List.of()),
                new CompleteFile(ledger.request(), file.status().inode(), Optional.of(three)),
                ErrorCode.LEASE_CONFLICT);
        ledger.done(ledger.delete("/file"));
        ledger.refused(
                new CompleteFile(ledger.request(), file.status().inode(), Optional.of(three)), ErrorCode.NOT_FOUND);
    }

    @Test
    void aCloseOfAnEmptyFileThatComesAgainIsAnsweredToo() {
        CommandResult.Created empty = ledger.open("/empty");
        CompleteFile complete = ledger.complete(empty, 0);
        CommandResult closed = ledger.call(complete);
        CommandResult.Created between = ledger.open("/between");
        ledger.call(new SealGroup(ledger.request(), between.status().inode(), sealed(between.first(), 10)));
        CompleteFile last = new CompleteFile(ledger.request(), between.status().inode(), Optional.empty());
        CommandResult closedBetween = ledger.call(last);
        assertThat(ledger.call(anew(complete))).isEqualTo(closed);
        assertThat(ledger.call(anew(last))).isEqualTo(closedBetween);
    }

    /** The same close as a call of its own, which no remembered answer meets. */
    private CompleteFile anew(CompleteFile close) {
        return new CompleteFile(ledger.request(), close.file(), close.last());
    }

    @Test
    void placementThatBreaksTheRulesIsRefused() {
        List<VolumeId> all = ledger.volumes;
        Create create = ledger.create("/file", false);
        refusedPlacement(create, all.subList(0, 2), ErrorCode.NO_SPACE);
        refusedPlacement(create, List.of(all.get(0), all.get(1), all.get(2), all.get(0)), ErrorCode.INVALID_ARGUMENT);
        refusedPlacement(
                create, List.of(all.get(0), all.get(1), all.get(2), new VolumeId(77)), ErrorCode.INVALID_ARGUMENT);
        assertThat(ledger.status("/file")).isEmpty();
    }

    @Test
    void anOpenFileIsRefusedToOthersUntilItsHolderExpires() {
        CommandResult.Created file = ledger.open("/file");
        ledger.refused(takeOver(), ErrorCode.LEASE_CONFLICT);
        ledger.refused(ledger.create("/file", false), ErrorCode.LEASE_CONFLICT);
        ledger.expired = Optional.of("somebody");
        ledger.refused(takeOver(), ErrorCode.LEASE_CONFLICT);
        ledger.expired = Optional.of("client");
        assertThat(ledger.call(takeOver())).isInstanceOf(CommandResult.Created.class);
        ledger.refused(ledger.complete(file, 10), ErrorCode.NOT_FOUND);
    }

    private Create takeOver() {
        return new Create(ledger.request("other"), path("/file"), 0644, true, true, Optional.empty());
    }

    @Test
    void aTakeoverShutsTheWriterOutAndRecoveryClosesTheFile() {
        CommandResult.Created file = ledger.open("/file");
        ledger.expired = Optional.of("client");
        Create other = new Create(ledger.request("other"), path("/file"), 0644, false, true, Optional.empty());
        assertThat(ledger.call(other))
                .isEqualTo(new CommandResult.Recovery(file.status().inode(), false));
        recoverAndCheck(file);
    }

    @Test
    void theLeaderTakesALeaseOnlyFromTheHolderItMeant() {
        CommandResult.Created file = ledger.open("/file");
        InodeId inode = file.status().inode();
        ledger.refused(ledger.apply(new Command.BeginRecovery(ledger.now, inode, "other")), ErrorCode.LEASE_CONFLICT);
        ledger.refused(
                ledger.apply(new Command.FinishRecovery(ledger.now, inode, Optional.of(sealed(file.first(), 10)))),
                ErrorCode.LEASE_CONFLICT);
        assertThat(ledger.apply(new Command.BeginRecovery(ledger.now, inode, "client")))
                .isEqualTo(new CommandResult.Recovery(inode, false));
        recoverAndCheck(file);
    }

    @Test
    void recoverLeaseClosesAtOnceWhatHasNoOpenGroup() {
        CommandResult.Created file = ledger.open("/file");
        ledger.call(new SealGroup(ledger.request(), file.status().inode(), sealed(file.first(), 10)));
        RecoverLease recover = new RecoverLease(ledger.request("other"), path("/file"));
        assertThat(ledger.call(recover))
                .isEqualTo(new CommandResult.Recovery(file.status().inode(), true));
        assertThat(ledger.status("/file").orElseThrow().open()).isFalse();
        ledger.refused(new RecoverLease(ledger.request(), path("/none")), ErrorCode.NOT_FOUND);
    }

    /** The writer may have been away for long: its file was deleted, and another client writes one of that name. */
    @Test
    void aWriterThatGivesUpLetsGoOfItsOwnFileAndOfNoOther() {
        CommandResult.Created mine = ledger.open("/file");
        InodeId inode = mine.status().inode();
        ledger.done(ledger.rename("/file", "/elsewhere", false));
        Create other = new Create(ledger.request("other"), path("/file"), 0644, false, true, Optional.empty());
        CommandResult.Created theirs = (CommandResult.Created) ledger.call(other);
        RecoverLease letGo = new RecoverLease(ledger.request(), path("/file"), Optional.of(inode));
        assertThat(ledger.call(letGo)).isEqualTo(new CommandResult.Recovery(inode, false));
        assertThat(ledger.call(new CompleteFile(
                        ledger.request("other"), theirs.status().inode(), Optional.of(sealed(theirs.first(), 10)))))
                .isInstanceOf(CommandResult.Status.class);
        ledger.done(ledger.delete("/elsewhere"));
        ledger.refused(new RecoverLease(ledger.request(), path("/file"), Optional.of(inode)), ErrorCode.NOT_FOUND);
        ledger.refused(
                new RecoverLease(ledger.request(), path("/g"), Optional.of(openedBy("other", "/g"))),
                ErrorCode.LEASE_CONFLICT);
    }

    private InodeId openedBy(String client, String path) {
        Create create = new Create(ledger.request(client), path(path), 0644, false, true, Optional.empty());
        return ((CommandResult.Created) ledger.call(create)).status().inode();
    }

    @Test
    void aTruncateWhoseAnswerWasLostIsRecognised() {
        ledger.write("/file", 1000);
        assertThat(cut("/file", 300, 1000)).isInstanceOf(CommandResult.Status.class);
        assertThat(cut("/file", 300, 1000))
                .isInstanceOfSatisfying(
                        CommandResult.Status.class,
                        again -> assertThat(again.status().length()).isEqualTo(300));
        CommandResult.Created more = (CommandResult.Created) ledger.call(new Append(ledger.request(), path("/file")));
        ledger.close(more, 500);
        ledger.refused(cut("/file", 300, 1000), ErrorCode.FILE_CHANGED);
        assertThat(ledger.status("/file").orElseThrow().length()).isEqualTo(800);
    }

    private CommandResult cut(String path, long length, long from) {
        return ledger.call(new Truncate(ledger.request(), path(path), length, Optional.of(from)));
    }

    @Test
    void anAbandonedFileDisappearsAndItsChunksBecomeGarbage() {
        CommandResult.Created file = ledger.open("/file");
        ledger.done(new AbandonFile(ledger.request(), file.status().inode()));
        assertThat(ledger.status("/file")).isEmpty();
        purgeAll(5);
        assertThat(garbage()).containsExactlyInAnyOrderElementsOf(file.first().stored());
    }

    @Test
    void deletedTreesBecomeGarbageInBoundedSteps() {
        for (int i = 0; i < 60; i++) {
            ledger.write("/tree/" + i % 7 + "/" + i, 10);
        }
        CommandResult.Created open = ledger.open("/tree/3/open");
        long before = store.written;
        ledger.done(ledger.delete("/tree"));
        assertThat(store.written - before)
                .as("delete writes a few rows however large the tree is")
                .isLessThan(12);
        assertThat(ledger.status("/tree/3/3")).isEmpty();
        ledger.refused(ledger.complete(open, 10), ErrorCode.NOT_FOUND);

        assertThat(purgeAll(10)).isGreaterThan(20);
        assertThat(garbage()).hasSize(61 * 4);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.count(Counter.FILES)).isZero();
            assertThat(view.count(Counter.DIRECTORIES)).isEqualTo(1);
            assertThat(view.count(Counter.SEALED_GROUPS) + view.count(Counter.OPEN_GROUPS))
                    .isZero();
            assertThat(view.count(Counter.SEALED_BYTES)).isZero();
        }
        for (ChunkOnVolume chunk : garbage()) {
            ledger.apply(new Command.ForgetGarbage(ledger.now, List.of(chunk)));
        }
        assertThat(garbage()).isEmpty();
    }

    @Test
    void renamingAHugeDirectoryTouchesNothingBelowIt() {
        for (int i = 0; i < 300; i++) {
            ledger.done(ledger.mkdirs("/from/" + i));
        }
        long before = store.written;
        ledger.done(ledger.rename("/from", "/to", false));
        assertThat(store.written - before).isLessThan(12);
        assertThat(ledger.list("/to")).hasSize(300);
    }

    @Test
    void aPlacedChunkIsNeverMarkedAsGarbageAndAnOrphanOnlyWithProof() {
        CommandResult.Created file = ledger.open("/file");
        GroupFacts group = file.first();
        ChunkOnVolume orphan = new ChunkOnVolume(ledger.volumes.get(5), group.chunk(2));
        List<ChunkId> three = List.of(group.chunk(0), group.chunk(1), group.chunk(3));
        refusedGarbage(orphan, three);
        seal(file, sealed(group, 100, 0, 1, 3));

        refusedGarbage(group.stored().get(0), three);
        refusedGarbage(orphan, List.of(group.chunk(0), group.chunk(1)));
        refusedGarbage(orphan, List.of(group.chunk(0), group.chunk(1), group.chunk(2)));
        refusedGarbage(new ChunkOnVolume(ledger.volumes.get(5), new ChunkId(new GroupId(50), 0, 0)), List.of());
        assertThat(ledger.apply(new Command.MarkGarbage(ledger.now, orphan, three, Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
        assertThat(garbage()).containsExactly(orphan);
    }

    @Test
    void aChunkThatComesBackIsAdoptedOnlyWhereItFits() {
        CommandResult.Created file = ledger.open("/file");
        GroupFacts group = file.first();
        seal(file, sealed(group, 100, 0, 1, 3));
        ChunkOnVolume back = group.stored().get(2);

        refusedAdoption(back, 99);
        refusedAdoption(group.stored().get(1), 100);
        refusedAdoption(new ChunkOnVolume(back.volume(), new ChunkId(group.group(), 2, 1)), 100);
        refusedAdoption(new ChunkOnVolume(group.stored().get(1).volume(), back.chunk()), 100);
        assertThat(ledger.apply(new Command.AdoptChunk(ledger.now, back, 100, Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(group.group()).orElseThrow().stored()).isEqualTo(group.stored());
            assertThat(view.chunksOn(back.volume(), Optional.empty(), 10)).containsExactly(back);
        }
    }

    /** A report from before the deletion may reach the next leader when the garbage table has forgotten the chunk. */
    @Test
    void aChunkThatWasGarbageIsNeverAdoptedNotEvenWhenItIsForgotten() {
        CommandResult.Created file = ledger.open("/file");
        GroupFacts group = file.first();
        seal(file, sealed(group, 100, 0, 1, 3));
        ChunkOnVolume back = group.stored().get(2);
        List<ChunkId> three = List.of(group.chunk(0), group.chunk(1), group.chunk(3));
        assertThat(ledger.apply(new Command.MarkGarbage(ledger.now, back, three, Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
        refusedAdoption(back, 100);
        ledger.apply(new Command.ForgetGarbage(ledger.now, List.of(back)));
        refusedAdoption(back, 100);
        ChunkOnVolume third = new ChunkOnVolume(back.volume(), new ChunkId(group.group(), 2, 3));
        assertThat(ledger.apply(new Command.MarkGarbage(ledger.now, third, three, Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
        ledger.apply(new Command.ForgetGarbage(ledger.now, List.of(third)));
        refusedAdoption(third, 100);
        ChunkOnVolume next = new ChunkOnVolume(back.volume(), new ChunkId(group.group(), 2, 4));
        assertThat(ledger.apply(new Command.AdoptChunk(ledger.now, next, 100, Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
    }

    @Test
    void aStrayCopyThatIsGarbageTakesNothingFromTheChunkInItsPlace() {
        CommandResult.Created file = ledger.open("/file");
        GroupFacts group = file.first();
        seal(file, sealed(group, 100));
        ChunkOnVolume stray = new ChunkOnVolume(ledger.volumes.get(5), group.chunk(2));
        assertThat(ledger.apply(new Command.MarkGarbage(
                        ledger.now,
                        stray,
                        List.of(group.chunk(0), group.chunk(1), group.chunk(3)),
                        Optional.of(Ledger.STAMP))))
                .isEqualTo(new CommandResult.Done());
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.group(group.group()).orElseThrow().stored()).isEqualTo(group.stored());
        }
    }

    @Test
    void chunksOfAVolumeAreReadInPages() {
        for (int i = 0; i < 7; i++) {
            ledger.write("/" + i, 10);
        }
        List<ChunkOnVolume> seen = new ArrayList<>();
        try (MetadataView view = ledger.state.view()) {
            List<ChunkOnVolume> page;
            do {
                Optional<ChunkOnVolume> after =
                        seen.isEmpty() ? Optional.empty() : Optional.of(seen.get(seen.size() - 1));
                page = view.chunksOn(new VolumeId(1), after, 3);
                seen.addAll(page);
            } while (page.size() == 3);
        }
        assertThat(seen).hasSize(7).isSorted().doesNotHaveDuplicates();
    }

    private void recoverAndCheck(CommandResult.Created file) {
        InodeId inode = file.status().inode();
        ledger.refused(ledger.complete(file, 10), ErrorCode.LEASE_CONFLICT);
        ledger.refused(
                ledger.apply(new Command.FinishRecovery(ledger.now, inode, Optional.of(sealed(file.first(), 10, 0)))),
                ErrorCode.INVALID_ARGUMENT);
        CommandResult closed = ledger.apply(
                new Command.FinishRecovery(ledger.now, inode, Optional.of(sealed(file.first(), 10, 0, 2))));
        assertThat(((CommandResult.Status) closed).status().open()).isFalse();
        assertThat(ledger.status("/file").orElseThrow().length()).isEqualTo(10);
    }

    private CommandResult.Allocated addGroup(InodeId file, Optional<SealedGroup> previous) {
        return (CommandResult.Allocated) ledger.call(new AddGroup(ledger.request(), file, previous, List.of()));
    }

    private Located locate(long offset, long length, int maxGroups) throws EcfsException {
        try (MetadataView view = ledger.state.view()) {
            return view.namespace().locate(path("/file"), offset, length, maxGroups, Ledger.ROOT);
        }
    }

    private void seal(CommandResult.Created file, SealedGroup word) {
        assertThat(ledger.call(new SealGroup(ledger.request(), file.status().inode(), word)))
                .isInstanceOf(CommandResult.Status.class);
    }

    private void refusedSeal(CommandResult.Created file, SealedGroup word, ErrorCode code) {
        ledger.refused(new SealGroup(ledger.request(), file.status().inode(), word), code);
    }

    private void refusedPlacement(Create create, List<VolumeId> candidates, ErrorCode code) {
        ledger.refused(
                ledger.apply(new Command.Call(ledger.now, Ledger.ROOT, create, candidates, Optional.empty())), code);
    }

    private void refusedGarbage(ChunkOnVolume orphan, List<ChunkId> proof) {
        ledger.refused(
                ledger.apply(new Command.MarkGarbage(ledger.now, orphan, proof, Optional.of(Ledger.STAMP))),
                ErrorCode.INVALID_ARGUMENT);
    }

    private void refusedAdoption(ChunkOnVolume chunk, long length) {
        ledger.refused(
                ledger.apply(new Command.AdoptChunk(ledger.now, chunk, length, Optional.of(Ledger.STAMP))),
                ErrorCode.INVALID_ARGUMENT);
    }

    /** Returns the number of steps it took. */
    private int purgeAll(int budget) {
        int steps = 1;
        while (!ledger.apply(new Command.PurgeStep(ledger.now, budget)).equals(new CommandResult.Purged(0))) {
            steps++;
            assertThat(steps).isLessThan(1000);
        }
        return steps;
    }

    private List<ChunkOnVolume> garbage() {
        List<ChunkOnVolume> garbage = new ArrayList<>();
        try (MetadataView view = ledger.state.view()) {
            ledger.volumes.forEach(v -> garbage.addAll(view.garbageOn(v, Optional.empty(), 10_000)));
        }
        return garbage;
    }
}
