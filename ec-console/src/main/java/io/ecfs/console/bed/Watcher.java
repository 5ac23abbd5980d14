package io.ecfs.console.bed;

/** Is told what clients read, and may move chunks. */
interface Watcher {
    /** Does nothing. */
    Watcher NONE = blocks -> {};

    /** A client reads these blocks together. */
    void read(int[] blocks);

    /** Chunks that it moved. */
    default long moves() {
        return 0;
    }
}
