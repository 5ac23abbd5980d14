package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;

/** Counts reads that wait for the disk, so that those that began before a turn can be served before writes begin. */
final class ReadsInFlight {
    @GuardedBy("this")
    private final long[] begun = new long[2];

    @GuardedBy("this")
    private int present;

    @GuardedBy("this")
    private long ended;

    /** A read of the disk. */
    interface DiskRead<T> {
        T run() throws IOException;
    }

    /** Runs a read, which counts until it has ended. */
    <T> T count(DiskRead<T> read) throws IOException {
        int turn = begin();
        try {
            return read.run();
        } finally {
            end(turn);
        }
    }

    private synchronized int begin() {
        begun[present]++;
        return present;
    }

    private synchronized void end(int turn) {
        begun[turn]--;
        ended++;
    }

    /** From now on reads count as later ones. Not called again before the earlier ones have ended, or are given up. */
    synchronized void turn() {
        present = 1 - present;
    }

    /** Returns whether all reads that began before the turn have ended. */
    synchronized boolean earlierEnded() {
        return begun[1 - present] <= 0;
    }

    synchronized long ended() {
        return ended;
    }
}
