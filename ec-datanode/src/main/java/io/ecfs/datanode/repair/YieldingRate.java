package io.ecfs.datanode.repair;

import java.util.function.DoubleSupplier;

/**
 * Rate of background work, which uses only idle processors. It begins with the least, grows slowly while enough of the
 * processors are idle and is halved when too few are, regardless of what uses them: local reads of this machine's files
 * show in no other measure, and this work is the least urgent. For one {@link RepairPace}, under its lock.
 */
final class YieldingRate implements RepairPace.Rate {
    private static final long EVERY_NANOS = 250_000_000L;
    private static final double LITTLE_IDLE = 0.25;
    private static final double ENOUGH_IDLE = 0.4;
    private static final double GROWTH = 1.25;
    /** Upper bound, above what any datanode reads. */
    private static final long MOST = 1L << 32;

    private final long least;
    private final DoubleSupplier idle;
    private long rate;

    /**
     * @param least bytes a second; 0: no limit, whatever the load
     * @param idle share of the machine's processors that was idle since the last call, NaN when that is not known
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
