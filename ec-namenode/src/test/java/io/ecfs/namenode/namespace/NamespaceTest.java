package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.FindNames;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.message.namespace.NamespaceRequest.SetPacking;
import io.ecfs.message.namespace.NamespaceRequest.SetPolicy;
import io.ecfs.message.namespace.NamespaceRequest.SetTimes;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names, attributes, permissions. */
class NamespaceTest {
    private static final CallerIdentity ALICE = new CallerIdentity("alice", List.of("staff"));
    private static final CallerIdentity BOB = new CallerIdentity("bob", List.of("staff"));
    private static final CallerIdentity EVE = new CallerIdentity("eve", List.of("guests"));

    private final Ledger ledger = new Ledger(new MemoryStore());

    @Test
    void directoriesAreMadeWithTheirParentsAndListedInNameOrder() {
        ledger.done(ledger.mkdirs("/b/c/d"));
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(ledger.mkdirs("/a"));
        ledger.write("/ab", 10);

        assertThat(ledger.list("/")).containsExactly("a", "ab", "b");
        assertThat(ledger.list("/b/c")).containsExactly("d");
        assertThat(ledger.list("/ab")).containsExactly("ab");
        assertThat(ledger.status("/b/c").orElseThrow().directory()).isTrue();
        assertThat(ledger.status("/b/x")).isEmpty();
    }

    @Test
    void mkdirsIsRefusedOverAFileBelowAFileAndWithoutParents() {
        ledger.write("/file", 10);
        ledger.refused(ledger.mkdirs("/file"), ErrorCode.ALREADY_EXISTS);
        ledger.refused(ledger.mkdirs("/file/below"), ErrorCode.PARENT_NOT_DIRECTORY);
        ledger.refused(new Mkdirs(ledger.request(), path("/no/such"), 0755, false), ErrorCode.NOT_FOUND);
        ledger.refused(new Mkdirs(ledger.request(), path("/mode"), 02777, true), ErrorCode.INVALID_ARGUMENT);
        ledger.done(new Mkdirs(ledger.request(), path("/single"), 0755, false));
    }

    @Test
    void aLongDirectoryIsListedInPagesWithoutGapOrRepeat() throws EcfsException {
        for (int i = 0; i < 25; i++) {
            ledger.done(ledger.mkdirs("/dir/" + (char) ('a' + i)));
        }
        StringBuilder names = new StringBuilder();
        try (MetadataView view = ledger.state.view()) {
            NamespaceView.Page page;
            String after = "";
            do {
                page = view.namespace().list(path("/dir"), after, 5, Ledger.ROOT);
                page.entries().forEach(e -> names.append(e.path().name()));
                after = page.entries().get(page.entries().size() - 1).path().name();
            } while (page.more());
        }
        assertThat(names).hasToString("abcdefghijklmnopqrstuvwxy");
    }

    @Test
    void aRenamedDirectoryKeepsWhatLiesBelowIt() {
        long inode = ledger.write("/a/b/file", 10).inode().value();
        ledger.done(ledger.mkdirs("/to"));
        ledger.done(ledger.rename("/a", "/to/there", false));

        assertThat(ledger.status("/a")).isEmpty();
        assertThat(ledger.status("/to/there/b/file").orElseThrow().inode().value())
                .isEqualTo(inode);
    }

