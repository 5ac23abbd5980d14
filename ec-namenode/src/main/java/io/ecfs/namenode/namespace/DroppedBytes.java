package io.ecfs.namenode.namespace;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Bytes that a file does not have any more, while it goes on: their groups are queued like those of a deleted file, to
 * be purged a bounded number at a time. A group with other bytes of the file goes with the last of them.
 */
final class DroppedBytes {
    private DroppedBytes() {}

    /**
     * Drops what a file has and these extents and patches do not. The file itself is written by the caller, before this
     * where a quota may charge the groups.
     *
     * @param inode as it was
     * @param remaining in file order: parts of its extents, and others
     * @param patches some of its patches
     */
    static void drop(Transaction transaction, Inode inode, List<Extent> remaining, List<Inode.Patch> patches) {
        Inode.File before = (Inode.File) inode.body();
        Set<GroupId> referred = new HashSet<>();
        remaining.forEach(extent -> referred.add(extent.group()));
        patches.forEach(patch -> referred.add(patch.group()));
        List<Extent> gone = new ArrayList<>();
        int next = 0;
        for (Extent extent : before.extents()) {
            while (next < remaining.size() && remaining.get(next).fileEnd() <= extent.fileOffset()) {
                next++;
            }
            long left = left(extent, remaining.subList(next, remaining.size()));
            Optional<GroupFacts> packed =
                    Groups.find(transaction, extent.group()).filter(PackedGroups::packed);
            if (left == 0 && (packed.isPresent() || !referred.contains(extent.group()))) {
                gone.add(extent);
            } else if (left < extent.length()) {
                packed.ifPresent(group -> PackedGroups.cut(transaction, group, extent.length() - left));
            }
        }
        List<Inode.Patch> gonePatches = before.patches().stream()
                .filter(patch -> !referred.contains(patch.group()))
                .toList();
        if (!gone.isEmpty() || !gonePatches.isEmpty()) {
            pend(transaction, inode, gone, gonePatches, remaining);
        }
    }

    /** Bytes of an extent that the first of those which are left still have. */
    private static long left(Extent extent, List<Extent> remaining) {
        long left = 0;
        for (Extent other : remaining) {
            if (other.fileOffset() >= extent.fileEnd()) {
                break;
            }
            left += extent.contains(other) ? other.length() : 0;
        }
        return left;
    }

    /** Gives them to a file without a name that is pending deletion. */
    private static void pend(
            Transaction transaction,
            Inode inode,
            List<Extent> gone,
            List<Inode.Patch> patches,
            List<Extent> remaining) {
        InodeId id = new InodeId(Counter.LAST_INODE.next(transaction));
        long from = gone.isEmpty() ? 0 : gone.get(0).fileOffset();
        List<Extent> moved = gone.stream().map(e -> e.at(e.fileOffset() - from)).toList();
        Inode.File body = new Inode.File(((Inode.File) inode.body()).policy(), false, moved).with(patches);
        Inodes.put(transaction, new Inode(id, Optional.empty(), inode.name(), inode.attributes(), body));
        Counter.FILES.add(transaction, 1);
        for (Extent extent : gone) {
            Groups.find(transaction, extent.group())
                    .filter(PackedGroups::packed)
                    .ifPresent(group -> PackedGroups.move(transaction, group.group(), inode.id(), remaining, id));
        }
        Deletions.pend(transaction, Inodes.get(transaction, id));
    }
}
