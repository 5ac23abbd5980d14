package io.ecfs.datanode.repair;

import io.ecfs.datanode.repair.RepairSettings.Limit;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Rate of all reading under a {@link Limit}: lower while users exchange bytes with this datanode. For one
 * {@link RepairPace}, under its lock.
 */
final class UserRate implements RepairPace.Rate {
    private static final long NANOS = 1_000_000_000L;
    private static final long NOTHING = -1;

    private final Limit limit;
    private final LongSupplier userBytes;
    /** Operator's value in place of {@link Limit#bytesPerSecond}; {@link #NOTHING} for none. */
    private volatile long operatorLimit = NOTHING;

    private long userBytesThen;

    /** @param userBytes exchanged with clients so far */
    UserRate(Limit limit, LongSupplier userBytes) {
        this.limit = limit;
        this.userBytes = userBytes;
        this.userBytesThen = userBytes.getAsLong();
    }

    /**
     * Sets an operator's limit in place of the configured one; it is still lowered while users are busy. Any thread.
     */
    void setOperatorLimit(Optional<Long> bytesPerSecond) {
        operatorLimit = bytesPerSecond.orElse(NOTHING);
    }

    @Override
    public long everyNanos() {
        return NANOS;
    }

    @Override
    public long after(long nanos) {
        long bytes = userBytes.getAsLong();
        boolean busy = (double) (bytes - userBytesThen) * NANOS / Math.max(1, nanos) > limit.busyAbove();
        userBytesThen = bytes;
        long operator = operatorLimit;
        return (operator == NOTHING ? limit : limit.atMost(operator)).rate(nanos > 0 && busy);
    }
}
