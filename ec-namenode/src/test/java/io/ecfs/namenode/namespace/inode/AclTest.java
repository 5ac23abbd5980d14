package io.ecfs.namenode.namespace.inode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.AclEntry.Scope;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl.Change;
import io.ecfs.namenode.namespace.inode.Acl.Stored;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AclTest {
    private static final int MODES = 01000;

    private static AclEntry access(AclEntry.Type type, String name, int bits) {
        return new AclEntry(Scope.ACCESS, type, name, bits);
    }

    private static AclEntry initial(AclEntry.Type type, String name, int bits) {
        return new AclEntry(Scope.DEFAULT, type, name, bits);
    }

    private static Stored change(Stored before, boolean directory, Change change, AclEntry... entries)
            throws EcfsException {
        ChangeAcl call = new ChangeAcl(new RequestId("client", 1), new FilePath("/f"), change, Arrays.asList(entries));
        return Acl.change(before.mode(), before.entries(), directory, call);
    }

    private static Stored plain(int mode) {
        return new Stored(mode, List.of());
    }

    private static void refused(String why, Stored before, boolean directory, Change change, AclEntry... entries) {
        assertThatThrownBy(() -> change(before, directory, change, entries))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aNamedUserMakesTheMaskTheUnionOfTheGroupClass() throws EcfsException {
        for (int mode = 0; mode < MODES; mode += 9) {
            for (int bits = 0; bits < 8; bits++) {
                int group = mode >> 3 & 7;
                Stored after = change(plain(mode), false, Change.MODIFY, access(AclEntry.Type.USER, "alice", bits));
                assertThat(after.mode()).isEqualTo((mode & 0707) | (group | bits) << 3);
                assertThat(after.entries())
                        .containsExactly(
                                access(AclEntry.Type.USER, "alice", bits), access(AclEntry.Type.GROUP, "", group));
            }
        }
    }

    @Test
    void removingAllEntriesGivesTheModeBack() throws EcfsException {
        for (int mode = 0; mode < MODES; mode += 9) {
            Stored listed = change(
                    plain(mode),
                    true,
                    Change.MODIFY,
                    access(AclEntry.Type.GROUP, "guests", mode & 7),
                    initial(AclEntry.Type.USER, "bob", 7));
            assertThat(change(listed, true, Change.REMOVE_ALL)).isEqualTo(plain(mode));
        }
    }

    @Test
    void theStickyBitSurvivesEveryChange() throws EcfsException {
        Stored before = plain(01755);
        Stored listed = change(before, true, Change.MODIFY, access(AclEntry.Type.USER, "alice", 7));
        assertThat(listed.mode()).isEqualTo(01775);
        assertThat(change(listed, true, Change.REMOVE, access(AclEntry.Type.USER, "alice", 0))
                                .mode()
                        & Attributes.STICKY)
                .isEqualTo(Attributes.STICKY);
        assertThat(change(listed, true, Change.REMOVE_ALL)).isEqualTo(before);
    }

    @Test
    void aGivenMaskIsStoredAsGiven() throws EcfsException {
        Stored after = change(
                plain(0640),
                false,
                Change.MODIFY,
                access(AclEntry.Type.USER, "alice", 7),
                access(AclEntry.Type.MASK, "", 1));
        assertThat(after.mode()).isEqualTo(0610);
    }

    @Test
    void entriesAreStoredInTheOrderOfPosix() throws EcfsException {
        Stored after = change(
                plain(0750),
                true,
                Change.MODIFY,
                initial(AclEntry.Type.GROUP, "b", 1),
                access(AclEntry.Type.GROUP, "b", 2),
                access(AclEntry.Type.USER, "z", 3),
                access(AclEntry.Type.GROUP, "a", 4),
                access(AclEntry.Type.USER, "y", 5));
        assertThat(after.entries())
                .containsExactly(
                        access(AclEntry.Type.USER, "y", 5),
                        access(AclEntry.Type.USER, "z", 3),
                        access(AclEntry.Type.GROUP, "", 5),
                        access(AclEntry.Type.GROUP, "a", 4),
                        access(AclEntry.Type.GROUP, "b", 2),
                        initial(AclEntry.Type.USER, "", 7),
                        initial(AclEntry.Type.GROUP, "", 5),
                        initial(AclEntry.Type.GROUP, "b", 1),
                        initial(AclEntry.Type.MASK, "", 5),
                        initial(AclEntry.Type.OTHER, "", 0));
    }

    @Test
    void setReplacesOnlyTheScopesThatItNames() throws EcfsException {
        Stored before = change(plain(0700), true, Change.MODIFY, initial(AclEntry.Type.USER, "bob", 6));
        Stored after = change(
                before,
                true,
                Change.SET,
                access(AclEntry.Type.USER, "", 6),
                access(AclEntry.Type.GROUP, "", 4),
                access(AclEntry.Type.OTHER, "", 0));
        assertThat(after).isEqualTo(new Stored(0640, before.entries()));
    }

    @Test
    void anEqualChangeTwiceIsTheSameAsOnce() throws EcfsException {
        for (int bits = 0; bits < 8; bits++) {
            AclEntry[] entries = {
                access(AclEntry.Type.USER, "alice", bits), initial(AclEntry.Type.GROUP, "staff", 7 - bits)
            };
            Stored once = change(plain(0751), true, Change.MODIFY, entries);
            assertThat(change(once, true, Change.MODIFY, entries)).isEqualTo(once);
        }
    }

    @Test
    void aChildWithoutDefaultsAboveHasTheModeOfItsCreator() {
        List<AclEntry> noDefaults = List.of(access(AclEntry.Type.USER, "alice", 7), access(AclEntry.Type.GROUP, "", 5));
        for (int mode = 0; mode < MODES; mode++) {
            assertThat(Acl.inherited(mode, noDefaults, true)).isEqualTo(plain(mode));
        }
    }

    @Test
    void plainDefaultsAreACeilingOfTheModeOfAChild() {
        for (int ceiling = 0; ceiling < MODES; ceiling += 23) {
            List<AclEntry> defaults = List.of(
                    initial(AclEntry.Type.USER, "", ceiling >> 6),
                    initial(AclEntry.Type.GROUP, "", ceiling >> 3 & 7),
                    initial(AclEntry.Type.OTHER, "", ceiling & 7));
            for (int mode = 0; mode < MODES; mode += 9) {
                assertThat(Acl.inherited(mode, defaults, false)).isEqualTo(plain(mode & ceiling));
                assertThat(Acl.inherited(mode, defaults, true)).isEqualTo(new Stored(mode & ceiling, defaults));
            }
        }
    }

    @Test
    void theModeOfAChildLimitsTheMaskAndNotTheGroupEntry() {
        List<AclEntry> defaults = List.of(
                initial(AclEntry.Type.USER, "", 7),
                initial(AclEntry.Type.USER, "alice", 6),
                initial(AclEntry.Type.GROUP, "", 5),
                initial(AclEntry.Type.MASK, "", 7),
                initial(AclEntry.Type.OTHER, "", 4));
        for (int mode = 0; mode < MODES; mode++) {
            assertThat(Acl.inherited(mode, defaults, false))
                    .isEqualTo(new Stored(
                            mode & 0774,
                            List.of(access(AclEntry.Type.USER, "alice", 6), access(AclEntry.Type.GROUP, "", 5))));
        }
    }

    @Test
    void aScopeHasAtMostThirtyTwoEntries() throws EcfsException {
        AclEntry[] fitting = named(Acl.MAX_ENTRIES - 4).toArray(AclEntry[]::new);
        assertThat(change(plain(0), false, Change.MODIFY, fitting).entries()).hasSize(Acl.MAX_ENTRIES - 3);
        refused(
                "33 entries are more than the limit of 32",
                plain(0),
                false,
                Change.MODIFY,
                named(Acl.MAX_ENTRIES - 3).toArray(AclEntry[]::new));
    }

    private static Stream<AclEntry> named(int count) {
        return IntStream.range(0, count).mapToObj(i -> access(AclEntry.Type.USER, "user" + i, 4));
    }

    @Test
    void listsThatPosixDoesNotKnowAreRefused() throws EcfsException {
        AclEntry alice = access(AclEntry.Type.USER, "alice", 7);
        refused("same scope, type and name", plain(0), true, Change.MODIFY, alice, alice.withBits(1));
        refused("MASK must not have a name", plain(0), true, Change.MODIFY, access(AclEntry.Type.MASK, "m", 7));
        refused("OTHER must not have a name", plain(0), true, Change.MODIFY, access(AclEntry.Type.OTHER, "o", 7));
        refused("user, group and other entries are required", plain(0), true, Change.SET, alice);
        refused(
                "only directories may have a default ACL",
                plain(0),
                false,
                Change.MODIFY,
                initial(AclEntry.Type.USER, "", 7));
        Stored listed = change(plain(0), true, Change.MODIFY, alice);
        refused("a mask is required", listed, true, Change.REMOVE, access(AclEntry.Type.MASK, "", 0));
    }
}
