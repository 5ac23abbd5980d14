package io.ecfs.namenode.namespace;

import io.ecfs.error.Invariant;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.Sealing;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletion of files in two steps. Unlinking costs the caller a few rows, whatever lies below; then purge steps walk
 * what was unlinked and turn groups into garbage, each step a bounded number of rows. A directory that a step meets
 * becomes a pending deletion of its own, so no step ever descends. Until a file is purged, all its facts but its name
 * remain.
 */
final class Deletions {
    private Deletions() {}

    /**
     * A row of the table. They are finished strictly in the order of their numbers, so no scan over deleted rows is
     * needed to find the first.
     * @param cursor the last name of the directory that was purged; empty at first
     */
    private record Pending(long number, InodeId inode, String cursor) {}

    /** Takes the inode, a child of {@code directory}, out of the namespace. An open file's writer loses its lease. */
    static void unlink(Scope scope, Inode directory, Inode inode) {
        Transaction transaction = scope.transaction();
        Directories.delete(transaction, directory.id(), inode.name());
        scope.touch(directory);
        if (!inode.isDirectory()) {
            releaseWriter(transaction, inode);
        }
        pend(transaction, inode);
    }

    /**
     * Purges up to about {@code budget} rows, oldest deletions first. Returns how many deletions are left.
     *
     * @param upTo the last deletion that may be purged; 0: all
     */
    static long purge(Transaction transaction, int budget, long upTo) {
        int left = budget;
        while (left > 0) {
            Optional<Pending> first = first(transaction);
            if (first.isEmpty() || (upTo > 0 && first.get().number() > upTo)) {
                break;
            }
            left -= step(transaction, first.get(), left);
        }
        return pending(transaction);
    }

    /** Returns the rows it touched, at least 1. */
    private static int step(Transaction transaction, Pending pending, int budget) {
        Inode inode = Inodes.get(transaction, pending.inode());
        if (inode.isDirectory()) {
            return purgeDirectory(transaction, pending, inode, budget);
        }
        int spent = purgeFile(transaction, inode, budget);
        if (Inodes.find(transaction, inode.id()).isEmpty()) {
            finish(transaction, pending);
        }
        return spent;
    }

    private static int purgeDirectory(Transaction transaction, Pending pending, Inode directory, int budget) {
        int spent = 1;
        String cursor = pending.cursor();
        List<Directories.Entry> entries = Directories.page(transaction, directory.id(), cursor, budget);
        for (Directories.Entry entry : entries) {
            if (spent > budget) {
                break;
            }
            Inode child = Inodes.get(transaction, entry.inode());
            Directories.delete(transaction, directory.id(), entry.name());
            spent += 1;
            if (child.isDirectory() || groupCount(transaction, child) > 1) {
                pend(transaction, child);
            } else {
                spent += purgeFile(transaction, child, 1);
            }
            cursor = entry.name();
        }
        if (entries.isEmpty()) {
            if (directory.body() instanceof Inode.Directory body) {
                RingDirectories.count(transaction, body.settings(), -1);
            }
            Inodes.delete(transaction, directory.id());
            Counter.DIRECTORIES.add(transaction, -1);
            finish(transaction, pending);
        } else {
            put(transaction, new Pending(pending.number(), pending.inode(), cursor));
        }
        return spent;
    }

    /**
     * Drops groups from the end of the file, at least one, then the inode when none is left. Returns the rows it
     * touched.
     */
    private static int purgeFile(Transaction transaction, Inode inode, int budget) {
        int spent = 1;
        releaseWriter(transaction, inode);
        Inode.File file = (Inode.File) Inodes.get(transaction, inode.id()).body();
        List<Extent> extents = new ArrayList<>(file.extents());
        List<Inode.Patch> patches = new ArrayList<>(file.patches());
        while (!patches.isEmpty() && spent <= budget) {
            Inode.Patch last = patches.remove(patches.size() - 1);
            spent += Groups.find(transaction, last.group())
                    .map(group -> Sealing.drop(transaction, group))
                    .orElse(0);
        }
        while (!extents.isEmpty() && spent <= budget) {
            Extent last = extents.remove(extents.size() - 1);
            spent += Groups.find(transaction, last.group())
                    .map(group -> PackedGroups.packed(group)
                            ? PackedGroups.remove(transaction, group, inode.id(), last, extents)
                            : Sealing.drop(transaction, group))
                    .orElse(0);
        }
        if (extents.isEmpty() && patches.isEmpty()) {
            Inodes.delete(transaction, inode.id());
            Counter.FILES.add(transaction, -1);
        } else {
            Inodes.put(transaction, inode.withBody(new Inode.File(file.policy(), false, extents).with(patches)));
        }
        return spent;
    }

    /** Drops the lease and the open group of a file, so that its writer is rejected. */
    private static void releaseWriter(Transaction transaction, Inode inode) {
        Optional<Lease> lease = Leases.find(transaction, inode.id());
        if (lease.isEmpty()) {
            return;
        }
        lease.get().openGroup().ifPresent(open -> Sealing.drop(transaction, group(transaction, open)));
        Leases.delete(transaction, inode.id());
        Inode.File file = (Inode.File) inode.body();
        Inodes.put(transaction, inode.withBody(file.with(false)));
    }

    private static int groupCount(Transaction transaction, Inode inode) {
        int open =
                Leases.find(transaction, inode.id()).flatMap(Lease::openGroup).isPresent() ? 1 : 0;
        Inode.File file = (Inode.File) inode.body();
        return file.extents().size() + file.patches().size() + open;
    }

    private static GroupFacts group(Transaction transaction, GroupId group) {
        return Groups.find(transaction, group)
                .orElseThrow(() -> new IllegalStateException("group " + group + " has no row"));
    }

    /** Queues the inode to be purged. */
    static void pend(Transaction transaction, Inode inode) {
        Inode present = Inodes.get(transaction, inode.id());
        Inodes.put(transaction, present.unlinked());
        put(transaction, new Pending(Counter.LAST_DELETION.next(transaction), inode.id(), ""));
    }

    private static void put(Transaction transaction, Pending pending) {
        transaction.put(
                Table.PENDING_DELETIONS,
                Keys.number(pending.number()),
                new RowWriter()
                        .number(pending.inode().value())
                        .text(pending.cursor())
                        .bytes());
    }

    private static void finish(Transaction transaction, Pending pending) {
        transaction.delete(Table.PENDING_DELETIONS, Keys.number(pending.number()));
        long purged = Counter.PURGED_DELETION.next(transaction);
        Invariant.check(purged == pending.number(), "deletion %d was purged before %d", pending.number(), purged);
    }

    private static Optional<Pending> first(Transaction transaction) {
        if (pending(transaction) == 0) {
            return Optional.empty();
        }
        long number = Counter.PURGED_DELETION.of(transaction) + 1;
        RowReader row = new RowReader(transaction.get(Table.PENDING_DELETIONS, Keys.number(number)));
        Pending first = new Pending(number, new InodeId(row.number()), row.text());
        row.end();
        return Optional.of(first);
    }

    private static long pending(Transaction transaction) {
        return Counter.LAST_DELETION.of(transaction) - Counter.PURGED_DELETION.of(transaction);
    }
}
