package io.ecfs.patch;

import static org.assertj.core.api.Assertions.assertThat;

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
        while (end < sources.length
                && sources[end] == sources[from]
                && (sources[from] == PatchMap.GAP || offsets[end] == offsets[from] + (end - from))) {
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

    /** Compares one answer of the map. */
    void requireAt(PatchMap map, int position) {
        Piece piece = map.at(position);
        boolean same = piece.position() == position
                && piece.source() == sources[position]
                && piece.offset() == offsets[position]
                && Math.min(piece.end(), sources.length) == runEnd(position);
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
        assertThat(next[0]).isEqualTo(sources.length);
        assertThat(map.entries()).isEqualTo(pieces[0]);
        for (int source = 0; source < sourceCount; source++) {
            requireSums(map, source);
        }
    }

    private void requireSums(PatchMap map, int source) {
        long live = 0;
        int entries = 0;
        for (int at = 0; at < sources.length; at = runEnd(at)) {
            if (sources[at] == source) {
                live += runEnd(at) - at;
                entries++;
            }
        }
        assertThat(map.live(source)).as("live bytes of source %d", source).isEqualTo(live);
        assertThat(map.entries(source)).as("entries of source %d", source).isEqualTo(entries);
    }

    /** Compares the number of ranges in a part of the file. */
    void requireRanges(PatchMap map, int from, int to) {
        assertThat(map.ranges(from, to)).as("ranges of [%d, %d)", from, to).isEqualTo(runs(from, to));
    }
}
