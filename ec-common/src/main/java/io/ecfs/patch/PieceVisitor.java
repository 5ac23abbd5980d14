package io.ecfs.patch;

/** Receives the pieces of a range of a file, in order. */
@FunctionalInterface
public interface PieceVisitor {
    /**
     * Called for each piece.
     *
     * @param position of its first byte in the file
     * @param source where its bytes are, or {@link PatchMap#GAP} when the map has no entry for them
     * @param offset of its first byte in the source; 0 for a gap
     */
    void visit(long position, long length, int source, long offset);
}
