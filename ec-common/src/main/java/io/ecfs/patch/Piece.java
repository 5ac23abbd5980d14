package io.ecfs.patch;

/**
 * A range of a file whose bytes lie one behind another in one source, or of which a {@link PatchMap} has no entry.
 *
 * @param position of its first byte in the file
 * @param source number of the source, or {@link PatchMap#GAP}
 * @param offset of its first byte in the source; 0 for a gap
 */
public record Piece(long position, long length, int source, long offset) {
    /** Returns whether the map has no entry for these bytes: they are in the file's extents, or zeros. */
    public boolean gap() {
        return source == PatchMap.GAP;
    }

    public long end() {
        return position + length;
    }
}
