package io.ecfs.datanode.repair;

import java.util.function.DoubleSupplier;

/**
 * For work that nobody waits for: what the machine's processors have left over. It begins with the least, grows slowly
 * while enough of them is idle and is halved when too little is, whoever uses them: a reader of this machine's files is
 * not seen in any other way, and where each byte costs the same, this work is the first that can wait. For one
 * {@link RepairPace}, under its lock.
 */
final class YieldingRate implements RepairPace.Rate {
    private static final long EVERY_NANOS = 250_000_000L;
    private static final double LITTLE_IDLE = 0.25;
    private static final double ENOUGH_IDLE = 0.4;
    private static final double GROWTH = 1.25;
    /** Faster than any datanode reads. */
    private static final long MOST = 1L << 32;

    private final long least;
    private final DoubleSupplier idle;
    private long rate;

    /**
     * @param least bytes a second; 0: no limit, whatever the machine does
     * @param idle share of the machine's processors that was idle since it was last asked, NaN when that is not known
     */
    YieldingRate(long least, DoubleSupplier idle) {
        this.least = least;
        this.idle = idle;
        this.rate = least;
    }

    @Override
    public long everyNanos() {
        return EVERY_NANOS;
    }

    @Override
    public long after(long nanos) {
        double share = idle.getAsDouble();
        if (Double.isNaN(share) && nanos > 0) {
            return 0;
        } else if (share < LITTLE_IDLE) {
            rate = Math.max(least, rate / 2);
        } else if (share > ENOUGH_IDLE) {
            rate = Math.min(Math.max(least, MOST), (long) (rate * GROWTH) + (least == 0 ? 0 : 1));
        }
        return rate;
    }
}
