package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.AclEntry.Scope;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl.Change;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** POSIX access control lists: what they come to, who they let in, what children get. */
class AclFactsTest {
    private static final CallerIdentity ALICE = new CallerIdentity("alice", List.of("staff"));
    private static final CallerIdentity BOB = new CallerIdentity("bob", List.of("guests"));

    private final Ledger ledger = new Ledger(new MemoryStore());

    private static AclEntry access(AclEntry.Type type, String name, int bits) {
        return new AclEntry(Scope.ACCESS, type, name, bits);
    }

    private static AclEntry initial(AclEntry.Type type, String name, int bits) {
        return new AclEntry(Scope.DEFAULT, type, name, bits);
    }

    private ChangeAcl change(String path, Change change, AclEntry... entries) {
        return new ChangeAcl(ledger.request(), path(path), change, Arrays.asList(entries));
    }

    private NamespaceReply.Acl acl(String path) throws EcfsException {
        try (MetadataView view = ledger.state.view()) {
            return view.namespace().acl(path(path), Ledger.ROOT);
        }
    }

    private boolean may(CallerIdentity caller, String path, int bits) {
        try (MetadataView view = ledger.state.view()) {
            view.namespace().checkAccess(path(path), bits, caller);
            return true;
        } catch (EcfsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            return false;
        }
    }

    @Test
    void aNamedUserIsLetInAsFarAsTheMaskGoes() throws EcfsException {
        ledger.write("/f", 10);
        ledger.done(new SetMode(ledger.request(), path("/f"), 0640));
        assertThat(may(ALICE, "/f", 4)).isFalse();

        ledger.done(change("/f", Change.MODIFY, access(AclEntry.Type.USER, "alice", 6)));
        assertThat(acl("/f").entries())
                .containsExactly(access(AclEntry.Type.USER, "alice", 6), access(AclEntry.Type.GROUP, "", 4));
        assertThat(acl("/f").status().permissions())
                .as("the mask is all that entries grant")
                .isEqualTo(0660);
        assertThat(acl("/f").status().listed()).isTrue();
        assertThat(may(ALICE, "/f", 6)).isTrue();
        assertThat(may(BOB, "/f", 4)).isFalse();

        ledger.done(new SetMode(ledger.request(), path("/f"), 0640));
        assertThat(may(ALICE, "/f", 4)).isTrue();
        assertThat(may(ALICE, "/f", 2)).as("chmod changes the mask").isFalse();
    }

    @Test
    void groupsGrantTogetherAndAMemberIsNoOther() {
        ledger.write("/f", 10);
        ledger.done(new SetMode(ledger.request(), path("/f"), 0607));
        ledger.done(change(
                "/f",
                Change.MODIFY,
                access(AclEntry.Type.GROUP, "staff", 4),
                access(AclEntry.Type.GROUP, "guests", 0)));
        assertThat(may(ALICE, "/f", 4)).isTrue();
        assertThat(may(ALICE, "/f", 2)).isFalse();
        assertThat(may(BOB, "/f", 4)).isFalse();
        assertThat(may(new CallerIdentity("both", List.of("guests", "staff")), "/f", 4))
                .isTrue();
        assertThat(may(new CallerIdentity("eve", List.of()), "/f", 7)).isTrue();
    }

    @Test
    void theMaskBoundsWhatAGroupsEntryGrantsToo() {
        ledger.write("/f", 10);
        ledger.done(new SetMode(ledger.request(), path("/f"), 0600));
        ledger.done(change("/f", Change.MODIFY, access(AclEntry.Type.GROUP, "staff", 7)));
        assertThat(may(ALICE, "/f", 7)).isTrue();
        ledger.done(new SetMode(ledger.request(), path("/f"), 0640));
        assertThat(may(ALICE, "/f", 4)).isTrue();
        assertThat(may(ALICE, "/f", 2)).as("rwx of the entry, r of the mask").isFalse();
        assertThat(may(ALICE, "/f", 1)).isFalse();
    }

    @Test
    void childrenInheritTheDefaultsWithinTheirMode() throws EcfsException {
        ledger.done(ledger.mkdirs("/d"));
        ledger.done(change("/d", Change.MODIFY, initial(AclEntry.Type.USER, "alice", 7)));
        assertThat(acl("/d").entries())
                .as("what defaults need comes from the access entries")
                .containsExactly(
                        initial(AclEntry.Type.USER, "", 7),
                        initial(AclEntry.Type.USER, "alice", 7),
                        initial(AclEntry.Type.GROUP, "", 5),
                        initial(AclEntry.Type.MASK, "", 7),
                        initial(AclEntry.Type.OTHER, "", 5));

        ledger.done(new Mkdirs(ledger.request(), path("/d/sub"), 0750, false));
        assertThat(acl("/d/sub").entries())
                .contains(access(AclEntry.Type.USER, "alice", 7), initial(AclEntry.Type.USER, "alice", 7));
        assertThat(acl("/d/sub").status().permissions()).isEqualTo(0750);

        ledger.call(new Create(ledger.request(), path("/d/sub/f"), 0640, false, false, Optional.empty()));
        assertThat(acl("/d/sub/f").entries())
                .containsExactly(access(AclEntry.Type.USER, "alice", 7), access(AclEntry.Type.GROUP, "", 5));
        assertThat(acl("/d/sub/f").status().permissions()).isEqualTo(0640);
        assertThat(may(ALICE, "/d/sub/f", 4)).isTrue();
        assertThat(may(ALICE, "/d/sub/f", 2)).isFalse();
    }

    @Test
    void aListThatIsTakenAwayLeavesTheOwningGroupWhatItHad() throws EcfsException {
        ledger.done(ledger.mkdirs("/d"));
        ledger.done(change(
                "/d", Change.MODIFY, access(AclEntry.Type.USER, "alice", 7), initial(AclEntry.Type.GROUP, "staff", 5)));
        ledger.done(change("/d", Change.REMOVE, access(AclEntry.Type.USER, "alice", 0)));
        assertThat(acl("/d").entries()).noneMatch(e -> e.name().equals("alice"));
        ledger.done(change("/d", Change.REMOVE_DEFAULT));
        assertThat(acl("/d").entries()).allMatch(e -> e.scope() == Scope.ACCESS);
        ledger.done(change("/d", Change.MODIFY, access(AclEntry.Type.USER, "alice", 7)));
        ledger.done(change("/d", Change.REMOVE_ALL));
        assertThat(acl("/d").entries()).isEmpty();
        assertThat(acl("/d").status().mode()).isEqualTo(0755);
    }

    @Test
    void whatIsNoListIsRefused() {
        ledger.write("/f", 10);
        ledger.done(ledger.mkdirs("/d"));
        AclEntry alice = access(AclEntry.Type.USER, "alice", 7);
        ledger.refused(change("/f", Change.SET, alice), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(change("/f", Change.MODIFY, alice, alice), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(
                change("/f", Change.MODIFY, initial(AclEntry.Type.USER, "alice", 7)), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(change("/f", Change.REMOVE, access(AclEntry.Type.OTHER, "", 0)), ErrorCode.INVALID_ARGUMENT);
        ledger.done(change("/f", Change.MODIFY, alice));
        ledger.refused(change("/f", Change.REMOVE, access(AclEntry.Type.MASK, "", 0)), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(ALICE, change("/f", Change.REMOVE_ALL), ErrorCode.ACCESS_DENIED);
        ledger.refused(change("/none", Change.REMOVE_ALL), ErrorCode.NOT_FOUND);
    }
}
