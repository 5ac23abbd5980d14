package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A file or directory.
 *
 * @param parent the directory that holds it; empty for the root, for a pack, and for what was deleted and waits to be
 *     purged
 * @param name in that directory; empty for the root and for a pack
 */
public record Inode(InodeId id, Optional<InodeId> parent, String name, Attributes attributes, Body body) {
    public Inode {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(attributes, "attributes");
        Objects.requireNonNull(body, "body");
    }

    public sealed interface Body {}

    public record Directory(DirectorySettings settings) implements Body {
        public Directory {
            Objects.requireNonNull(settings, "settings");
        }
    }

    /**
     * @param extents of its sealed groups, in file order; what lies between them reads as zeros
     * @param length in bytes, at least to the end of the last extent
     * @param version grows each time when the file is opened for update and when its layout is replaced; 0: it was
     *     not since it was made or last appended to
     * @param nonce random number that the heads of all batches in its patches have; 0 in an ordinary file
     * @param patches what was written over the extents, the oldest first
     */
    public record File(
            Policy policy,
            boolean open,
            List<Extent> extents,
            long length,
            long version,
            long nonce,
            List<Patch> patches)
            implements Body {
        public File {
            Objects.requireNonNull(policy, "policy");
            extents = List.copyOf(extents);
            patches = List.copyOf(patches);
            if (version < 0) {
                throw new IllegalArgumentException("negative version of a file: " + version);
            }
            if (version == 0 && nonce != 0) {
                throw new IllegalArgumentException("nonce " + nonce + " of a file of version 0");
            }
            long end = 0;
            for (Extent extent : extents) {
                if (extent.fileOffset() < end) {
                    throw new IllegalArgumentException("extents of a file overlap before " + end + ": " + extent);
                }
                end = extent.fileEnd();
            }
            if (length < end) {
                throw new IllegalArgumentException("a file of " + length + " bytes has extents to " + end);
            }
        }

        /** As long as its extents, never patched. */
        public File(Policy policy, boolean open, List<Extent> extents) {
            this(policy, open, extents, end(extents), 0, 0, List.of());
        }

        public File with(boolean nowOpen, List<Extent> newExtents, long newLength) {
            return new File(policy, nowOpen, newExtents, newLength, version, nonce, patches);
        }

        /** The same bytes in other places, under a policy. */
        public File with(Policy newPolicy, List<Extent> newExtents) {
            return new File(newPolicy, open, newExtents, length, version, nonce, patches);
        }

        /** The same with other patches. */
        public File with(List<Patch> newPatches) {
            return new File(policy, open, extents, length, version, nonce, newPatches);
        }

        /** The same bytes, open to be written at the end. */
        public File openedToAppend() {
            return new File(policy, true, extents, length, 0, 0, patches);
        }

        /**
         * The same bytes, open for update.
         *
         * @param newNonce of the batches, unless there are some
         */
        public File openedToUpdate(long newNonce) {
            return new File(
                    policy,
                    true,
                    extents,
                    length,
                    Math.addExact(version, 1),
                    patches.isEmpty() ? newNonce : nonce,
                    patches);
        }

        /** Other bytes, or the same in other places, of an open file. */
        public File replaced(List<Extent> newExtents, long newLength, List<Patch> newPatches) {
            return new File(policy, open, newExtents, newLength, Math.addExact(version, 1), nonce, newPatches);
        }

        /** Returns whether it is open for update: what is written to it are patches, not extents behind its end. */
        public boolean updating() {
            return open && version > 0;
        }

        /** Returns whether its bytes may be moved to other groups: no client replaces its layout, now or later. */
        public boolean movable() {
            return patches.isEmpty() && !updating();
        }

        /** The same bytes, open or not. */
        public File with(boolean nowOpen) {
            return with(nowOpen, extents, length);
        }

        private static long end(List<Extent> extents) {
            return extents.isEmpty() ? 0 : extents.get(extents.size() - 1).fileEnd();
        }
    }

    /**
     * A sealed group of batches of writes.
     *
     * @param indexOffset where in the group the index of the batches begins; empty: its writer died before it wrote one
     */
    public record Patch(GroupId group, Optional<Long> indexOffset) {
        public Patch {
            Objects.requireNonNull(group, "group");
            if (indexOffset.filter(offset -> offset < 0).isPresent()) {
                throw new IllegalArgumentException("negative offset of an index: " + indexOffset.get());
            }
        }
    }

    public boolean isDirectory() {
        return body instanceof Directory;
    }

    /** Returns whether this is a pack: an open file that no directory holds, for the bytes of small files. */
    public boolean isPack() {
        return parent.isEmpty() && name.isEmpty() && !isDirectory();
    }

    public boolean isRoot() {
        return id.equals(InodeId.ROOT);
    }

    public Inode withAttributes(Attributes changed) {
        return new Inode(id, parent, name, changed, body);
    }

    public Inode withBody(Body changed) {
        return new Inode(id, parent, name, attributes, changed);
    }

    public Inode movedTo(InodeId directory, String newName) {
        return new Inode(id, Optional.of(directory), newName, attributes, body);
    }

    public Inode unlinked() {
        return new Inode(id, Optional.empty(), name, attributes, body);
    }
}