    @Test
    void renameFollowsTheRulesOfHdfs() {
        ledger.write("/dir/file", 10);
        ledger.write("/other", 20);
        ledger.done(ledger.mkdirs("/full/x"));
        ledger.done(ledger.mkdirs("/empty"));

        ledger.refused(ledger.rename("/dir", "/dir", true), ErrorCode.ALREADY_EXISTS);
        ledger.refused(ledger.rename("/dir", "/dir/below", true), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(ledger.rename("/", "/x", true), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(ledger.rename("/dir", "/", true), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(ledger.rename("/none", "/x", true), ErrorCode.NOT_FOUND);
        ledger.refused(ledger.rename("/dir", "/none/x", true), ErrorCode.NOT_FOUND);
        ledger.refused(ledger.rename("/dir", "/other/x", true), ErrorCode.PARENT_NOT_DIRECTORY);
        ledger.refused(ledger.rename("/dir/file", "/other", false), ErrorCode.ALREADY_EXISTS);
        ledger.refused(ledger.rename("/dir/file", "/empty", true), ErrorCode.IS_A_DIRECTORY);
        ledger.refused(ledger.rename("/dir", "/other", true), ErrorCode.NOT_A_DIRECTORY);
        ledger.refused(ledger.rename("/dir", "/full", true), ErrorCode.NOT_EMPTY);

        ledger.done(ledger.rename("/dir/file", "/other", true));
        assertThat(ledger.status("/other").orElseThrow().length()).isEqualTo(10);
        ledger.done(ledger.rename("/full", "/empty", true));
        assertThat(ledger.list("/")).containsExactly("dir", "empty", "other");
        assertThat(ledger.list("/empty")).containsExactly("x");
    }

    @Test
    void deleteIsRefusedForTheRootForAFullDirectoryAndForNothing() {
        ledger.write("/dir/file", 10);
        ledger.refused(ledger.delete("/"), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(ledger.delete("/none"), ErrorCode.NOT_FOUND);
        ledger.refused(new Delete(ledger.request(), path("/dir"), false), ErrorCode.NOT_EMPTY);
        ledger.done(new Delete(ledger.request(), path("/dir/file"), false));
        ledger.done(new Delete(ledger.request(), path("/dir"), false));
        assertThat(ledger.list("/")).isEmpty();
    }

    @Test
    void newEntriesBelongToTheCallerAndTheDirectorysGroup() {
        ledger.done(ledger.mkdirs("/home"));
        ledger.done(new SetOwner(ledger.request(), path("/home"), Optional.of("alice"), Optional.of("staff")));
        assertThat(ledger.call(ALICE, ledger.mkdirs("/home/x"))).isEqualTo(new CommandResult.Done());

        FileStatus made = ledger.status("/home/x").orElseThrow();
        assertThat(made.owner()).isEqualTo("alice");
        assertThat(made.group()).isEqualTo("staff");
    }

    @Test
    void permissionBitsDecideForOwnerGroupAndOthers() {
        ledger.done(ledger.mkdirs("/home"));
        ledger.done(new SetOwner(ledger.request(), path("/home"), Optional.of("alice"), Optional.of("staff")));
        ledger.done(new SetMode(ledger.request(), path("/home"), 0750));
        ledger.write("/home/file", 10);

        ledger.refused(BOB, ledger.mkdirs("/home/x"), ErrorCode.ACCESS_DENIED);
        ledger.refused(BOB, ledger.delete("/home/file"), ErrorCode.ACCESS_DENIED);
        ledger.refused(BOB, ledger.rename("/home/file", "/home/f", false), ErrorCode.ACCESS_DENIED);
        ledger.refused(BOB, ledger.create("/home/file", true), ErrorCode.ACCESS_DENIED);
        ledger.refused(BOB, new SetMode(ledger.request(), path("/home"), 0777), ErrorCode.ACCESS_DENIED);
        ledger.refused(ALICE, ledger.mkdirs("/x"), ErrorCode.ACCESS_DENIED);
        assertThat(ledger.status("/home/file", BOB)).isPresent();
        assertDenied("/home/file", EVE);
        assertThat(ledger.call(new CallerIdentity("op", List.of("supergroup")), ledger.mkdirs("/home/x")))
                .isEqualTo(new CommandResult.Done());
        assertThat(ledger.call(ALICE, ledger.delete("/home/file"))).isEqualTo(new CommandResult.Done());
    }

    @Test
    void inAStickyDirectoryOnlyOwnersRemoveFiles() {
        ledger.done(new Mkdirs(ledger.request(), path("/tmp"), 01777, true));
        ledger.call(ALICE, ledger.mkdirs("/tmp/hers"));
        ledger.call(BOB, ledger.mkdirs("/tmp/his"));

        ledger.refused(BOB, ledger.delete("/tmp/hers"), ErrorCode.ACCESS_DENIED);
        ledger.refused(BOB, ledger.rename("/tmp/hers", "/tmp/x", false), ErrorCode.ACCESS_DENIED);
        ledger.refused(BOB, ledger.rename("/tmp/his", "/tmp/hers", true), ErrorCode.ACCESS_DENIED);
        assertThat(ledger.call(ALICE, ledger.delete("/tmp/hers"))).isEqualTo(new CommandResult.Done());
    }

    @Test
    void onlyTheSuperuserGivesFilesAwayAndOwnersChangeToTheirGroups() {
        ledger.done(new Mkdirs(ledger.request(), path("/tmp"), 0777, true));
        ledger.call(ALICE, ledger.mkdirs("/tmp/x"));
        Optional<String> none = Optional.empty();

        ledger.refused(
                ALICE,
                new SetOwner(ledger.request(), path("/tmp/x"), Optional.of("bob"), none),
                ErrorCode.ACCESS_DENIED);
        ledger.refused(
                ALICE,
                new SetOwner(ledger.request(), path("/tmp/x"), none, Optional.of("guests")),
                ErrorCode.ACCESS_DENIED);
        assertThat(ledger.call(ALICE, new SetOwner(ledger.request(), path("/tmp/x"), none, Optional.of("staff"))))
                .isEqualTo(new CommandResult.Done());
        assertThat(ledger.status("/tmp/x").orElseThrow().group()).isEqualTo("staff");
        ledger.refused(
                new SetOwner(ledger.request(), path("/tmp/x"), Optional.of(""), none), ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void modeAndTimesAreSetAndBadOnesRefused() {
        ledger.write("/file", 10);
        ledger.done(new SetMode(ledger.request(), path("/file"), 0600));
        ledger.done(new SetTimes(ledger.request(), path("/file"), Optional.of(7L), Optional.empty()));
        FileStatus status = ledger.status("/file").orElseThrow();
        assertThat(status.mode()).isEqualTo(0600);
        assertThat(status.modifiedMillis()).isEqualTo(7);
        assertThat(status.accessedMillis()).isEqualTo(ledger.now);

        ledger.refused(new SetMode(ledger.request(), path("/file"), -1), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(
                new SetTimes(ledger.request(), path("/file"), Optional.of(-1L), Optional.empty()),
                ErrorCode.INVALID_ARGUMENT);
        ledger.refused(new SetMode(ledger.request(), path("/none"), 0600), ErrorCode.NOT_FOUND);
    }

    @Test
    void changesOfEntriesAreSeenInTheDirectorysTime() {
        ledger.done(ledger.mkdirs("/dir"));
        ledger.now += 5;
        ledger.done(ledger.mkdirs("/dir/x"));
        assertThat(ledger.status("/dir").orElseThrow().modifiedMillis()).isEqualTo(ledger.now);
        ledger.now += 5;
        ledger.done(ledger.delete("/dir/x"));
        assertThat(ledger.status("/dir").orElseThrow().modifiedMillis()).isEqualTo(ledger.now);
    }

    @Test
    void newFilesGetThePolicyOfTheNearestDirectoryThatHasOne() {
        Policy xor = Policy.parse("xor-2-1-64k");
        ledger.done(ledger.mkdirs("/a/b"));
        ledger.done(new SetPolicy(ledger.request(), path("/a"), Optional.of(xor)));
        ledger.write("/a/b/file", 10);
        ledger.write("/plain", 10);
        assertThat(ledger.status("/a/b/file").orElseThrow().policy()).isEqualTo(xor);
        assertThat(ledger.status("/a/b").orElseThrow().policy()).isEqualTo(xor);
        assertThat(ledger.status("/plain").orElseThrow().policy()).isEqualTo(Ledger.POLICY);

        ledger.done(new SetPolicy(ledger.request(), path("/a"), Optional.empty()));
        assertThat(ledger.status("/a/b/file").orElseThrow().policy()).isEqualTo(xor);
        assertThat(ledger.status("/a/b").orElseThrow().policy()).isEqualTo(Ledger.POLICY);
        ledger.refused(new SetPolicy(ledger.request(), path("/plain"), Optional.of(xor)), ErrorCode.NOT_A_DIRECTORY);
    }

    private Optional<EncodingSide> side(String path) {
        return ledger.status(path).orElseThrow().encoding();
    }

    private void encode(String path, EncodingSide... side) {
        ledger.done(new SetEncoding(
                ledger.request(), path(path), Arrays.stream(side).findFirst()));
    }

    @Test
    void theNearestDirectoryThatSetsASideDecidesWhoEncodes() {
        ledger.done(ledger.mkdirs("/a/b/c"));
        assertThat(side("/a/b/c")).isEmpty();
        encode("/a", EncodingSide.MASTER);
        encode("/a/b", EncodingSide.CLIENT);
        assertThat(side("/")).isEmpty();
        assertThat(side("/a")).contains(EncodingSide.MASTER);
        assertThat(side("/a/b/c")).contains(EncodingSide.CLIENT);
        encode("/a/b");
        assertThat(side("/a/b/c")).contains(EncodingSide.MASTER);
        ledger.write("/plain", 10);
        ledger.refused(new SetEncoding(ledger.request(), path("/plain"), Optional.empty()), ErrorCode.NOT_A_DIRECTORY);
        ledger.refused(
                EVE,
                new SetEncoding(ledger.request(), path("/a"), Optional.of(EncodingSide.AUTO)),
                ErrorCode.ACCESS_DENIED);
    }

    private Optional<Long> packedUpTo(String path) {
        return ledger.status(path).orElseThrow().packedUpTo();
    }

    @Test
    void theNearestDirectoryThatSetsALimitOfPackingDecides() {
        ledger.done(ledger.mkdirs("/a/b/c"));
        assertThat(packedUpTo("/a/b/c")).isEmpty();
        ledger.done(new SetPacking(ledger.request(), path("/a"), Optional.of(4096L)));
        ledger.done(new SetPacking(ledger.request(), path("/a/b"), Optional.of(0L)));
        encode("/a/b", EncodingSide.AUTO);
        assertThat(packedUpTo("/")).isEmpty();
        assertThat(packedUpTo("/a")).contains(4096L);
        assertThat(packedUpTo("/a/b/c")).contains(0L);
        assertThat(side("/a/b/c")).contains(EncodingSide.AUTO);
        ledger.done(new SetPacking(ledger.request(), path("/a/b"), Optional.empty()));
        assertThat(packedUpTo("/a/b/c")).contains(4096L);
        ledger.write("/plain", 10);
        ledger.refused(new SetPacking(ledger.request(), path("/plain"), Optional.empty()), ErrorCode.NOT_A_DIRECTORY);
        ledger.refused(EVE, new SetPacking(ledger.request(), path("/a"), Optional.of(0L)), ErrorCode.ACCESS_DENIED);
    }

    @Test
    void sideAndPolicyOfADirectoryLeaveEachOther() {
        Policy xor = Policy.parse("xor-2-1-64k");
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(new SetPolicy(ledger.request(), path("/a"), Optional.of(xor)));
        encode("/a", EncodingSide.AUTO);
        assertThat(ledger.status("/a").orElseThrow().policy()).isEqualTo(xor);
        ledger.done(new SetPolicy(ledger.request(), path("/a"), Optional.empty()));
        assertThat(side("/a")).contains(EncodingSide.AUTO);
    }

    private SetEncoding both(String path, EncodingSide side, Optional<Policy> policy) {
        return new SetEncoding(
                ledger.request(), path(path), Optional.of(side), Optional.of(new SetEncoding.PolicyChange(policy)));
    }

    @Test
    void sideAndPolicyAreSetByOneEntryOrNeitherIs() {
        Policy xor = Policy.parse("xor-2-1-64k");
        ledger.done(ledger.mkdirs("/a"));
        int before = ledger.commands.size();
        ledger.done(both("/a", EncodingSide.MASTER, Optional.of(xor)));
        assertThat(ledger.commands).hasSize(before + 1);
        assertThat(ledger.status("/a").orElseThrow().policy()).isEqualTo(xor);
        assertThat(side("/a")).contains(EncodingSide.MASTER);
        ledger.refused(EVE, both("/a", EncodingSide.CLIENT, Optional.empty()), ErrorCode.ACCESS_DENIED);
        assertThat(ledger.status("/a").orElseThrow().policy()).isEqualTo(xor);
        assertThat(side("/a")).contains(EncodingSide.MASTER);
        ledger.done(both("/a", EncodingSide.CLIENT, Optional.empty()));
        assertThat(ledger.status("/a").orElseThrow().policy()).isEqualTo(Ledger.POLICY);
        assertThat(side("/a")).contains(EncodingSide.CLIENT);
    }

    @Test
    void sideAndPolicyAreInheritedFromDifferentDirectories() {
        Policy xor = Policy.parse("xor-2-1-64k");
        ledger.done(ledger.mkdirs("/side/policy/x"));
        encode("/side", EncodingSide.MASTER);
        ledger.done(new SetPolicy(ledger.request(), path("/side/policy"), Optional.of(xor)));
        assertThat(side("/side/policy/x")).contains(EncodingSide.MASTER);
        encode("/side/policy/x", EncodingSide.CLIENT);
        assertThat(ledger.status("/side/policy/x").orElseThrow().policy()).isEqualTo(xor);
    }

    @Test
    void aWriterLearnsTheSideAtCreateAndAtAppend() {
        ledger.done(ledger.mkdirs("/a/b"));
        encode("/a", EncodingSide.MASTER);
        CommandResult.Created created = ledger.open("/a/b/new");
        assertThat(created.status().encoding()).contains(EncodingSide.MASTER);
        assertThat(side("/a/b/new")).as("an open file").contains(EncodingSide.MASTER);

        ledger.write("/a/b/old", 10);
        assertThat(side("/a/b/old")).as("a closed file").isEmpty();
        encode("/a", EncodingSide.AUTO);
        CommandResult.Created opened =
                (CommandResult.Created) ledger.call(new Append(ledger.request(), path("/a/b/old")));
        assertThat(opened.status().encoding()).contains(EncodingSide.AUTO);
    }

    @Test
    void listsAndSearchesShowTheSideOfEachDirectory() throws EcfsException {
        ledger.done(ledger.mkdirs("/a/own"));
        ledger.done(ledger.mkdirs("/a/under"));
        encode("/a", EncodingSide.MASTER);
        encode("/a/own", EncodingSide.CLIENT);
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.namespace().list(path("/a"), "", 5, Ledger.ROOT).entries())
                    .extracting(FileStatus::encoding)
                    .containsExactly(Optional.of(EncodingSide.CLIENT), Optional.of(EncodingSide.MASTER));
            assertThat(view.namespace()
                            .find(new FindNames(path("/"), "*", false, Optional.empty(), 9), Ledger.ROOT)
                            .entries())
                    .extracting(FileStatus::encoding)
                    .containsExactly(
                            Optional.of(EncodingSide.MASTER),
                            Optional.of(EncodingSide.CLIENT),
                            Optional.of(EncodingSide.MASTER));
        }
    }

    @Test
    void createIsRefusedOverADirectoryAndWithoutParents() {
        ledger.done(ledger.mkdirs("/dir"));
        ledger.write("/file", 10);
        ledger.refused(ledger.create("/dir", true), ErrorCode.IS_A_DIRECTORY);
        ledger.refused(ledger.create("/", true), ErrorCode.IS_A_DIRECTORY);
        ledger.refused(ledger.create("/file", false), ErrorCode.ALREADY_EXISTS);
        ledger.refused(ledger.create("/file/below", false), ErrorCode.PARENT_NOT_DIRECTORY);
        ledger.refused(
                new Create(ledger.request(), path("/no/such"), 0644, false, false, Optional.empty()),
                ErrorCode.NOT_FOUND);
    }

    private void assertDenied(String path, CallerIdentity caller) {
        try (MetadataView view = ledger.state.view()) {
            assertThatThrownBy(() -> view.namespace().status(path(path), caller))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
        }
    }
}
