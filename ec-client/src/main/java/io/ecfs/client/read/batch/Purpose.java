package io.ecfs.client.read.batch;

/** What many ranges are read for together. */
enum Purpose {
    /** Somebody waits for their bytes. */
    READ,
    /**
     * Their bytes are written elsewhere: there is no joint plan, so that data chunks are read, which costs volumes
     * least, and the groups are not recorded as read together.
     */
    COPY,
    /** Their plan is explained, and nothing is read. */
    EXPLAIN
}
