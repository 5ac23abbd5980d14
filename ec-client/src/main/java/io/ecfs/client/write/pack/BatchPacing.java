package io.ecfs.client.write.pack;

import java.util.concurrent.TimeUnit;

/**
 * Decides when the files that wait become the next batch of a pack. Batches of few files cost the most a file. So files
 * that end while the batch before is being committed wait for its end. And threads that closed a file with that batch
 * are likely to close another one soon: the next batch waits for as many files as that had, and for those that waited
 * already, but at most the shorter of that batch's time and 10 ms. A writer that is alone never waits. For one thread
 * at a time.
 */
final class BatchPacing {
    /** So many bytes that wait are a batch of their own. */
    static final long MANY_BYTES = 1L << 20;

    /** A delay that only the answer to a commit ends. */
    static final long UNTIL_COMMITTED = Long.MAX_VALUE;

    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private int expected;
    private long untilNanos;

    /**
     * A batch was committed, or failed to be.
     *
     * @param files of the batch
     * @param waiting files that wait for the next one
     * @param begunNanos when the batch was begun
     */
    void answered(int files, int waiting, long begunNanos, long nowNanos) {
        expected = files + waiting;
        untilNanos = nowNanos + Math.min(nowNanos - begunNanos, MAX_WAIT_NANOS);
    }

    /**
     * The time for which files that wait should wait on, unless more come.
     *
     * @param files that wait, at least one
     * @param bytes of these
     * @param committing whether a batch is being committed
     * @return 0: they are the next batch
     */
    long delayNanos(int files, long bytes, boolean committing, long nowNanos) {
        if (bytes >= MANY_BYTES) {
            return 0;
        }
        if (committing) {
            return UNTIL_COMMITTED;
        }
        return files >= expected ? 0 : Math.max(0, untilNanos - nowNanos);
    }
}
