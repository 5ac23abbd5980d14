package io.ecfs.namenode.report;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkRecord;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finalised chunks of one volume in chunk order, in leaves of packed bytes ({@link ChunkLeaf}) under a directory of the
 * group that each leaf begins at. All chunks of a group lie in one leaf. A change copies one leaf, and the directory
 * when a leaf comes or goes.
 *
 * <pre>
 *   from     [ 0          , 71         , 140        ]     leaf i holds groups in [from[i], from[i+1])
 *   leaves   [ g3 .. g70  , g71 .. g133, g140 ..    ]
 * </pre>
 */
final class PackedChunks {
    /** Records of a leaf before it is split: finding one walks half of them. */
    private static final int LEAF_RECORDS = 128;

    private long[] from = {0};
    private ChunkLeaf[] leaves = {ChunkLeaf.EMPTY};
    private int used = 1;
    private long count;

    long count() {
        return count;
    }

    Optional<ChunkRecord> find(ChunkId chunk) {
        int at = leafOf(chunk.group().value());
        return leaves[at].find(from[at], chunk);
    }

    /** Adds the record or replaces that of the same chunk. */
    void put(ChunkRecord record) {
        long group = record.chunk().group().value();
        int at = leafOf(group);
        if (at == used - 1 && leaves[at].count() >= LEAF_RECORDS && leaves[at].lastGroup(from[at]) < group) {
            insert(at + 1, group, ChunkLeaf.EMPTY);
            at++;
        }
        int before = leaves[at].count();
        leaves[at] = leaves[at].with(from[at], record);
        count += leaves[at].count() - before;
        if (leaves[at].count() > LEAF_RECORDS) {
            split(at);
        }
    }

    /** @return whether it was there */
    boolean remove(ChunkId chunk) {
        int at = leafOf(chunk.group().value());
        ChunkLeaf without = leaves[at].without(from[at], chunk);
        if (without == leaves[at]) {
            return false;
        }
        count--;
        leaves[at] = without;
        if (without.count() == 0 && used > 1) {
            drop(at);
        }
        return true;
    }

    /** Visits the records after {@code after} (null: all) in chunk order until the visitor returns false. */
    void walk(ChunkId after, Predicate<ChunkRecord> visitor) {
        boolean more = true;
        for (int at = after == null ? 0 : leafOf(after.group().value()); at < used && more; at++) {
            more = leaves[at].walk(
                    from[at],
                    record -> (after != null && record.chunk().compareTo(after) <= 0) || visitor.test(record));
        }
    }

    private int leafOf(long group) {
        int found = Arrays.binarySearch(from, 0, used, group);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }

    /**
     * The last leaf is split near its end: new groups have the highest numbers, so it is the one that goes on growing.
     */
    private void split(int at) {
        int keep = at == used - 1 ? LEAF_RECORDS * 7 / 8 : LEAF_RECORDS / 2;
        leaves[at].groupBehind(from[at], keep).ifPresent(boundary -> {
            ChunkLeaf whole = leaves[at];
            leaves[at] = whole.part(from[at], from[at], group -> group < boundary);
            insert(at + 1, boundary, whole.part(from[at], boundary, group -> group >= boundary));
        });
    }

    private void insert(int at, long group, ChunkLeaf leaf) {
        if (used == leaves.length) {
            int room = used + used / 4 + 4;
            from = Arrays.copyOf(from, room);
            leaves = Arrays.copyOf(leaves, room);
        }
        System.arraycopy(from, at, from, at + 1, used - at);
        System.arraycopy(leaves, at, leaves, at + 1, used - at);
        from[at] = group;
        leaves[at] = leaf;
        used++;
    }

    /** The leaf before it takes over its groups; the first one has none before it and stays, empty. */
    private void drop(int at) {
        if (at == 0) {
            return;
        }
        System.arraycopy(from, at + 1, from, at, used - at - 1);
        System.arraycopy(leaves, at + 1, leaves, at, used - at - 1);
        used--;
        leaves[used] = null;
    }
}
