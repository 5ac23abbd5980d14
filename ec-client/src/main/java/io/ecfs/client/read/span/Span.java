package io.ecfs.client.read.span;

import io.ecfs.client.location.Segment;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Group bytes [from, to) that are read together: either some full stripes in a row, or the tail. In each chunk the
 * bytes of a span lie behind one another, so it takes one request a chunk; and since all its cells are of one size,
 * byte columns of the chunks belong together and can be decoded as one.
 */
public final class Span {
    /** Most bytes that are read at once of what is not in cells of chunks. */
    private static final int SOURCE_BYTES = 1 << 20;

    /** Bytes [from, to) of one chunk. */
    record Range(long from, long to) {
        Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("chunk range [" + from + ", " + to + ") is empty or negative");
            }
        }

        int bytes() {
            return Math.toIntExact(to - from);
        }

        Range union(Range other) {
            return new Range(Math.min(from, other.from), Math.max(to, other.to));
        }
    }

    private final GroupLayout layout;
    private final long from;
    private final long to;
    private final List<CellRange> cells;
    private final SortedMap<Integer, Range> wanted;

    Span(GroupLayout layout, long from, long to) {
        this.layout = Objects.requireNonNull(layout, "layout");
        this.from = from;
        this.to = to;
        this.cells = layout.cells(from, to);
        TreeMap<Integer, Range> ranges = new TreeMap<>();
        for (CellRange cell : cells) {
            Range range = new Range(cell.chunkOffset(), cell.chunkOffset() + cell.bytes());
            ranges.merge(cell.chunkIndex(), range, Range::union);
        }
        this.wanted = Collections.unmodifiableSortedMap(ranges);
    }

    /**
     * The group offset where the span that begins at {@code from} ends at the latest: at most so many stripes that a
     * chunk gives {@code chunkBytes} bytes (one stripe at least), not across the beginning of the tail.
     */
    public static long end(GroupLayout layout, long from, int chunkBytes) {
        Objects.checkIndex(from, layout.length());
        long stripeBytes = layout.policy().stripeBytes();
        long tail = layout.fullStripes() * stripeBytes;
        if (from >= tail) {
            return layout.length();
        }
        long stripes = Math.max(1, chunkBytes / layout.policy().cellBytes());
        return Math.min(tail, (from / stripeBytes + stripes) * stripeBytes);
    }

    /** File offset where a span of a segment that begins at {@code position} ends at the latest. */
    public static long end(Segment segment, long position, int chunkBytes) {
        long end = segment.source().isPresent()
                ? position + SOURCE_BYTES
                : end(segment.layout(), position + segment.shift(), chunkBytes) - segment.shift();
        return Math.min(segment.extent().fileEnd(), end);
    }

    /** The memory that a read of file bytes [from, to), one span of a segment, reserves. */
    public static long memoryBytes(Segment segment, long from, long to) {
        return segment.source().isPresent()
                ? to - from
                : new Span(segment.layout(), from + segment.shift(), to + segment.shift()).memoryBytes();
    }

    GroupLayout layout() {
        return layout;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    /** The cells that hold the bytes, in the order of the bytes. */
    List<CellRange> cells() {
        return cells;
    }

    /** The range that is wanted of each data chunk, by index. */
    SortedMap<Integer, Range> wanted() {
        return wanted;
    }

    /**
     * The columns that are wanted of some chunk; for codes with sub-chunks, which compute whole cells, all of the
     * cells.
     */
    Range columns() {
        return layout.policy().code().subChunks() == 1
                ? wanted.values().stream().reduce(Range::union).orElseThrow()
                : wholeCells();
    }

    /** The columns in which all cells of the span's stripes lie. */
    Range wholeCells() {
        GroupLayout.ChunkRange whole = layout.columns(cells);
        return new Range(whole.from(), whole.to());
    }

    /** The part of a column range that a chunk stores; the rest is implicit zeros. Ask {@link #hasStored} first. */
    Range stored(int index, Range columns) {
        return new Range(columns.from(), Math.min(columns.to(), layout.chunkBytes(index)));
    }

    boolean hasStored(int index, Range columns) {
        return layout.chunkBytes(index) > columns.from();
    }

    /**
     * The most memory that reading this span may take: every chunk's bytes, and as much again of the data chunks for
     * what is decoded or padded.
     */
    long memoryBytes() {
        long windows = 2L * Policy.CHECKSUM_WINDOW_BYTES;
        return (columns().bytes() + windows)
                * (layout.policy().chunks() + layout.policy().dataChunks());
    }
}
