package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** Counts reads that wait for the disk, so that those that began before a turn can be served before writes begin. */
final class ReadsInFlight {
    @GuardedBy("this")
    private final long[] begun = new long[2];

    @GuardedBy("this")
    private int present;

    @GuardedBy("this")
    private long ended;

    /** One read; closed when it has ended. */
    final class Read implements AutoCloseable {
        private final int turn;

        private Read(int turn) {
            this.turn = turn;
        }

        @Override
        public void close() {
            synchronized (ReadsInFlight.this) {
                begun[turn]--;
                ended++;
            }
        }
    }

    synchronized Read begin() {
        begun[present]++;
        return new Read(present);
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
