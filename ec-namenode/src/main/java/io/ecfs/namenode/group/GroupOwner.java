package io.ecfs.namenode.group;

import io.ecfs.layout.InodeId;
import java.util.Objects;
import java.util.Optional;

/** Owner of the bytes of a group. */
public sealed interface GroupOwner {
    /** The inode whose lease lets a client write the group. */
    InodeId inode();

    /** The one file that has extents or patches in the group; empty where several may have. */
    default Optional<InodeId> onlyFile() {
        return Optional.of(inode());
    }

    /** Extents of one file. */
    record File(InodeId inode) implements GroupOwner {
        public File {
            Objects.requireNonNull(inode, "inode");
        }
    }

    /**
     * Extents of small files of one client that have policy, ring, owner, group, mode, access control list and
     * encryption zone in common.
     *
     * @param inode of the pack: a file without a name, gone when its last group is sealed
     */
    record Pack(InodeId inode) implements GroupOwner {
        public Pack {
            Objects.requireNonNull(inode, "inode");
        }

        @Override
        public Optional<InodeId> onlyFile() {
            return Optional.empty();
        }
    }

    /** Batches of writes over the extents of one file. */
    record Patch(InodeId inode) implements GroupOwner {
        public Patch {
            Objects.requireNonNull(inode, "inode");
        }
    }
}
