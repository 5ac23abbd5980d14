package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import java.util.Objects;
import java.util.Optional;

/**
 * The right to write an open file.
 *
 * @param holder client id of the writer; not for others' eyes
 * @param user of the writer, without whom the id is worth nothing; empty in leases that were taken at feature level 1
 * @param sinceMillis when it was taken, or when recovery began; renewals are known to the leader only
 * @param recovering the holder was shut out: the leader finds the file's length and closes it
 * @param openGroup the group that is being written
 */
public record Lease(
        InodeId file,
        String holder,
        Optional<String> user,
        long sinceMillis,
        boolean recovering,
        Optional<GroupId> openGroup) {
    public Lease {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(openGroup, "openGroup");
    }

    /** Returns whether this client of this user holds the lease. */
    public boolean heldBy(String client, String by) {
        return holder.equals(client) && user.map(by::equals).orElse(true);
    }

    /** Text for other users, who may learn neither the writer's id nor the file's path. */
    public String holderInWords() {
        return recovering
                ? "it was taken from its writer and is being closed"
                : "it is being written by another client";
    }

    public Lease withOpenGroup(Optional<GroupId> group) {
        return new Lease(file, holder, user, sinceMillis, recovering, group);
    }

    public Lease inRecovery(long nowMillis) {
        return new Lease(file, holder, user, nowMillis, true, openGroup);
    }
}
