package io.ecfs.namenode.namespace;

import io.ecfs.layout.Extent;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A file or directory.
 *
 * @param parent the directory that holds it; empty for the root and for what was deleted and waits to be purged
 * @param name in that directory; empty for the root
 */
record Inode(InodeId id, Optional<InodeId> parent, String name, Attributes attributes, Body body) {
    Inode {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(attributes, "attributes");
        Objects.requireNonNull(body, "body");
    }

    sealed interface Body {}

    /** @param policy of new files in it; empty: the parent's */
    record Directory(Optional<Policy> policy) implements Body {}

    /** @param extents of its sealed groups, in file order without holes */
    record File(Policy policy, boolean open, List<Extent> extents) implements Body {
        File {
            Objects.requireNonNull(policy, "policy");
            extents = List.copyOf(extents);
        }

        long length() {
            return extents.isEmpty() ? 0 : extents.get(extents.size() - 1).fileEnd();
        }
    }

    boolean isDirectory() {
        return body instanceof Directory;
    }

    boolean isRoot() {
        return id.equals(InodeId.ROOT);
    }

    Inode withAttributes(Attributes changed) {
        return new Inode(id, parent, name, changed, body);
    }

    Inode withBody(Body changed) {
        return new Inode(id, parent, name, attributes, changed);
    }

    Inode movedTo(InodeId directory, String newName) {
        return new Inode(id, Optional.of(directory), newName, attributes, body);
    }

    Inode unlinked() {
        return new Inode(id, Optional.empty(), name, attributes, body);
    }
}
