package io.ecfs.namenode.rebalance;

import java.util.ArrayDeque;

/** Totals of moves for cheaper reads in this leader's term. Owner thread: the namenode's event thread. */
public final class MoverTotals {
    /** Durations that are stored: the latest. */
    private static final int MOST_TIMES = 1_000;

    private static final double TAIL = 0.99;
    private static final double MILLI = 1000;

    private final ArrayDeque<Long> tookMillis = new ArrayDeque<>();
    private long begun;
    private long moved;
    private long failed;
    private long bytes;
    private double predicted;
    private long judged;
    private double realised;

    /**
     * @param bytes of chunks that moved
     * @param predictedMilli expected gain of the moves that were measured, in thousandths
     * @param realisedMilli their measured gain
     * @param tailMillis 99 of 100 moves took no longer
     */
    public record Sums(
            long begun,
            long moved,
            long failed,
            long bytes,
            long judged,
            long predictedMilli,
            long realisedMilli,
            long tailMillis) {
        public static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0, 0, 0);
    }

    void begun() {
        begun++;
    }

    void failed() {
        failed++;
    }

    void moved(Relocation move, long millis) {
        moved++;
        bytes += move.bytes();
        tookMillis.add(millis);
        if (tookMillis.size() > MOST_TIMES) {
            tookMillis.remove();
        }
    }

    void judged(Relocation move, double gained) {
        judged++;
        predicted += move.gain();
        realised += gained;
    }

    Sums sums() {
        long[] sorted = tookMillis.stream().mapToLong(Long::longValue).sorted().toArray();
        return new Sums(
                begun,
                moved,
                failed,
                bytes,
                judged,
                Math.round(predicted * MILLI),
                Math.round(realised * MILLI),
                sorted.length == 0 ? 0 : sorted[(int) Math.ceil(sorted.length * TAIL) - 1]);
    }
}
