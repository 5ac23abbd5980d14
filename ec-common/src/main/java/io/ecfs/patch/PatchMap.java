package io.ecfs.patch;

import io.ecfs.error.Invariant;
import java.util.Arrays;

/**
 * Map from positions of a file to the newest bytes of its patch groups. An entry is a range of the file that lies, byte
 * behind byte, in one <em>source</em>: a number that the caller gives to each group, in any way it likes. Newest means
 * put last: groups are applied oldest first.
 *
 * <pre>
 *   file     0        100      150       200            300
 *   map      | gap    | 7: 40  | 9: 0    | 7: 140       | gap ...
 *                       ^ source 7, from its offset 40 on
 * </pre>
 *
 * <p>Entries do not overlap. Two that continue each other, in the file and in the source, are joined while the result
 * is not above {@link #MAX_PIECE_BYTES}.
 *
 * <p>A B+ tree of two levels: sorted leaves of up to 512 entries below one array. An entry has 24 bytes. Leaves are two
 * thirds full on average after random writes, so an entry costs about 36 bytes then; 24 after writes in order; and
 * never more than about 65, because neighbours that are three eighths full or less on average are merged. {@link
 * #memoryBytes()} counts what is allocated.
 *
 * <p>One thread at a time. A {@link #snapshot()} can be given to others: it shares leaves with the map until one of the
 * two changes them.
 */
public final class PatchMap {
    /** In place of a source: the map has no entry. */
    public static final int GAP = -1;

    /** Largest number of a source. */
    public static final int MAX_SOURCE = (1 << 20) - 1;

    private static final int OFFSET_BITS = 43;

    /** End of the largest source. */
    public static final long MAX_OFFSET = (1L << OFFSET_BITS) - 1;

    /** Longest entry. */
    public static final int MAX_PIECE_BYTES = 1 << 30;

    private static final int MERGED_ENTRIES = Leaf.CAPACITY / 4 * 3;
    private static final int FIRST_LEAVES = 4;
    private static final int FIRST_SOURCES = 4;
    private static final int OBJECT_BYTES = 144; // this object and the heads of its arrays

    /** Identity of the one map that may change a leaf in place. */
    private static final class Owner {}

    private Owner owner = new Owner();
    private Leaf[] leaves; // none is empty
    private long[] firsts; // begin of each leaf's first entry
    private int leafCount;
    private int entries;
    private long[] liveOf;
    private int[] entriesOf;

    public PatchMap() {
        leaves = new Leaf[FIRST_LEAVES];
        firsts = new long[FIRST_LEAVES];
        liveOf = new long[FIRST_SOURCES];
        entriesOf = new int[FIRST_SOURCES];
    }

    private PatchMap(PatchMap map) {
        leaves = Arrays.copyOf(map.leaves, map.leafCount + 1);
        firsts = Arrays.copyOf(map.firsts, map.leafCount + 1);
        leafCount = map.leafCount;
        entries = map.entries;
        liveOf = map.liveOf.clone();
        entriesOf = map.entriesOf.clone();
    }

    /**
     * The same map as of now, for another thread. Costs 16 bytes a leaf; a leaf is copied when the map or the snapshot
     * changes it.
     */
    public PatchMap snapshot() {
        owner = new Owner();
        return new PatchMap(this);
    }

    /**
     * Puts a range, over whatever the map has there.
     *
     * @param position in the file
     * @param length from 1 to {@link #MAX_PIECE_BYTES}
     * @param offset of the first byte in the source
     */
    public void put(long position, int length, int source, long offset) {
        Invariant.check(
                length >= 1
                        && length <= MAX_PIECE_BYTES
                        && position >= 0
                        && position <= Write.MAX_POSITION - length
                        && source >= 0
                        && source <= MAX_SOURCE
                        && offset >= 0
                        && offset <= MAX_OFFSET - length,
                "no entry has %d bytes at %d, in source %d at %d",
                length,
                position,
                source,
                offset);
        if (source >= liveOf.length) {
            int sources = Math.min(MAX_SOURCE + 1, Math.max(source + 1, 2 * liveOf.length));
            liveOf = Arrays.copyOf(liveOf, sources);
            entriesOf = Arrays.copyOf(entriesOf, sources);
        }
        clear(position, position + length);
        insert(position, length, (long) source << OFFSET_BITS | offset);
    }

