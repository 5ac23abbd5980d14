package io.ecfs.namenode.namespace;

import java.util.Objects;

/**
 * What files and directories have in common.
 *
 * @param mode permission bits, octal 0 to 01777
 * @param modifiedMillis milliseconds since the epoch, as {@code accessedMillis}; not negative
 */
record Attributes(int mode, String owner, String group, long modifiedMillis, long accessedMillis) {
    static final int MAX_MODE = 01777;
    static final int STICKY = 01000;

    Attributes {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(group, "group");
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
        return new Attributes(changed, owner, group, modifiedMillis, accessedMillis);
    }

    Attributes withOwner(String newOwner, String newGroup) {
        return new Attributes(mode, newOwner, newGroup, modifiedMillis, accessedMillis);
    }

    Attributes withTimes(long modified, long accessed) {
        return new Attributes(mode, owner, group, modified, accessed);
    }

    Attributes modifiedAt(long millis) {
        return withTimes(millis, accessedMillis);
    }
}
