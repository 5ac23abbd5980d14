package io.ecfs.message.namespace;

import java.util.Objects;

/**
 * One entry of a POSIX access control list (POSIX.1e draft 17; HDFS: AclEntry).
 *
 * @param name of a user or group; empty for the owner, the owning group, the mask and all others
 * @param bits what is granted, 4 read, 2 write, 1 execute
 */
public record AclEntry(Scope scope, Type type, String name, int bits) {
    /** Scope of the entry: rights to the file itself, or the entry that new children inherit. */
    public enum Scope {
        ACCESS,
        DEFAULT
    }

    /** In the order of a list. */
    public enum Type {
        USER,
        GROUP,
        MASK,
        OTHER
    }

    public AclEntry {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(name, "name");
        if (bits < 0 || bits > 7) {
            throw new IllegalArgumentException("bits of an entry are out of [0, 7]: " + bits);
        }
    }

    public AclEntry withBits(int changed) {
        return new AclEntry(scope, type, name, changed);
    }

    public AclEntry withScope(Scope changed) {
        return new AclEntry(changed, type, name, bits);
    }
}
