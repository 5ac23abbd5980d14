package io.ecfs.namenode.namespace.inode;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Usage of directories with a quota: exact, since every write of an inode or a lease charges it here (HDFS:
 * DirectoryWithQuotaFeature). A cluster without quotas pays one read of a counter.
 *
 * <p>A name is a file or directory, the one with the quota included. Space is what chunks take, parity included; a
 * group being written counts as a full one, as in HDFS, so that a quota holds whatever its writer does. A patch group
 * counts whole, however many of its bytes are live, and once where extents are in it, too. Of a group that small files
 * share, each counts what a group of its own would take. Moving or
 * deleting a directory below a quota counts all that it holds, and so does setting one; at most {@value #MOST_COUNTED}
 * names, but for a deletion, which is never refused.
 */
public final class Quotas {
    /** Names counted at most between two reads of the rows of a directory. */
    private static final int PAGE = 1000;

    /** Names that one call counts at most: some seconds of one log entry, for which every other call waits. */
    static final int MOST_COUNTED = 500_000;

    private Quotas() {}

    /**
     * One row.
     *
     * @param namesLimit empty: no bound, as {@code spaceLimit}
     */
    public record Quota(Optional<Long> namesLimit, Optional<Long> spaceLimit, Usage used) {
        Quota plus(Usage change) {
            return new Quota(namesLimit, spaceLimit, used.plus(change));
        }
    }

    /** Of a subtree, or a change of it. */
    public record Usage(long names, long space) {
        static final Usage NONE = new Usage(0, 0);

        Usage plus(Usage other) {
            return new Usage(Math.addExact(names, other.names), Math.addExact(space, other.space));
        }

        Usage negated() {
            return new Usage(-names, -space);
        }
    }

    public static Optional<Quota> find(View view, InodeId directory) {
        byte[] row = view.get(Table.QUOTAS, Keys.number(directory.value()));
        return row == null ? Optional.empty() : Optional.of(decode(row));
    }

    public static Quota decode(byte[] bytes) {
        RowReader row = new RowReader(bytes);
        Quota quota = new Quota(bound(row.number()), bound(row.number()), new Usage(row.number(), row.number()));
        row.end();
        return quota;
    }

    /** Sets or, with two empty bounds, forgets. What is there is counted. */
    public static void set(Transaction transaction, Inode directory, Optional<Long> names, Optional<Long> space) {
        Optional<Quota> present = find(transaction, directory.id());
        if (names.isEmpty() && space.isEmpty()) {
            present.ifPresent(quota -> forget(transaction, directory.id()));
            return;
        }
        if (present.isEmpty()) {
            Counter.QUOTAS.add(transaction, 1);
        }
        Usage used = present.map(Quota::used).orElseGet(() -> subtree(transaction, directory));
        put(transaction, directory.id(), new Quota(names, space, used));
    }

    private static void forget(Transaction transaction, InodeId directory) {
        Counter.QUOTAS.add(transaction, -1);
        transaction.delete(Table.QUOTAS, Keys.number(directory.value()));
    }

    /** Charges what an inode that is about to be written uses beyond its row; all of it when there is none. */
    static void changing(Transaction transaction, Inode after) {
        if (none(transaction)) {
            return;
        }
        Optional<Inode> before = Inodes.find(transaction, after.id());
        if (before.isEmpty()) {
            charge(transaction, after.parent(), own(transaction, after));
        } else if (before.get().parent().equals(after.parent())) {
            charge(transaction, after.parent(), change(transaction, before.get(), after));
        } else if (isCounted(transaction, before.get().parent()) || isCounted(transaction, after.parent())) {
            Usage moved = subtree(transaction, before.get());
            charge(transaction, before.get().parent(), moved.negated());
            charge(transaction, after.parent(), moved);
        }
    }

    /** Discharges an inode that is about to be deleted; a directory is empty by then. */
    static void deleting(Transaction transaction, InodeId id) {
        if (none(transaction)) {
            return;
        }
        find(transaction, id).ifPresent(quota -> forget(transaction, id));
        Inodes.find(transaction, id)
                .ifPresent(inode -> charge(
                        transaction, inode.parent(), own(transaction, inode).negated()));
    }

    /** Charges a file's open group, or discharges it. */
    static void leasing(Transaction transaction, InodeId file, boolean openGroup) {
        if (none(transaction)) {
            return;
        }
        boolean before =
                Leases.find(transaction, file).flatMap(Lease::openGroup).isPresent();
        if (before != openGroup) {
            Inode inode = Inodes.get(transaction, file);
            Usage group = reserved(inode);
            charge(transaction, inode.parent(), openGroup ? group : group.negated());
        }
    }

    private static boolean none(View view) {
        return Counter.QUOTAS.of(view) == 0;
    }

    /** Returns whether this directory or one above it has a quota. */
    private static boolean isCounted(View view, Optional<InodeId> from) {
        Optional<InodeId> at = from;
        while (at.isPresent()) {
            if (find(view, at.get()).isPresent()) {
                return true;
            }
            at = Inodes.find(view, at.get()).flatMap(Inode::parent);
        }
        return false;
    }

    private static void charge(Transaction transaction, Optional<InodeId> from, Usage change) {
        if (change.equals(Usage.NONE)) {
            return;
        }
        Optional<InodeId> at = from;
        while (at.isPresent()) {
            InodeId directory = at.get();
            find(transaction, directory).ifPresent(quota -> put(transaction, directory, quota.plus(change)));
            at = Inodes.find(transaction, directory).flatMap(Inode::parent);
        }
    }

    /** An inode and all that lies below it. */
    static Usage subtree(View view, Inode inode) {
        return count(view, inode, Long.MAX_VALUE).orElseThrow();
    }

    /**
     * A call that would count more names than one log entry may take is refused, before it changes anything. A
     * directory below that has a quota knows what it holds and costs one.
     *
     * @throws EcfsException {@code UNSUPPORTED}
     */
    public static void requireCountable(View view, Inode inode, FilePath path) throws EcfsException {
        if (inode.isDirectory() && count(view, inode, MOST_COUNTED).isEmpty()) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED,
                    "more than " + MOST_COUNTED + " names below " + path
                            + " would have to be counted for a quota at once: set quotas on directories below it"
                            + " first");
        }
    }

    /** As {@link #requireCountable}, where a move takes what lies there out of a quota or into one. */
    public static void requireMovable(View view, Inode inode, Inode to, FilePath path) throws EcfsException {
        boolean leaves = inode.parent().filter(from -> !from.equals(to.id())).isPresent();
        if (!none(view) && leaves && (isCounted(view, inode.parent()) || isCounted(view, Optional.of(to.id())))) {
            requireCountable(view, inode, path);
        }
    }

    /** @return empty when there are more names than that */
    private static Optional<Usage> count(View view, Inode top, long mostNames) {
        Usage sum = Usage.NONE;
        ArrayDeque<Inode> left = new ArrayDeque<>(List.of(top));
        for (long names = 0; !left.isEmpty(); names++) {
            if (names == mostNames) {
                return Optional.empty();
            }
            Inode next = left.remove();
            Optional<Quota> counted = next.isDirectory() ? find(view, next.id()) : Optional.empty();
            sum = sum.plus(counted.map(Quota::used).orElseGet(() -> single(view, next)));
            if (next.isDirectory() && counted.isEmpty()) {
                String after = "";
                List<Directories.Entry> page;
                do {
                    page = Directories.page(view, next.id(), after, PAGE);
                    for (Directories.Entry entry : page) {
                        Inode child = Inodes.get(view, entry.inode());
                        after = entry.name();
                        if (child.isDirectory()) {
                            left.add(child);
                        } else if (++names < mostNames) {
                            sum = sum.plus(single(view, child));
                        } else {
                            return Optional.empty();
                        }
                    }
                } while (page.size() == PAGE);
            }
        }
        return Optional.of(sum);
    }

    /** An inode by itself, with the group that is being written. */
    private static Usage single(View view, Inode inode) {
        boolean writing = !inode.isDirectory()
                && Leases.find(view, inode.id()).flatMap(Lease::openGroup).isPresent();
        return writing ? own(view, inode).plus(reserved(inode)) : own(view, inode);
    }

    /** Usage of an inode by itself, without a group that is being written. */
    private static Usage own(View view, Inode inode) {
        return new Usage(1, inode.body() instanceof Inode.File file ? space(view, file) : 0);
    }

    private static Usage reserved(Inode inode) {
        Policy policy = ((Inode.File) inode.body()).policy();
        return new Usage(0, new GroupLayout(policy, policy.groupBytes()).storedBytes());
    }

    /**
     * Bytes that the chunks of a file's sealed groups take, patch groups included: whole groups, also where a truncate
     * has left the file only a part of one.
     */
    public static long space(View view, Inode.File file) {
        return Math.addExact(patches(view, file.patches()), space(view, file, 0));
    }

    private static long patches(View view, List<Inode.Patch> patches) {
        long sum = 0;
        for (Inode.Patch patch : patches) {
            long stored = Groups.find(view, patch.group())
                    .map(group -> new GroupLayout(group.policy(), group.length()).storedBytes())
                    .orElse(0L);
            sum = Math.addExact(sum, stored);
        }
        return sum;
    }

    /** Bytes of the extents from one on, without groups that patches or those before it have. */
    private static long space(View view, Inode.File file, int fromExtent) {
        List<Extent> extents = file.extents();
        Set<GroupId> counted = new HashSet<>();
        file.patches().forEach(patch -> counted.add(patch.group()));
        extents.subList(0, fromExtent).forEach(extent -> counted.add(extent.group()));
        long sum = 0;
        for (Extent extent : extents.subList(fromExtent, extents.size())) {
            boolean first = counted.add(extent.group());
            sum = Math.addExact(sum, stored(view, file, extent, first));
        }
        return sum;
    }

    /** @param first of the extents that the file has in its group */
    private static long stored(View view, Inode.File file, Extent extent, boolean first) {
        Optional<GroupFacts> sealed = Groups.find(view, extent.group()).filter(group -> !group.open());
        if (sealed.isEmpty()) { // it is sealed by this very entry, or purged
            return GroupLayout.storedBytes(file.policy(), extent.length());
        }
        GroupFacts group = sealed.get();
        if (PackedGroups.packed(group)) {
            return GroupLayout.storedBytes(group.policy(), extent.length());
        }
        return first ? new GroupLayout(group.policy(), group.length()).storedBytes() : 0;
    }

    /** Difference in usage of a file; extents and patches that both have are not read. */
    private static Usage change(View view, Inode before, Inode after) {
        if (!(before.body() instanceof Inode.File old && after.body() instanceof Inode.File now)) {
            return Usage.NONE;
        }
        int patched = 0;
        while (patched < Math.min(old.patches().size(), now.patches().size())
                && old.patches().get(patched).equals(now.patches().get(patched))) {
            patched++;
        }
        long patches = patches(
                        view, now.patches().subList(patched, now.patches().size()))
                - patches(view, old.patches().subList(patched, old.patches().size()));
        if (patched < old.patches().size()) { // extents may be in groups that are patches no more
            return new Usage(0, patches + space(view, now, 0) - space(view, old, 0));
        }
        int same = 0;
        int most = Math.min(old.extents().size(), now.extents().size());
        while (same < most && old.extents().get(same).equals(now.extents().get(same))) {
            same++;
        }
        return new Usage(0, patches + space(view, now, same) - space(view, old, same));
    }

    private static void put(Transaction transaction, InodeId directory, Quota quota) {
        transaction.put(
                Table.QUOTAS,
                Keys.number(directory.value()),
                new RowWriter()
                        .number(quota.namesLimit().map(n -> n + 1).orElse(0L))
                        .number(quota.spaceLimit().map(n -> n + 1).orElse(0L))
                        .number(quota.used().names())
                        .number(quota.used().space())
                        .bytes());
    }

    private static Optional<Long> bound(long stored) {
        return stored == 0 ? Optional.empty() : Optional.of(stored - 1);
    }
}
