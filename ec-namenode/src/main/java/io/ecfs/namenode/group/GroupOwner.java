package io.ecfs.namenode.group;

import io.ecfs.layout.InodeId;
import java.util.Objects;
import java.util.Optional;

/** Owner of the bytes of a group. */
public sealed interface GroupOwner {
    /** The one file that has extents or patches in the group; empty where several may have. */
    Optional<InodeId> onlyFile();

    /** Extents of one file. */
    record File(InodeId file) implements GroupOwner {
        public File {
            Objects.requireNonNull(file, "file");
        }

        @Override
        public Optional<InodeId> onlyFile() {
            return Optional.of(file);
        }
    }

    /**
     * Extents of small files of one client that have policy, ring, owner, group, mode, access control list and
     * encryption zone in common.
     *
     * @param pack number of such a combination, from 1
     */
    record Pack(long pack) implements GroupOwner {
        public Pack {
            if (pack <= 0) {
                throw new IllegalArgumentException("the number of a pack must be positive: " + pack);
            }
        }

        @Override
        public Optional<InodeId> onlyFile() {
            return Optional.empty();
        }
    }

    /** Batches of writes over the extents of one file. */
    record Patch(InodeId file) implements GroupOwner {
        public Patch {
            Objects.requireNonNull(file, "file");
        }

        @Override
        public Optional<InodeId> onlyFile() {
            return Optional.of(file);
        }
    }
}
