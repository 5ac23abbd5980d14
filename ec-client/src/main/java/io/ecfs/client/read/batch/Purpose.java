package io.ecfs.client.read.batch;

/** What many ranges are read for together. */
enum Purpose {
    /** Somebody waits for their bytes. */
    READ,
    /**
     * Their bytes are moved, in the background: there is no joint plan, so that data chunks are read, which costs
     * volumes least, and nobody is told that they are wanted together.
     */
    MOVE,
    /** Their plan is explained, and nothing is read. */
    EXPLAIN
}
