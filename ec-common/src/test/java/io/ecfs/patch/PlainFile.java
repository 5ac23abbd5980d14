package io.ecfs.patch;

import java.util.Arrays;

/** A patched file as plain arrays: for each position the source and the offset of its newest byte. */
final class PlainFile {
    private final int[] sources;
    private final long[] offsets;

    PlainFile(int bytes) {
        sources = new int[bytes];
        offsets = new long[bytes];
        Arrays.fill(sources, PatchMap.GAP);
    }

    PlainFile(PlainFile other) {
        sources = other.sources.clone();
        offsets = other.offsets.clone();
    }

    void put(int position, int length, int source, long offset) {
        for (int i = 0; i < length; i++) {
            sources[position + i] = source;
            offsets[position + i] = offset + i;
        }
    }

    void clear(int from, int to) {
        Arrays.fill(sources, from, to, PatchMap.GAP);
        Arrays.fill(offsets, from, to, 0);
    }

    void truncate(int length) {
        clear(length, sources.length);
    }

    /** Least position behind {@code from} that does not continue the bytes before it. */
    private int runEnd(int from) {
        int end = from + 1;
        while (end < sources.length && continues(from, end)) {
            end++;
        }
        return end;
    }

    private int runs(int from, int to) {
        int count = 0;
        for (int at = from; at < to; at = runEnd(at)) {
            count++;
        }
        return count;
    }

    private boolean continues(int from, int at) {
        return sources[at] == sources[from]
                && (sources[from] == PatchMap.GAP || offsets[at] == offsets[from] + (at - from));
    }

    /** Compares one answer of the map, with the two bytes at its end. */
    void requireAt(PatchMap map, int position) {
        Piece piece = map.at(position);
        int end = (int) Math.min(piece.end(), sources.length);
        boolean same = piece.position() == position
                && piece.source() == sources[position]
                && piece.offset() == offsets[position]
                && continues(position, end - 1)
                && (end == sources.length || !continues(position, end));
        if (!same) {
            throw new AssertionError("at " + position + " the map has " + piece + ", the file " + sources[position]
                    + ":" + offsets[position] + " up to " + runEnd(position));
        }
    }

    /** Compares every position, the entries, which must be as few as can be, and the sums of each source. */
    void requireSame(PatchMap map, int sourceCount) {
        int[] next = new int[1];
        int[] pieces = new int[1];
        map.visit(0, sources.length, (position, length, source, offset) -> {
            int at = next[0];
            boolean same =
                    position == at && source == sources[at] && offset == offsets[at] && position + length == runEnd(at);
            if (!same) {
                throw new AssertionError("the map has " + new Piece(position, length, source, offset) + ", the file at "
                        + at + " " + sources[at] + ":" + offsets[at] + " up to " + runEnd(at));
            }
            next[0] = (int) (position + length);
            pieces[0] += source == PatchMap.GAP ? 0 : 1;
        });
        require(next[0], sources.length, "end of the last piece");
        require(map.entries(), pieces[0], "entries");
        requireSums(map, sourceCount);
    }

    private void requireSums(PatchMap map, int sourceCount) {
        long[] live = new long[sourceCount];
        int[] entries = new int[sourceCount];
        for (int at = 0, end; at < sources.length; at = end) {
            end = runEnd(at);
            if (sources[at] != PatchMap.GAP) {
                live[sources[at]] += end - at;
                entries[sources[at]]++;
            }
        }
        for (int source = 0; source < sourceCount; source++) {
            require(map.live(source), live[source], "live bytes of a source");
            require(map.entries(source), entries[source], "entries of a source");
        }
    }

    /** Quicker than an assertion of the library, for millions of calls. */
    private static void require(long actual, long expected, String name) {
        if (actual != expected) {
            throw new AssertionError(name + ": " + actual + " instead of " + expected);
        }
    }

    /** Compares the number of ranges in a part of the file. */
    void requireRanges(PatchMap map, int from, int to) {
        require(map.ranges(from, to), runs(from, to), "ranges");
    }
}
