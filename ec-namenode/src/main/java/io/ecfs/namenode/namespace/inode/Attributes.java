package io.ecfs.namenode.namespace.inode;

import io.ecfs.message.namespace.AclEntry;
import java.util.List;
import java.util.Objects;

/**
 * Common attributes of files and directories.
 *
 * @param mode permission bits, octal 0 to 01777; the middle ones are the mask where there are named entries
 * @param modifiedMillis milliseconds since the epoch, as {@code accessedMillis}; not negative
 * @param acl entries that the mode does not stand for; see {@link Acl}
 */
public record Attributes(
        int mode, String owner, String group, long modifiedMillis, long accessedMillis, List<AclEntry> acl) {
    public static final int MAX_MODE = 01777;
    public static final int STICKY = 01000;

    public Attributes(int mode, String owner, String group, long modifiedMillis, long accessedMillis) {
        this(mode, owner, group, modifiedMillis, accessedMillis, List.of());
    }

    public Attributes {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(group, "group");
        acl = List.copyOf(acl);
        if (mode < 0 || mode > MAX_MODE) {
            throw new IllegalArgumentException("mode must be in [0, 01777], got 0" + Integer.toOctalString(mode));
        }
        if (modifiedMillis < 0 || accessedMillis < 0) {
            throw new IllegalArgumentException("times must not be negative");
        }
    }

    public boolean sticky() {
        return (mode & STICKY) != 0;
    }

    /** What decides who may do what. */
    public record Rights(int mode, String owner, String group, List<AclEntry> acl) {}

    public Rights rights() {
        return new Rights(mode, owner, group, acl);
    }

    /** Returns whether these give everybody the same rights as others do. */
    public boolean grantsAs(Attributes other) {
        return rights().equals(other.rights());
    }

    public Attributes withMode(int changed) {
        return new Attributes(changed, owner, group, modifiedMillis, accessedMillis, acl);
    }

    public Attributes with(Acl.Stored list) {
        return new Attributes(list.mode(), owner, group, modifiedMillis, accessedMillis, list.entries());
    }

    public Attributes withOwner(String newOwner, String newGroup) {
        return new Attributes(mode, newOwner, newGroup, modifiedMillis, accessedMillis, acl);
    }

    public Attributes withTimes(long modified, long accessed) {
        return new Attributes(mode, owner, group, modified, accessed, acl);
    }

    public Attributes modifiedAt(long millis) {
        return withTimes(millis, accessedMillis);
    }
}
