package io.ecfs.namenode.group;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Groups in which several files have extents. Which files those are, in a table of (group, inode), and how many bytes
 * of a group they refer to (its live bytes) change here, in the log entry that changes the extents. A sealed group
 * without live bytes is dropped.
 */
public final class PackedGroups {
    private static final byte[] NOTHING = new byte[0];

    private PackedGroups() {}

    /** Returns whether several files may have extents in the group. */
    public static boolean packed(GroupFacts group) {
        return group.owner() instanceof GroupOwner.Pack;
    }

    /**
     * The files that have extents in the group, in inode order, from those after {@code after} (0: the first) on; none
     * where the group is not packed.
     */
    public static List<InodeId> files(View view, GroupId group, long after, int limit) {
        List<InodeId> files = new ArrayList<>();
        view.scan(
                Table.PACKED_FILES, key(group, after + 1), Keys.afterPrefix(Keys.number(group.value())), (key, row) -> {
                    files.add(fileOf(key));
                    return files.size() < limit;
                });
        return files;
    }

    /** At most {@code limit} groups in which files have bytes, in order, from {@code first} on. */
    public static List<GroupId> page(View view, GroupId first, int limit) {
        List<GroupId> groups = new ArrayList<>();
        Optional<GroupId> next = next(view, first);
        while (next.isPresent() && groups.size() < limit) {
            groups.add(next.get());
            next = next(view, new GroupId(next.get().value() + 1));
        }
        return groups;
    }

    private static Optional<GroupId> next(View view, GroupId first) {
        List<GroupId> found = new ArrayList<>(1);
        view.scan(Table.PACKED_FILES, Keys.number(first.value()), null, (key, row) -> {
            found.add(new GroupId(new RowReader(key).i64()));
            return false;
        });
        return found.stream().findFirst();
    }

    /** The number of files in the group, counted up to {@code most}. */
    public static long count(View view, GroupId group, long most) {
        long[] files = new long[1];
        view.scan(
                Table.PACKED_FILES,
                Keys.number(group.value()),
                Keys.afterPrefix(Keys.number(group.value())),
                (key, row) -> ++files[0] < most);
        return files[0];
    }

    /**
     * Notes that a file has an extent in a group of this pack from now on.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when the group has no such bytes, or is of another owner
     */
    public static void add(Transaction transaction, GroupOwner.Pack pack, InodeId file, Extent extent)
            throws EcfsException {
        Optional<GroupFacts> group = Groups.find(transaction, extent.group());
        if (group.filter(facts -> facts.owner().equals(pack)).isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, extent.group() + " is no group of pack " + pack.inode());
        }
        GroupFacts facts = group.get();
        long end = facts.open() ? facts.policy().groupBytes() : facts.length();
        long live = Math.addExact(live(facts), extent.length());
        if (extent.groupOffset() + extent.length() > end || live > end) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + facts.group() + " of " + end + " bytes, " + live(facts)
                            + " of them live, has no room for " + extent.length() + " bytes at "
                            + extent.groupOffset());
        }
        Groups.put(transaction, facts.live(live).reaching(extent.groupOffset() + extent.length()));
        transaction.put(Table.PACKED_FILES, key(extent.group(), file.value()), NOTHING);
    }

    /**
     * Notes that a file does not refer to the last bytes of an extent any more.
     *
     * @return rows that this touched, as a bound on the work
     */
    public static int cut(Transaction transaction, GroupFacts group, long bytes) {
        GroupFacts left = group.live(live(group) - bytes);
        if (left.open() || live(left) > 0) {
            Groups.put(transaction, left);
            return 1;
        }
        return Sealing.drop(transaction, left);
    }

    /** As {@link #cut} of a whole extent; {@code others} are the file's other extents. */
    public static int remove(
            Transaction transaction, GroupFacts group, InodeId file, Extent extent, List<Extent> others) {
        if (others.stream().noneMatch(other -> other.group().equals(extent.group()))) {
            transaction.delete(Table.PACKED_FILES, key(extent.group(), file.value()));
        }
        return 1 + cut(transaction, group, extent.length());
    }

    /** Notes that an extent belongs to another file from now on; {@code others} stay with the first. */
    public static void move(Transaction transaction, GroupId group, InodeId from, List<Extent> others, InodeId to) {
        if (others.stream().noneMatch(other -> other.group().equals(group))) {
            transaction.delete(Table.PACKED_FILES, key(group, from.value()));
        }
        transaction.put(Table.PACKED_FILES, key(group, to.value()), NOTHING);
    }

    /** Drops a group of a pack that was sealed after the last file that had bytes in it was deleted. */
    static Optional<GroupFacts> sealed(Transaction transaction, GroupFacts group) {
        if (live(group) > 0) {
            return Optional.of(group);
        }
        Sealing.drop(transaction, group);
        return Optional.empty();
    }

    /** Bytes of a packed group that files refer to. */
    public static long live(GroupFacts group) {
        return group.liveBytes()
                .orElseThrow(() -> new IllegalStateException("live bytes of " + group.group() + " are not counted"));
    }

    private static byte[] key(GroupId group, long file) {
        return new RowWriter().i64(group.value()).i64(file).bytes();
    }

    private static InodeId fileOf(byte[] key) {
        RowReader row = new RowReader(key);
        row.i64();
        return new InodeId(row.i64());
    }
}
