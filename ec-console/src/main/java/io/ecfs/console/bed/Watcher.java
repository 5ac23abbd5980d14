package io.ecfs.console.bed;

import java.util.OptionalLong;

/** Is told what clients read, and may move chunks. */
interface Watcher {
    /** Does nothing. */
    Watcher NONE = blocks -> {};

    /** A client reads these blocks together. */
    void read(int[] blocks);

    /** Of memory that what it was told takes on a namenode; empty where nothing is kept. */
    default OptionalLong statisticsBytes() {
        return OptionalLong.empty();
    }

    /** Chunks that it moved. */
    default long moves() {
        return 0;
    }
}