    /** Applies a batch: truncates to its file length, then puts its writes in order. */
    public void apply(int source, PatchBatch batch) {
        truncate(batch.fileLength());
        for (int i = 0; i < batch.count(); i++) {
            put(batch.position(i), batch.length(i), source, batch.dataOffset(i));
        }
    }

    /** Applies a whole group by its index: truncates to the shortest length of the file, then puts the entries. */
    public void apply(int source, PatchIndex index) {
        truncate(index.shortestLength());
        for (int i = 0; i < index.count(); i++) {
            put(index.position(i), index.length(i), source, index.groupOffset(i));
        }
    }

    /** Removes what lies at or behind a length. */
    public void truncate(long length) {
        clear(length, Write.MAX_POSITION);
    }

    /** Removes what lies in [from, to): it becomes a gap. */
    public void clear(long from, long to) {
        Invariant.check(from >= 0 && to <= Write.MAX_POSITION, "no file has bytes [%d, %d)", from, to);
        if (from >= to || leafCount == 0) {
            return;
        }
        int begin = leafAt(from);
        int at = begin;
        int slot = slotAt(leaves[at], from);
        while (at < leafCount) {
            Leaf leaf = leaves[at];
            if (slot == leaf.count()) {
                at++;
                slot = 0;
                continue;
            }
            if (leaf.begin(slot) >= to) {
                break;
            }
            if (leaf.begin(slot) < from) {
                boolean inside = leaf.end(slot) > to;
                cutBack(at, slot, from, to);
                if (inside) {
                    return;
                }
                slot++;
            } else if (leaf.end(slot) > to) {
                cutFront(at, slot, to);
                break;
            } else {
                removeWhole(at, slot, to);
            }
        }
        for (int i = Math.min(at, leafCount - 1); i >= Math.max(0, begin - 1); i--) {
            mergeWithNext(i);
        }
    }

    /** Cuts [from, to) out of an entry that begins before; what it has behind becomes an entry of its own. */
    private void cutBack(int at, int slot, long from, long to) {
        Leaf leaf = own(at);
        long begin = leaf.begin(slot);
        long end = leaf.end(slot);
        long place = leaf.place(slot);
        leaf.setLength(slot, from - begin);
        addLive(place, from - end);
        if (end > to) {
            insertAt(at, slot + 1, to, end - to, place + (to - begin));
        }
    }

    /** Cuts off what an entry has before {@code to}. */
    private void cutFront(int at, int slot, long to) {
        Leaf leaf = own(at);
        long cut = to - leaf.begin(slot);
        addLive(leaf.place(slot), -cut);
        leaf.set(slot, to, leaf.length(slot) - cut, leaf.place(slot) + cut);
        firsts[at] = leaf.first();
    }

    /** Removes entries from a slot on that end at or before {@code to}: those of the leaf, or whole leaves. */
    private void removeWhole(int at, int slot, long to) {
        if (slot == 0 && leaves[at].lastEnd() <= to) {
            int until = at;
            while (until < leafCount && leaves[until].lastEnd() <= to) {
                forget(leaves[until], 0, leaves[until].count());
                until++;
            }
            removeLeaves(at, until);
            return;
        }
        Leaf leaf = own(at);
        int until = slot;
        while (until < leaf.count() && leaf.end(until) <= to) {
            until++;
        }
        forget(leaf, slot, until);
        leaf.remove(slot, until);
        firsts[at] = leaf.first();
    }

    /** Inserts into a gap, and joins with the neighbours. */
    private void insert(long begin, long length, long place) {
        if (leafCount == 0) {
            insertLeaf(0, new Leaf(owner), begin);
            insertAt(0, 0, begin, length, place);
            return;
        }
        int at = leafAt(begin);
        Leaf leaf = leaves[at];
        int slot = leaf.floor(begin);
        boolean inLeaf = slot + 1 < leaf.count();
        int nextAt = inLeaf ? at : at + 1;
        int nextSlot = inLeaf ? slot + 1 : 0;
        boolean joinsLeft = slot >= 0 && continues(leaf, slot, begin, length, place);
        long joined = length + (joinsLeft ? leaf.length(slot) : 0);
        boolean joinsRight = nextAt < leafCount && continuedBy(leaves[nextAt], nextSlot, begin, length, place, joined);
        if (!joinsLeft && !joinsRight) {
            insertAt(at, slot + 1, begin, length, place);
            return;
        }
        addLive(place, length);
        if (joinsLeft && joinsRight) {
            own(at).setLength(slot, joined + leaves[nextAt].length(nextSlot));
            removeJoined(nextAt, nextSlot);
        } else if (joinsLeft) {
            own(at).setLength(slot, joined);
        } else {
            Leaf next = own(nextAt);
            next.set(nextSlot, begin, length + next.length(nextSlot), place);
            firsts[nextAt] = next.first();
        }
    }

