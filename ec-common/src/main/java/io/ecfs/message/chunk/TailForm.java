package io.ecfs.message.chunk;

/** Form in which the chunks of a group store a tail record; either survives any m losses. */
public enum TailForm {
    /** The bytes themselves, on m + 1 chunks. */
    MIRRORED,
    /** Each chunk has its cell of a group that consists of this record alone. */
    CODED
}
