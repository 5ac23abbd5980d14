package io.ecfs.bench.bed.erails;

/**
 * Requests of a run: a stream of reads and one of writes, each with so many requests under way at most. A run is over
 * when all reads are done and all writes accepted, or when its time is.
 *
 * @param objectBytes of a request
 * @param reads in all; 0 for none
 * @param writes in all; 0 for none
 * @param readsPerWrite that are dispatched, or completed, for each write
 * @param mix whether reads wait for writes
 * @param readDepth reads under way
 * @param writeDepth writes under way
 * @param mostNanos of the run
 * @param warmNanos at its begin that are not measured
 */
public record Load(
        long objectBytes,
        long reads,
        long writes,
        double readsPerWrite,
        Mix mix,
        int readDepth,
        int writeDepth,
        long mostNanos,
        long warmNanos) {
    /** So many requests that a run ends with its time. */
    public static final long ENDLESS = Long.MAX_VALUE / 2;

    /** How the streams are related. */
    public enum Mix {
        /**
         * A write is dispatched with each so many reads, or as soon as fewer than the depth are under way: reads do not
         * wait for writes, and end first.
         */
        DISPATCH,
        /** The proportion is held among requests that are over: the slower stream holds up the other. */
        COMPLETED
    }

    public Load {
        if (objectBytes < 1 || reads < 0 || writes < 0 || reads + writes == 0) {
            throw new IllegalArgumentException("a load has requests of a byte at least, got " + reads + " reads and "
                    + writes + " writes of " + objectBytes);
        }
        if (!(readsPerWrite > 0) || readDepth < 1 || writeDepth < 1) {
            throw new IllegalArgumentException("a load has reads for each write and requests under way, got "
                    + readsPerWrite + ", " + readDepth + ", " + writeDepth);
        }
        if (mostNanos <= warmNanos || warmNanos < 0) {
            throw new IllegalArgumentException(
                    "a run is longer than what is not measured of it, got " + mostNanos + ", " + warmNanos);
        }
    }

    /** The same without writes. */
    public Load readOnly() {
        return new Load(objectBytes, reads, 0, readsPerWrite, mix, readDepth, writeDepth, mostNanos, warmNanos);
    }
}
