package io.ecfs.datanode.repair;

import io.ecfs.datanode.repair.RepairSettings.Limit;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a {@link Limit} allows for all reading: less while users exchange bytes with this datanode. For one
 * {@link RepairPace}, under its lock.
 */
final class UserRate implements RepairPace.Rate {
    private static final long NANOS = 1_000_000_000L;
    private static final long NOTHING = -1;

    private final Limit limit;
    private final LongSupplier userBytes;
    /** In place of {@link Limit#bytesPerSecond}; {@link #NOTHING} for none. */
    private volatile long told = NOTHING;

    private long userBytesThen;

    /** @param userBytes exchanged with clients so far */
    UserRate(Limit limit, LongSupplier userBytes) {
        this.limit = limit;
        this.userBytes = userBytes;
        this.userBytesThen = userBytes.getAsLong();
    }

    /** What an operator set in place of the configured bytes a second; users go first all the same. Any thread. */
    void told(Optional<Long> bytesPerSecond) {
        told = bytesPerSecond.orElse(NOTHING);
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
        long operator = told;
        return (operator == NOTHING ? limit : limit.atMost(operator)).rate(nanos > 0 && busy);
    }
}
