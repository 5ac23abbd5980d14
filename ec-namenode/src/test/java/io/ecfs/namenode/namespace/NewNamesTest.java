package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Names that mislead readers, or mean something else to a log, are not given; and none is told to who may not see it.
 */
class NewNamesTest {
    private static final List<String> MISLEADING =
            List.of(".snapshot", ".reserved", "gpj\u202eexe", "a\u2066b", "a\u2028b", "a\u200fb");
    private static final List<String> NO_USERS =
            List.of("eve\nevent=forged", "a b", "a\u202eb", "x".repeat(65), "-rf", "a;b", "\u00fcser");

    private Ledger ledger = new Ledger(new MemoryStore());

    @Test
    void noFileOrDirectoryGetsANameThatMisleads() {
        ledger.done(ledger.mkdirs("/plain"));
        for (String name : MISLEADING) {
            ledger.refused(ledger.mkdirs("/" + name), ErrorCode.INVALID_ARGUMENT);
            ledger.refused(ledger.mkdirs("/" + name + "/below"), ErrorCode.INVALID_ARGUMENT);
            ledger.refused(ledger.create("/plain/" + name, false), ErrorCode.INVALID_ARGUMENT);
            ledger.refused(ledger.rename("/plain", "/" + name, false), ErrorCode.INVALID_ARGUMENT);
        }
        for (String name :
                List.of(".snapshots", "..reserved", "\u05e9\u05dc\u05d5\u05dd", "e\u0301", "\u0645\u200c\u0645")) {
            ledger.done(ledger.mkdirs("/" + name));
        }
    }

    @Test
    void whatHasSuchANameAlreadyIsUsedMovedAndDeleted() {
        ledger = new Ledger(new MemoryStore(), FeatureLevel.FIRST);
        MISLEADING.forEach(name -> ledger.done(ledger.mkdirs("/" + name)));
        ledger.apply(new Command.RaiseLevel(ledger.now, FeatureLevel.OF_USERS));
        ledger.done(ledger.mkdirs("/there"));
        for (String name : MISLEADING) {
            ledger.refused(ledger.mkdirs("/there/" + name), ErrorCode.INVALID_ARGUMENT);
            ledger.write("/" + name + "/file", 10);
            ledger.done(ledger.rename("/" + name, "/there/" + name, false));
            ledger.done(ledger.rename("/there/" + name, "/plain", false));
            ledger.done(ledger.delete("/plain"));
        }
        ledger.refused(ledger.rename("/there", "/.snapshot", false), ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void ownersGroupsAndEntriesOfListsHaveCleanNames() {
        ledger.done(ledger.mkdirs("/a"));
        for (String name : NO_USERS) {
            Optional<String> some = Optional.of(name);
            ledger.refused(
                    new SetOwner(ledger.request(), path("/a"), some, Optional.empty()), ErrorCode.INVALID_ARGUMENT);
            ledger.refused(
                    new SetOwner(ledger.request(), path("/a"), Optional.empty(), some), ErrorCode.INVALID_ARGUMENT);
            ledger.refused(acl(name, ChangeAcl.Change.MODIFY), ErrorCode.INVALID_ARGUMENT);
        }
        for (String name : List.of("ada", "hdfs/host@REALM.ORG", "machine$", "_x-1.y")) {
            ledger.done(new SetOwner(ledger.request(), path("/a"), Optional.of(name), Optional.of(name)));
            ledger.done(acl(name, ChangeAcl.Change.MODIFY));
        }
    }

    @Test
    void anEntryOfAListThatIsThereIsTakenAwayWhateverItsName() {
        ledger = new Ledger(new MemoryStore(), FeatureLevel.FIRST);
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(acl("a b", ChangeAcl.Change.MODIFY));
        ledger.apply(new Command.RaiseLevel(ledger.now, FeatureLevel.OF_USERS));
        ledger.done(acl("a b", ChangeAcl.Change.REMOVE));
    }

    private ChangeAcl acl(String user, ChangeAcl.Change change) {
        int bits = change == ChangeAcl.Change.REMOVE ? 0 : 7;
        return new ChangeAcl(
                ledger.request(),
                path("/a"),
                change,
                List.of(new AclEntry(AclEntry.Scope.ACCESS, AclEntry.Type.USER, user, bits)));
    }

    @Test
    void whoMayNotReachAFileDoesNotLearnItsPathByItsNumber() throws EcfsException {
        InodeId inode = ledger.write("/hidden/project-x/plan", 10).inode();
        ledger.done(new SetMode(ledger.request(), path("/hidden"), 0700));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.namespace().status(inode, Ledger.ROOT).path()).isEqualTo(path("/hidden/project-x/plan"));
            assertThatThrownBy(() -> view.namespace().status(inode, new CallerIdentity("eve", List.of())))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
                    .message()
                    .doesNotContain("hidden", "project-x", "plan")
                    .contains("eve");
        }
    }
}
