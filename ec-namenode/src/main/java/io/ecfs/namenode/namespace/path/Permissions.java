package io.ecfs.namenode.namespace.path;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Inode;

/**
 * Checks of permissions: owner, group and other bits, the sticky bit, and a superuser (HDFS: FSPermissionChecker).
 */
public final class Permissions {
    private final CallerIdentity caller;
    private final boolean superuser;

    /** Bits of one class of users. */
    public enum Access {
        READ(4),
        WRITE(2),
        EXECUTE(1),
        READ_EXECUTE(5),
        ALL(7);

        private final int bits;

        Access(int bits) {
            this.bits = bits;
        }
    }

    public Permissions(ClusterIdentity identity, CallerIdentity caller) {
        this.caller = caller;
        this.superuser = identity.superuser(caller.user(), caller.groups());
    }

    public CallerIdentity caller() {
        return caller;
    }

    /** @throws EcfsException {@code ACCESS_DENIED} */
    public void check(Inode inode, Access access, FilePath path) throws EcfsException {
        if (!superuser && (classBits(inode.attributes()) & access.bits) != access.bits) {
            throw denied(access + " access", inode, path);
        }
    }

    /** Only the owner of a file may remove it from a sticky directory, or the directory's owner. */
    public void checkSticky(Inode directory, Inode child, FilePath path) throws EcfsException {
        if (directory.attributes().sticky() && !owns(directory) && !owns(child)) {
            throw denied("removal from a sticky directory", child, path);
        }
    }

    public void checkOwner(Inode inode, FilePath path) throws EcfsException {
        if (!owns(inode)) {
            throw denied("a change that only the owner may make", inode, path);
        }
    }

    public void checkSuperuser(Inode inode, FilePath path) throws EcfsException {
        if (!superuser) {
            throw denied("a change that only the superuser may make", inode, path);
        }
    }

    /** @param change with what to do instead, for people */
    public void checkSuperuser(String change, Inode inode, FilePath path) throws EcfsException {
        if (!superuser) {
            throw denied(change + ", which the superuser must do,", inode, path);
        }
    }

    private boolean owns(Inode inode) {
        return superuser || caller.user().equals(inode.attributes().owner());
    }

    public boolean superuser() {
        return superuser;
    }

    /** @param bits 4 read, 2 write, 1 execute */
    public void check(Inode inode, int bits, FilePath path) throws EcfsException {
        if (!superuser && (classBits(inode.attributes()) & bits) != bits) {
            throw denied("access " + bits, inode, path);
        }
    }

    private int classBits(Attributes attributes) {
        if (caller.user().equals(attributes.owner())) {
            return (attributes.mode() >> 6) & 7;
        }
        if (attributes.acl().stream().anyMatch(e -> e.scope() == AclEntry.Scope.ACCESS)) {
            return listedBits(attributes);
        }
        return caller.groups().contains(attributes.group()) ? (attributes.mode() >> 3) & 7 : attributes.mode() & 7;
    }

    /** A named user's entry decides; otherwise what all matching groups grant together; otherwise what others get. */
    private int listedBits(Attributes attributes) {
        int mask = (attributes.mode() >> 3) & 7;
        int granted = 0;
        boolean member = false;
        for (AclEntry entry : attributes.acl()) {
            if (entry.scope() != AclEntry.Scope.ACCESS) {
                continue;
            }
            if (entry.type() == AclEntry.Type.USER && entry.name().equals(caller.user())) {
                return entry.bits() & mask;
            }
            String group = entry.name().isEmpty() ? attributes.group() : entry.name();
            if (entry.type() == AclEntry.Type.GROUP && caller.groups().contains(group)) {
                member = true;
                granted |= entry.bits() & mask;
            }
        }
        return member ? granted : attributes.mode() & 7;
    }

    private EcfsException denied(String what, Inode inode, FilePath path) {
        Attributes has = inode.attributes();
        String at = inode.isRoot() ? "/" : "'" + inode.name() + "' (" + inode.id() + ")";
        return new EcfsException(
                ErrorCode.ACCESS_DENIED,
                "user " + caller.user() + " is denied " + what + " to " + at + " of path " + path + ": owner "
                        + has.owner() + ", group " + has.group() + ", mode 0" + Integer.toOctalString(has.mode()));
    }
}