    private static boolean continues(Leaf leaf, int slot, long begin, long length, long place) {
        return leaf.end(slot) == begin
                && leaf.place(slot) + leaf.length(slot) == place
                && leaf.length(slot) + length <= MAX_PIECE_BYTES;
    }

    private static boolean continuedBy(Leaf leaf, int slot, long begin, long length, long place, long joined) {
        return leaf.begin(slot) == begin + length
                && leaf.place(slot) == place + length
                && leaf.length(slot) + joined <= MAX_PIECE_BYTES;
    }

    /** Removes an entry whose bytes another one has taken over. */
    private void removeJoined(int at, int slot) {
        Leaf leaf = own(at);
        entriesOf[sourceOf(leaf.place(slot))]--;
        entries--;
        leaf.remove(slot, slot + 1);
        if (leaf.count() == 0) {
            removeLeaves(at, at + 1);
        } else {
            firsts[at] = leaf.first();
            mergeWithNext(at);
        }
        if (at > 0) {
            mergeWithNext(at - 1);
        }
    }

    private void insertAt(int at, int slot, long begin, long length, long place) {
        addLive(place, length);
        entriesOf[sourceOf(place)]++;
        entries++;
        int leafAt = at;
        int leafSlot = slot;
        if (own(at).full()) {
            // What is written in order leaves full leaves behind.
            boolean last = at == leafCount - 1 && slot == Leaf.CAPACITY;
            Leaf right = leaves[at].splitOff(last ? slot : Leaf.CAPACITY / 2);
            insertLeaf(at + 1, right, last ? begin : right.first());
            if (last || slot > leaves[at].count()) {
                leafAt++;
                leafSlot -= leaves[at].count();
            }
        }
        leaves[leafAt].insert(leafSlot, begin, length, place);
        firsts[leafAt] = leaves[leafAt].first();
    }

    private Leaf own(int at) {
        leaves[at] = leaves[at].of(owner);
        return leaves[at];
    }

    private void insertLeaf(int at, Leaf leaf, long first) {
        if (leafCount == leaves.length) {
            leaves = Arrays.copyOf(leaves, 2 * leafCount);
            firsts = Arrays.copyOf(firsts, 2 * leafCount);
        }
        System.arraycopy(leaves, at, leaves, at + 1, leafCount - at);
        System.arraycopy(firsts, at, firsts, at + 1, leafCount - at);
        leaves[at] = leaf;
        firsts[at] = first;
        leafCount++;
    }

    private void removeLeaves(int from, int to) {
        System.arraycopy(leaves, to, leaves, from, leafCount - to);
        System.arraycopy(firsts, to, firsts, from, leafCount - to);
        int left = leafCount - (to - from);
        Arrays.fill(leaves, left, leafCount, null);
        leafCount = left;
    }

    private void mergeWithNext(int at) {
        if (at + 1 < leafCount && leaves[at].count() + leaves[at + 1].count() <= MERGED_ENTRIES) {
            own(at).append(leaves[at + 1]);
            removeLeaves(at + 1, at + 2);
        }
    }

    private void forget(Leaf leaf, int from, int to) {
        for (int slot = from; slot < to; slot++) {
            addLive(leaf.place(slot), -leaf.length(slot));
            entriesOf[sourceOf(leaf.place(slot))]--;
        }
        entries -= to - from;
    }

    private void addLive(long place, long bytes) {
        liveOf[sourceOf(place)] += bytes;
    }

    private static int sourceOf(long place) {
        return (int) (place >>> OFFSET_BITS);
    }

    private static long offsetOf(long place) {
        return place & MAX_OFFSET;
    }

    /** The last leaf that begins at or before a position, or the first of all. */
    private int leafAt(long position) {
        int low = 1;
        int high = leafCount - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (firsts[middle] <= position) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high < 0 ? 0 : high;
    }

