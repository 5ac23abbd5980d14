package io.ecfs.message.namespace;

import io.ecfs.layout.GroupId;
import java.util.Objects;
import java.util.Optional;

/**
 * A sealed block group of batches of writes over the bytes of a file (a patch group).
 *
 * @param indexOffset byte of the group at which the index of its batches begins; empty: it has none
 * @param length of the group in bytes
 * @param liveBytes of the group that the file still reads, as its updater counted them last; all before it counted
 */
public record PatchGroup(GroupId group, Optional<Long> indexOffset, long length, long liveBytes) {
    public PatchGroup {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(indexOffset, "indexOffset");
        if (indexOffset.orElse(0L) < 0 || length < 0 || liveBytes < 0) {
            throw new IllegalArgumentException("negative index offset, length or live bytes of patch group " + group);
        }
    }
}
