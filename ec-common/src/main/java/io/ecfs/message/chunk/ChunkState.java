package io.ecfs.message.chunk;

/** State of a chunk on a datanode. */
public enum ChunkState {
    /** Open for its writer, or left so by a crash and cut back to its last verified byte. */
    BEING_WRITTEN,
    /** Whole and immutable. */
    FINALISED,
    /** Finalised once, but bytes no longer match their checksums. */
    CORRUPT
}
