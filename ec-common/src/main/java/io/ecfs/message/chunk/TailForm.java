package io.ecfs.message.chunk;

/** How a tail record lies on the chunks of its group; any m losses leave either readable. */
public enum TailForm {
    /** The bytes themselves, on m + 1 chunks. */
    MIRRORED,
    /** Each chunk has its cell of a group that consists of this record alone. */
    CODED
}
