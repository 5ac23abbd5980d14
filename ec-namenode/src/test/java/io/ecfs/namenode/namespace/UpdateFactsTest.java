package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.AbandonFile;
import io.ecfs.message.namespace.NamespaceRequest.AddGroup;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.ConvertFiles;
import io.ecfs.message.namespace.NamespaceRequest.OpenUpdate;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.NamespaceRequest.SealGroup;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are updated in place: their patches, the replacement of their layout, and what is refused for them. */
class UpdateFactsTest {
    private static final FilePath A = new FilePath("/a");
    private static final CallerIdentity EVE = new CallerIdentity("eve", List.of());

    private final Ledger ledger = new Ledger(new MemoryStore());

    private <T> T facts(Function<View, T> read) {
        try (View view = ledger.store.view()) {
            return read.apply(view);
        }
    }

    private InodeId inode(String path) {
        return ledger.status(path).orElseThrow().inode();
    }

    private Inode.File file(String path) {
        InodeId inode = inode(path);
        return (Inode.File) facts(view -> Inodes.get(view, inode).body());
    }

    private Optional<GroupFacts> group(GroupId id) {
        return facts(view -> Groups.find(view, id));
    }

    private NamespaceView.Located located(String path, long offset) {
        try (MetadataView view = ledger.state.view()) {
            return view.namespace().locate(new FilePath(path), offset, Long.MAX_VALUE, 100, Ledger.ROOT);
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    private CommandResult.Updating open(String path) {
        return (CommandResult.Updating) ledger.call(new OpenUpdate(ledger.request(), new FilePath(path), 7));
    }

    private GroupFacts add(InodeId file, Optional<SealedGroup> previous) {
        return ((CommandResult.Allocated) ledger.call(new AddGroup(ledger.request(), file, previous, List.of())))
                .group();
    }

    /** Seals a patch group of this length. */
    private GroupId patch(String path, long length) {
        GroupFacts group = add(inode(path), Optional.empty());
        ledger.call(new SealGroup(ledger.request(), inode(path), Ledger.sealed(group, length)));
        return group.group();
    }

    private CommandResult close(String path) {
        return ledger.call(new CompleteFile(ledger.request(), inode(path), Optional.empty()));
    }

    private ReplaceLayout layout(String path, long length, List<Extent> extents, PatchGroup... patches) {
        return new ReplaceLayout(
                ledger.request(), inode(path), file(path).version(), length, extents, List.of(patches));
    }

    private static PatchGroup whole(GroupId group, long length) {
        return new PatchGroup(group, Optional.empty(), length, length);
    }

    private void purge() {
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
    }

    @Test
    void aSealedPatchGroupIsAPatchAndChangesNeitherExtentsNorLength() {
        ledger.write("/a", 300);
        List<Extent> base = file("/a").extents();
        CommandResult.Updating opened = open("/a");
        assertThat(opened.version()).isEqualTo(1);
        assertThat(opened.status().open()).isTrue();
        assertThat(opened.patches()).isEmpty();
        GroupFacts first = add(opened.status().inode(), Optional.empty());
        assertThat(first.owner()).isEqualTo(new GroupOwner.Patch(opened.status().inode()));
        GroupFacts second = add(opened.status().inode(), Optional.of(Ledger.sealed(first, 5000)));
        CompleteFile last =
                new CompleteFile(ledger.request(), opened.status().inode(), Optional.of(Ledger.sealed(second, 70)));
        CommandResult closed = ledger.call(last);
        Inode.File file = file("/a");
        assertThat(file.extents()).isEqualTo(base);
        assertThat(file.length()).isEqualTo(300);
        assertThat(file.open()).isFalse();
        assertThat(file.version()).isEqualTo(1);
        assertThat(file.patches())
                .containsExactly(
                        new Inode.Patch(first.group(), Optional.empty()),
                        new Inode.Patch(second.group(), Optional.empty()));
        assertThat(open("/a").patches()).containsExactly(whole(first.group(), 5000), whole(second.group(), 70));
        close("/a");
        CompleteFile again = new CompleteFile(ledger.request(), last.file(), last.last());
        assertThat(ledger.call(again)).as("sent again, its answer forgotten").isEqualTo(closed);
        ledger.refused(
                new CompleteFile(ledger.request(), last.file(), Optional.of(Ledger.sealed(first, 5000))),
                ErrorCode.LEASE_CONFLICT);
    }

    private void reopen(String path, long nonce) {
        close(path);
        ledger.call(new OpenUpdate(ledger.request(), new FilePath(path), nonce));
    }

    @Test
    void theNonceOfTheBatchesIsThatOfTheFirstOpeningWhileThereArePatches() {
        ledger.write("/a", 300);
        open("/a");
        reopen("/a", 8);
        assertThat(located("/a", 0).patches().orElseThrow().nonce()).isEqualTo(8);
        patch("/a", 4096);
        reopen("/a", 9);
        assertThat(located("/a", 0).patches().orElseThrow().nonce()).isEqualTo(8);
        ledger.call(layout("/a", 300, file("/a").extents()));
        assertThat(file("/a").nonce()).isEqualTo(8);
        reopen("/a", 9);
        assertThat(file("/a").nonce()).isEqualTo(9);
    }

    @Test
    void anEmptyPatchGroupIsNothing() {
        ledger.write("/a", 300);
        open("/a");
        GroupId group = patch("/a", 0);
        assertThat(file("/a").patches()).isEmpty();
        assertThat(group(group)).isEmpty();
    }

    @Test
    void recoverySealsAPatchGroupWithoutAnIndex() {
        ledger.write("/a", 300);
        open("/a");
        GroupFacts group = add(inode("/a"), Optional.empty());
        ledger.apply(new Command.BeginRecovery(ledger.now, inode("/a"), "client"));
        ledger.refused(layout("/a", 300, file("/a").extents()), ErrorCode.LEASE_CONFLICT);
        ledger.apply(new Command.FinishRecovery(ledger.now, inode("/a"), Optional.of(Ledger.sealed(group, 4096))));
        assertThat(file("/a").patches()).containsExactly(new Inode.Patch(group.group(), Optional.empty()));
        assertThat(file("/a").length()).isEqualTo(300);
        assertThat(ledger.hasLease(inode("/a"))).isFalse();
    }

    @Test
    void itIsOpenedAsToAppend() {
        ledger.write("/a", 300);
        ledger.refused(EVE, new OpenUpdate(ledger.request("eve"), A, 7), ErrorCode.ACCESS_DENIED);
        ledger.refused(new OpenUpdate(ledger.request(), new FilePath("/none"), 7), ErrorCode.NOT_FOUND);
        ledger.refused(new OpenUpdate(ledger.request(), FilePath.ROOT, 7), ErrorCode.IS_A_DIRECTORY);
        open("/a");
        ledger.refused(new OpenUpdate(ledger.request(), A, 7), ErrorCode.LEASE_CONFLICT);
        ledger.refused(new OpenUpdate(ledger.request("other"), A, 7), ErrorCode.LEASE_CONFLICT);
        ledger.expired = Optional.of("client");
        assertThat(ledger.call(new OpenUpdate(ledger.request("other"), A, 7)))
                .isEqualTo(new CommandResult.Recovery(inode("/a"), true));
        assertThat(((CommandResult.Updating) ledger.call(new OpenUpdate(ledger.request("other"), A, 7))).version())
                .isEqualTo(2);
        ledger.refused(new AbandonFile(ledger.request("other"), inode("/a")), ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void aFileWithoutPatchesIsAppendedToAndIsOrdinaryAgain() {
        ledger.write("/a", 300);
        open("/a");
        close("/a");
        assertThat(file("/a").version()).isEqualTo(1);
        CommandResult.Created again = (CommandResult.Created) ledger.call(new Append(ledger.request(), A));
        assertThat(file("/a").updating()).isFalse();
        assertThat(again.first().owner()).isInstanceOf(GroupOwner.File.class);
        ledger.refused(layout("/a", 300, file("/a").extents()), ErrorCode.INVALID_ARGUMENT);
        ledger.close(again, 20);
        assertThat(file("/a").extents()).hasSize(2);
        assertThat(file("/a").length()).isEqualTo(320);
        assertThat(file("/a").version()).isZero();
    }

    @Test
    void whatNeedsExtentsAloneIsRefusedForAFileWithPatches() {
        ledger.write("/a", 300);
        ledger.write("/b", 10);
        FilePath b = new FilePath("/b");
        open("/a");
        GroupId patch = patch("/a", 100);
        close("/a");
        ledger.refused(new Append(ledger.request(), A), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(new Truncate(ledger.request(), A, 0, Optional.empty()), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(new Concat(ledger.request(), A, List.of(b)), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(new Concat(ledger.request(), b, List.of(A)), ErrorCode.INVALID_ARGUMENT);
        Policy other = Policy.parse("rs-2-1-64k");
        ledger.refused(new ConvertFiles(ledger.request(), A, other, false), ErrorCode.INVALID_ARGUMENT);
        assertThat(ledger.call(new Append(ledger.request(), A)))
                .isInstanceOfSatisfying(
                        CommandResult.Refused.class,
                        refused -> assertThat(refused.message()).contains("ecfs admin compact /a"));
        List<RewritePiece> pieces =
                List.of(new RewritePiece(inode("/a"), file("/a").extents().get(0)));
        ledger.refused(
                ledger.apply(new Command.BeginRewrite(ledger.now, pieces, other, ledger.volumes, Ledger.STAMP)),
                ErrorCode.FILE_CHANGED);
        ledger.refused(
                ledger.apply(new Command.AdoptPolicy(ledger.now, inode("/a"), Ledger.POLICY)), ErrorCode.FILE_CHANGED);
        ledger.done(new SetMode(ledger.request(), A, 0600));
        ledger.done(ledger.delete("/a"));
        purge();
        assertThat(group(patch)).isEmpty();
    }

    @Test
    void aRewriteThatIsUnderWayLeavesAFileThatIsOpenedForUpdate() {
        ledger.write("/a", 300);
        List<RewritePiece> pieces =
                List.of(new RewritePiece(inode("/a"), file("/a").extents().get(0)));
        Policy other = Policy.parse("rs-2-1-64k");
        GroupFacts copy = ((CommandResult.Allocated)
                        ledger.apply(new Command.BeginRewrite(ledger.now, pieces, other, ledger.volumes, Ledger.STAMP)))
                .group();
        open("/a");
        Inode.File before = file("/a");
        ledger.apply(new Command.CommitRewrite(ledger.now, Ledger.sealed(copy, 300)));
        assertThat(file("/a")).isEqualTo(before);
        assertThat(group(copy.group())).isEmpty();
    }

    @Test
    void aLayoutIsReplaced() {
        ledger.write("/a", 300);
        Extent base = file("/a").extents().get(0);
        open("/a");
        GroupId first = patch("/a", 1000);
        GroupId second = patch("/a", 2000);
        GroupId third = patch("/a", 50);
        CommandResult replaced = ledger.call(layout(
                "/a",
                5000,
                List.of(base.part(0, 10), new Extent(100, 50, first, 900), base.part(290, 10)),
                new PatchGroup(second, Optional.of(1999L), 2000, 7)));
        assertThat(replaced).isInstanceOfSatisfying(CommandResult.Updating.class, opened -> {
            assertThat(opened.version()).isEqualTo(2);
            assertThat(opened.status().length()).isEqualTo(5000);
            assertThat(opened.patches()).containsExactly(new PatchGroup(second, Optional.of(1999L), 2000, 7));
        });
        purge();
        assertThat(group(first).orElseThrow().owner()).isEqualTo(new GroupOwner.File(inode("/a")));
        assertThat(group(second).orElseThrow().liveBytes()).contains(7L);
        assertThat(group(third))
                .as("neither a patch nor an extent refers to it")
                .isEmpty();
        assertThat(group(base.group())).isPresent();
        ledger.call(layout("/a", 5000, List.of(new Extent(100, 50, first, 900))));
        purge();
        assertThat(group(second)).isEmpty();
        assertThat(group(base.group())).isEmpty();
        close("/a");
        assertThat(ledger.call(new Truncate(ledger.request(), A, 120, Optional.empty())))
                .as("compacted, and open to every call again")
                .isInstanceOf(CommandResult.Status.class);
        assertThat(file("/a").extents()).containsExactly(new Extent(100, 20, first, 900));
    }

    @Test
    void aLayoutOfAnotherVersionIsRefused() {
        ledger.write("/a", 300);
        open("/a");
        List<Extent> base = file("/a").extents();
        ReplaceLayout replace = layout("/a", 300, base);
        ledger.call(replace);
        assertThat(ledger.call(replace))
                .as("sent again")
                .isInstanceOfSatisfying(
                        CommandResult.Updating.class,
                        opened -> assertThat(opened.version()).isEqualTo(2));
        ledger.refused(
                new ReplaceLayout(ledger.request(), inode("/a"), 1, 300, base, List.of()), ErrorCode.FILE_CHANGED);
        ledger.refused(
                new ReplaceLayout(ledger.request("other"), inode("/a"), 2, 300, base, List.of()),
                ErrorCode.LEASE_CONFLICT);
    }

    /** Holes before, between and behind the extents. */
    @Test
    void extentsWithGapsAreTruncatedAndMovedAsTheyLie() {
        ledger.write("/a", 300);
        ledger.write("/b", 10);
        Extent base = file("/a").extents().get(0);
        open("/a");
        ledger.call(layout("/a", 1000, List.of(base.part(100, 50), base.part(200, 100))));
        close("/a");
        ledger.call(new Truncate(ledger.request(), A, 900, Optional.empty()));
        assertThat(file("/a").length()).isEqualTo(900);
        assertThat(file("/a").extents()).containsExactly(base.part(100, 50), base.part(200, 100));
        ledger.call(new Truncate(ledger.request(), A, 180, Optional.empty()));
        assertThat(file("/a").length()).isEqualTo(180);
        assertThat(file("/a").extents()).containsExactly(base.part(100, 50));
        ledger.call(new Concat(ledger.request(), new FilePath("/b"), List.of(A)));
        assertThat(file("/b").length()).isEqualTo(190);
        assertThat(file("/b").extents().get(1)).isEqualTo(base.part(100, 50).at(110));
        ledger.call(new Truncate(ledger.request(), new FilePath("/b"), 20, Optional.empty()));
        assertThat(file("/b").length()).isEqualTo(20);
        purge();
        assertThat(group(base.group())).isEmpty();
        CommandResult.Created again =
                (CommandResult.Created) ledger.call(new Append(ledger.request(), new FilePath("/b")));
        ledger.close(again, 5);
        assertThat(file("/b").extents().get(1).fileOffset()).isEqualTo(20);
    }

    @Test
    void aFileOfAHoleAloneIsConcatenated() {
        ledger.write("/a", 300);
        ledger.write("/b", 10);
        open("/a");
        ledger.call(layout("/a", 40, List.of()));
        close("/a");
        ledger.call(new Concat(ledger.request(), new FilePath("/b"), List.of(A)));
        assertThat(file("/b").length()).isEqualTo(50);
        assertThat(file("/b").extents()).hasSize(1);
    }

    @Test
    void everyPageOfALocationHasAllPatchesAndTheOpenOneLast() {
        ledger.write("/a", 300);
        assertThat(located("/a", 0).patches()).isEmpty();
        open("/a");
        assertThat(located("/a", 0).patches()).contains(new NamespaceView.Patches(1, 7, List.of(), List.of()));
        GroupId sealed = patch("/a", 100);
        GroupFacts open = add(inode("/a"), Optional.empty());
        for (long offset : List.of(0L, 250L, 300L, 1L << 50)) {
            NamespaceView.Located page = located("/a", offset);
            assertThat(page.groups())
                    .extracting(GroupFacts::group)
                    .isEqualTo(page.extents().stream().map(Extent::group).toList());
            NamespaceView.Patches patches = page.patches().orElseThrow();
            assertThat(patches.version()).isEqualTo(1);
            assertThat(patches.sealed()).containsExactly(whole(sealed, 100));
            assertThat(patches.groups()).extracting(GroupFacts::group).containsExactly(sealed, open.group());
        }
    }

    @Test
    void aFileHasNoMorePatchesThanOneAnswerMayCarry() {
        ledger.write("/a", 300);
        open("/a");
        for (int i = 0; i < ReplaceLayout.MOST_PATCHES; i++) {
            patch("/a", 1);
        }
        ledger.refused(
                new AddGroup(ledger.request(), inode("/a"), Optional.empty(), List.of()), ErrorCode.INVALID_ARGUMENT);
        assertThat(ledger.call(layout("/a", 300, file("/a").extents()))).isInstanceOf(CommandResult.Updating.class);
        assertThat(add(inode("/a"), Optional.empty()).open()).isTrue();
    }

    /** Calls in any order; after each, the facts are those of a model, and each group is one file's, or garbage. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void factsAreThoseOfAModel(long seed) {
        new UpdatedFiles(ledger, seed).play(500);
        Ledger replayed = new Ledger(new MemoryStore());
        ledger.commands.subList(replayed.commands.size(), ledger.commands.size()).stream()
                .map(ledger::decoded)
                .forEach(replayed::apply);
        assertThat(replayed.state.stateHash()).isEqualTo(ledger.state.stateHash());
    }
}
