package io.ecfs.namenode.namespace;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import java.util.Objects;
import java.util.Optional;

/**
 * The right to write an open file.
 *
 * @param holder client id of the writer
 * @param sinceMillis when it was taken, or when recovery began; renewals are known to the leader only
 * @param recovering the holder was shut out: the leader finds the file's length and closes it
 * @param openGroup the group that is being written
 */
public record Lease(InodeId file, String holder, long sinceMillis, boolean recovering, Optional<GroupId> openGroup) {
    public Lease {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(openGroup, "openGroup");
    }

    Lease withOpenGroup(Optional<GroupId> group) {
        return new Lease(file, holder, sinceMillis, recovering, group);
    }

    Lease inRecovery(long nowMillis) {
        return new Lease(file, holder, nowMillis, true, openGroup);
    }
}
