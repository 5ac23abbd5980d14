package io.ecfs.namenode.namespace.path;

import static io.ecfs.namenode.namespace.NamespaceRows.permissions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PermissionsTest {
    private static final FilePath PATH = new FilePath("/d/f");
    private static final List<String> USERS = List.of("owner", "alice", "eve");
    private static final List<List<String>> GROUPS =
            List.of(List.of(), List.of("staff"), List.of("guests"), List.of("guests", "staff"));
    private static final AclEntry ALICE = entry(AclEntry.Type.USER, "alice", 5);
    private static final AclEntry STAFF = entry(AclEntry.Type.GROUP, "", 6);
    private static final AclEntry GUESTS = entry(AclEntry.Type.GROUP, "guests", 3);
    private static final AclEntry INITIAL = new AclEntry(AclEntry.Scope.DEFAULT, AclEntry.Type.USER, "eve", 7);
    private static final List<List<AclEntry>> LISTS = List.of(
            List.of(),
            List.of(INITIAL),
            List.of(ALICE, STAFF),
            List.of(STAFF, GUESTS),
            List.of(ALICE, STAFF, GUESTS, INITIAL));

    private static AclEntry entry(AclEntry.Type type, String name, int bits) {
        return new AclEntry(AclEntry.Scope.ACCESS, type, name, bits);
    }

    private static Inode inode(int mode, String owner, List<AclEntry> acl) {
        return new Inode(
                new InodeId(7),
                Optional.of(InodeId.ROOT),
                "f",
                new Attributes(mode, owner, "staff", 0, 0, acl),
                new Inode.Directory(DirectorySettings.NONE));
    }

    /** What the algorithm of POSIX.1e, section 23.1.5, grants. */
    private static int granted(String user, List<String> groups, int mode, List<AclEntry> acl) {
        int mask = mode >> 3 & 7;
        if (user.equals("owner")) {
            return mode >> 6;
        }
        List<AclEntry> listed = new ArrayList<>(acl);
        listed.remove(INITIAL);
        if (listed.contains(ALICE) && user.equals("alice")) {
            return ALICE.bits() & mask;
        }
        int staff = groups.contains("staff") ? (listed.contains(STAFF) ? STAFF.bits() & mask : mask) : 0;
        int guests = groups.contains("guests") && listed.contains(GUESTS) ? GUESTS.bits() & mask : 0;
        boolean member = groups.contains("staff") || (groups.contains("guests") && listed.contains(GUESTS));
        return member ? staff | guests : mode & 7;
    }

    private static boolean may(Permissions permissions, Inode inode, int bits) {
        try {
            permissions.check(inode, bits, PATH);
            return true;
        } catch (EcfsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            return false;
        }
    }

    @Test
    void everyCallerIsGrantedWhatPosixGrants() {
        for (List<AclEntry> acl : LISTS) {
            for (String user : USERS) {
                for (List<String> groups : GROUPS) {
                    Permissions permissions = permissions(user, groups.toArray(String[]::new));
                    for (int mode = 0; mode < 01000; mode += 7) {
                        Inode inode = inode(mode, "owner", acl);
                        int found = 0;
                        for (int bit = 1; bit < 8; bit *= 2) {
                            found |= may(permissions, inode, bit) ? bit : 0;
                        }
                        assertThat(found)
                                .as("%s of %s, mode %o, %s", user, groups, mode, acl)
                                .isEqualTo(granted(user, groups, mode, acl));
                    }
                }
            }
        }
    }

    @Test
    void severalBitsAreGrantedOnlyTogether() {
        for (int other = 0; other < 8; other++) {
            for (int bits = 0; bits < 8; bits++) {
                assertThat(may(permissions("eve"), inode(other, "owner", List.of()), bits))
                        .isEqualTo((other & bits) == bits);
            }
        }
    }

    @Test
    void theNamedAccessesAreTheirBits() throws EcfsException {
        Permissions eve = permissions("eve");
        eve.check(inode(4, "owner", List.of()), Permissions.Access.READ, PATH);
        eve.check(inode(2, "owner", List.of()), Permissions.Access.WRITE, PATH);
        eve.check(inode(1, "owner", List.of()), Permissions.Access.EXECUTE, PATH);
        eve.check(inode(5, "owner", List.of()), Permissions.Access.READ_EXECUTE, PATH);
        eve.check(inode(7, "owner", List.of()), Permissions.Access.ALL, PATH);
        for (int lacking : List.of(3, 5, 6)) {
            assertThatThrownBy(() -> eve.check(inode(lacking, "owner", List.of()), Permissions.Access.ALL, PATH))
                    .hasMessageContaining("user eve is denied ALL access to 'f' (i7) of path /d/f: owner owner,"
                            + " group staff, mode 0" + lacking);
        }
    }

    @Test
    void superusersAreTheOwnerOfTheClusterAndTheSupergroup() throws EcfsException {
        Inode closed = inode(0, "owner", List.of());
        for (Permissions superuser : List.of(permissions("root"), permissions("eve", ClusterIdentity.SUPERGROUP))) {
            assertThat(superuser.superuser()).isTrue();
            assertThat(may(superuser, closed, 7)).isTrue();
            superuser.checkOwner(closed, PATH);
            superuser.checkSuperuser(closed, PATH);
        }
        assertThat(permissions("eve", "root").superuser()).isFalse();
        assertThatThrownBy(() -> permissions("owner").checkSuperuser(closed, PATH))
                .hasMessageContaining("only the superuser");
    }

    @Test
    void onlyOwnersRemoveFromAStickyDirectory() {
        for (int sticky : List.of(0, Attributes.STICKY)) {
            for (String ofDirectory : USERS) {
                for (String ofChild : USERS) {
                    Inode directory = inode(sticky | 0777, ofDirectory, List.of());
                    Inode child = inode(0777, ofChild, List.of());
                    boolean may = sticky == 0 || ofDirectory.equals("eve") || ofChild.equals("eve");
                    assertThat(removes(permissions("eve"), directory, child)).isEqualTo(may);
                    assertThat(removes(permissions("root"), directory, child)).isTrue();
                }
            }
        }
    }

    private static boolean removes(Permissions permissions, Inode directory, Inode child) {
        try {
            permissions.checkSticky(directory, child, PATH);
            return true;
        } catch (EcfsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            return false;
        }
    }
}
