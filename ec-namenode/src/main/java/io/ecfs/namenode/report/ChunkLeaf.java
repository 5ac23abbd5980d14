package io.ecfs.namenode.report;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.namenode.row.RowWriter;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Up to a hundred or so finalised chunks, packed; immutable. Numbers have seven bits a byte. Records follow each other
 * in chunk order:
 *
 * <pre>
 *   group - from | index &lt;&lt; 3 | stamped &lt;&lt; 2 | rewritten &lt;&lt; 1 | usual | generation, if rewritten
 *   | bytes, group's length, unless usual | stamp, if stamped
 * </pre>
 *
 * {@code from} is the group at which the leaf begins; the owner of the leaf stores it. <em>Usual</em> are the bytes
 * and the group's length of the chunk that the leaf began with: where files are large nearly all chunks are full, and
 * take two or three bytes. <em>Stamped</em> are chunks whose stamp is not that of the chunk that the leaf began with:
 * neighbours were allocated by one leader, so these are few.
 */
final class ChunkLeaf {
    static final ChunkLeaf EMPTY = new ChunkLeaf(new byte[0], 0, 0, 0, 0);

    private static final int USUAL = 1;
    private static final int REWRITTEN = 2;
    private static final int STAMPED = 4;
    private static final int FLAG_BITS = 3;

    private final byte[] packed;
    private final int count;
    private final long usualBytes;
    private final long usualLength;
    private final int usualStamp;

    private ChunkLeaf(byte[] packed, int count, long usualBytes, long usualLength, int usualStamp) {
        this.packed = packed;
        this.count = count;
        this.usualBytes = usualBytes;
        this.usualLength = usualLength;
        this.usualStamp = usualStamp;
    }

    int count() {
        return count;
    }

    Optional<ChunkRecord> find(long from, ChunkId chunk) {
        Cursor cursor = new Cursor(from);
        return cursor.seek(chunk) ? Optional.of(cursor.record()) : Optional.empty();
    }

    ChunkLeaf with(long from, ChunkRecord record) {
        if (count == 0) {
            ChunkLeaf first = new ChunkLeaf(packed, 0, record.bytes(), record.groupLength(), record.stamp());
            return new ChunkLeaf(first.pack(from, record), 1, record.bytes(), record.groupLength(), record.stamp());
        }
        Cursor cursor = new Cursor(from);
        boolean replaces = cursor.seek(record.chunk());
        return splice(cursor.start, replaces ? cursor.end : cursor.start, pack(from, record), replaces ? 0 : 1);
    }

    /** This very leaf when the chunk is not in it. */
    ChunkLeaf without(long from, ChunkId chunk) {
        Cursor cursor = new Cursor(from);
        return cursor.seek(chunk) ? splice(cursor.start, cursor.end, EMPTY.packed, -1) : this;
    }

    /** Visits the records in chunk order; false when the visitor stopped. */
    boolean walk(long from, Predicate<ChunkRecord> visitor) {
        Cursor cursor = new Cursor(from);
        while (cursor.next()) {
            if (!visitor.test(cursor.record())) {
                return false;
            }
        }
        return true;
    }

    /** Of the last record; the leaf is not empty. */
    long lastGroup(long from) {
        Cursor cursor = new Cursor(from);
        for (int i = 0; i < count; i++) {
            cursor.next();
        }
        return cursor.group;
    }

    /** The first group that begins behind {@code records} records, if there is one. */
    OptionalLong groupBehind(long from, int records) {
        Cursor cursor = new Cursor(from);
        long before = Long.MIN_VALUE;
        for (int i = 0; cursor.next(); i++) {
            if (i >= records && cursor.group != before) {
                return OptionalLong.of(cursor.group);
            }
            before = cursor.group;
        }
        return OptionalLong.empty();
    }

    /** The records of some groups, in a leaf that begins at {@code newFrom}. */
    ChunkLeaf part(long from, long newFrom, LongPredicate groups) {
        ChunkLeaf[] part = {EMPTY};
        walk(from, record -> {
            if (groups.test(record.chunk().group().value())) {
                part[0] = part[0].with(newFrom, record);
            }
            return true;
        });
        return part[0];
    }

    private ChunkLeaf splice(int start, int end, byte[] middle, int more) {
        byte[] bytes = Arrays.copyOf(packed, packed.length - (end - start) + middle.length);
        System.arraycopy(middle, 0, bytes, start, middle.length);
        System.arraycopy(packed, end, bytes, start + middle.length, packed.length - end);
        return new ChunkLeaf(bytes, count + more, usualBytes, usualLength, usualStamp);
    }

    private byte[] pack(long from, ChunkRecord record) {
        ChunkId chunk = record.chunk();
        boolean usual = record.bytes() == usualBytes && record.groupLength() == usualLength;
        int flags = (usual ? USUAL : 0)
                | (chunk.generation() > 0 ? REWRITTEN : 0)
                | (record.stamp() != usualStamp ? STAMPED : 0);
        RowWriter row =
                new RowWriter().number(chunk.group().value() - from).number((long) chunk.index() << FLAG_BITS | flags);
        if (chunk.generation() > 0) {
            row.number(chunk.generation());
        }
        if (!usual) {
            row.number(record.bytes()).number(record.groupLength());
        }
        if (record.stamp() != usualStamp) {
            row.i32(record.stamp());
        }
        return row.bytes();
    }

    /** Iterates over the records without making objects of them. */
    private final class Cursor {
        private final long from;
        /** The present record is [start, end). */
        private int start;

        private int end;
        private long group;
        private int index;
        private int generation;
        private long bytes;
        private long groupLength;
        private int stamp;

        Cursor(long from) {
            this.from = from;
        }

        boolean next() {
            start = end;
            if (start == packed.length) {
                return false;
            }
            group = from + number();
            long indexAndFlags = number();
            index = (int) (indexAndFlags >>> FLAG_BITS);
            generation = (indexAndFlags & REWRITTEN) != 0 ? (int) number() : 0;
            boolean usual = (indexAndFlags & USUAL) != 0;
            bytes = usual ? usualBytes : number();
            groupLength = usual ? usualLength : number();
            stamp = (indexAndFlags & STAMPED) != 0 ? word() : usualStamp;
            return true;
        }

        /** Goes to the chunk's record; when there is none, to the position where it would be inserted. */
        boolean seek(ChunkId chunk) {
            while (next()) {
                int order = order(chunk);
                if (order >= 0) {
                    return order == 0;
                }
            }
            return false;
        }

        private int order(ChunkId chunk) {
            int byGroup = Long.compare(group, chunk.group().value());
            int byIndex = byGroup != 0 ? byGroup : Integer.compare(index, chunk.index());
            return byIndex != 0 ? byIndex : Integer.compare(generation, chunk.generation());
        }

        ChunkRecord record() {
            ChunkId chunk = new ChunkId(new GroupId(group), index, generation);
            return new ChunkRecord(chunk, ChunkState.FINALISED, bytes, bytes, groupLength, stamp);
        }

        private int word() {
            int value = 0;
            for (int i = 0; i < Integer.BYTES; i++) {
                value = value << Byte.SIZE | (packed[end++] & 0xFF);
            }
            return value;
        }

        private long number() {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = packed[end++];
                value |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }
    }
}
