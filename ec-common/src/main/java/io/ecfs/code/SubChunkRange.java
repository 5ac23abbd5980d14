package io.ecfs.code;

/** The sub-chunks {@code [from, to)} of each cell of a chunk. */
public record SubChunkRange(int from, int to) {
    public SubChunkRange {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("sub-chunk range [" + from + ", " + to + ") is empty or negative");
        }
    }

    public int count() {
        return to - from;
    }
}
