package io.ecfs.namenode.namespace;

import io.ecfs.message.namespace.AclEntry;
import java.util.List;
import java.util.Objects;

/**
 * What files and directories have in common.
 *
 * @param mode permission bits, octal 0 to 01777; the middle ones are the mask where there are named entries
 * @param modifiedMillis milliseconds since the epoch, as {@code accessedMillis}; not negative
 * @param acl entries that the mode does not stand for; see {@link Acl}
 */
record Attributes(int mode, String owner, String group, long modifiedMillis, long accessedMillis, List<AclEntry> acl) {
    static final int MAX_MODE = 01777;
    static final int STICKY = 01000;

    Attributes(int mode, String owner, String group, long modifiedMillis, long accessedMillis) {
        this(mode, owner, group, modifiedMillis, accessedMillis, List.of());
    }

    Attributes {
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

    boolean sticky() {
        return (mode & STICKY) != 0;
    }

    Attributes withMode(int changed) {
        return new Attributes(changed, owner, group, modifiedMillis, accessedMillis, acl);
    }

    Attributes with(Acl.Stored list) {
        return new Attributes(list.mode(), owner, group, modifiedMillis, accessedMillis, list.entries());
    }

    Attributes withOwner(String newOwner, String newGroup) {
        return new Attributes(mode, newOwner, newGroup, modifiedMillis, accessedMillis, acl);
    }

    Attributes withTimes(long modified, long accessed) {
        return new Attributes(mode, owner, group, modified, accessed, acl);
    }

    Attributes modifiedAt(long millis) {
        return withTimes(millis, accessedMillis);
    }
}
