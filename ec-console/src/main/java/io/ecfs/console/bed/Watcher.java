package io.ecfs.console.bed;

/** Is told what clients read, and may move chunks. */
interface Watcher {
    /** Does nothing. */
    Watcher NONE = blocks -> {};

    /** A client reads these blocks together. */
    void read(int[] blocks);

    /** Of memory that what it was told takes on a namenode. */
    default long statisticsBytes() {
        return 0;
    }

    /** Chunks that it moved. */
    default long moves() {
        return 0;
    }
}