    /** Slot of the first entry that ends behind a position; the leaf's count when there is none. */
    private static int slotAt(Leaf leaf, long position) {
        int slot = leaf.floor(position);
        return slot >= 0 && leaf.end(slot) > position ? slot : slot + 1;
    }

    /** The piece from a position on, or the gap from there to the next entry or to {@link Write#MAX_POSITION}. */
    public Piece at(long position) {
        Invariant.check(position >= 0 && position < Write.MAX_POSITION, "no file has a byte %d", position);
        int at = leafCount == 0 ? 0 : leafAt(position);
        int slot = leafCount == 0 ? 0 : slotAt(leaves[at], position);
        if (at < leafCount && slot == leaves[at].count()) {
            at++;
            slot = 0;
        }
        if (at == leafCount) {
            return new Piece(position, Write.MAX_POSITION - position, GAP, 0);
        }
        Leaf leaf = leaves[at];
        if (leaf.begin(slot) > position) {
            return new Piece(position, leaf.begin(slot) - position, GAP, 0);
        }
        long place = leaf.place(slot) + (position - leaf.begin(slot));
        return new Piece(position, leaf.end(slot) - position, sourceOf(place), offsetOf(place));
    }

    /** Visits the pieces and gaps of [from, to), in order and without a hole, the outer ones cut to it. */
    public void visit(long from, long to, PieceVisitor visitor) {
        Invariant.check(from >= 0 && to <= Write.MAX_POSITION, "no file has bytes [%d, %d)", from, to);
        long done = from;
        int at = leafCount == 0 ? 0 : leafAt(from);
        int slot = leafCount == 0 ? 0 : slotAt(leaves[at], from);
        while (done < to && at < leafCount) {
            Leaf leaf = leaves[at];
            if (slot == leaf.count()) {
                at++;
                slot = 0;
                continue;
            }
            long begin = Math.min(to, leaf.begin(slot));
            if (begin > done) {
                visitor.visit(done, begin - done, GAP, 0);
                done = begin;
            }
            if (begin < to) {
                long end = Math.min(to, leaf.end(slot));
                long place = leaf.place(slot) + (done - leaf.begin(slot));
                visitor.visit(done, end - done, sourceOf(place), offsetOf(place));
                done = end;
            }
            slot++;
        }
        if (done < to) {
            visitor.visit(done, to - done, GAP, 0);
        }
    }

    /** Visits the entries of one source, in order of their positions. Takes time in proportion to all entries. */
    public void entriesOf(int source, PieceVisitor visitor) {
        for (int at = 0; at < leafCount; at++) {
            Leaf leaf = leaves[at];
            for (int slot = 0; slot < leaf.count(); slot++) {
                long place = leaf.place(slot);
                if (sourceOf(place) == source) {
                    visitor.visit(leaf.begin(slot), leaf.length(slot), source, offsetOf(place));
                }
            }
        }
    }

    /** Number of pieces and gaps of [from, to): what a read of the range must put together. */
    public int ranges(long from, long to) {
        int[] count = new int[1];
        visit(from, to, (position, length, source, offset) -> count[0]++);
        return count[0];
    }

    /** Bytes of a source that are the newest of the file. */
    public long live(int source) {
        return source < liveOf.length ? liveOf[source] : 0;
    }

    /** Number of entries of one source. */
    public int entries(int source) {
        return source < entriesOf.length ? entriesOf[source] : 0;
    }

    /** Number of all entries. */
    public int entries() {
        return entries;
    }

    /**
     * Gives up a source that was replaced; its number may be used again. A source that still has live bytes breaks an
     * invariant: its group must not be dropped.
     */
    public void dropSource(int source) {
        Invariant.check(
                live(source) == 0 && entries(source) == 0,
                "source %d is dropped with %d live bytes in %d entries",
                source,
                live(source),
                entries(source));
    }

    /** Bytes that the map has allocated, with leaves that it shares. Takes time in proportion to the leaves. */
    public long memoryBytes() {
        long bytes = OBJECT_BYTES
                + (long) leaves.length * 2 * Long.BYTES
                + (long) liveOf.length * (Long.BYTES + Integer.BYTES);
        for (int at = 0; at < leafCount; at++) {
            bytes += leaves[at].memoryBytes();
        }
        return bytes;
    }
}
