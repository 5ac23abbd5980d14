package io.ecfs.datanode.store.ring.turn;

import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingClock;
import java.util.Optional;

/**
 * Position of one ring between the clocks that the leader sends, by this machine's monotonic clock. It never goes back:
 * what it is off by is made up for at a tenth of the speed of time. While no leader sends a clock it goes on, and while
 * the ring is paused it stands still. For one thread.
 */
final class RingPhase {
    private static final long MILLI = 1_000_000;
    private static final long SLEW = 10; // one in so many nanoseconds

    private RingClock clock;
    private long at;
    private long phase; // nanoseconds since position 0, at that time
    private long error; // to be added to it yet

    RingPhase(RingClock first, long nowNanos) {
        this.clock = first;
        this.at = nowNanos;
        this.phase = measured(first);
    }

    private static long measured(RingClock clock) {
        return (clock.position() * clock.periodMillis() + clock.periodMillis() - clock.millisToMove()) * MILLI;
    }

    /** @return false for a clock of an epoch that is over */
    boolean follow(RingClock next, long nowNanos) {
        if (next.epoch() < clock.epoch()) {
            return false;
        }
        boolean begins = next.periodMillis() != clock.periodMillis() || next.colours() != clock.colours();
        boolean stands = clock.paused() || next.paused();
        long before = phase(nowNanos);
        at = nowNanos;
        clock = next;
        if (begins || stands) {
            phase = measured(next);
            error = 0;
        } else {
            phase = before;
            long off = Math.floorMod(measured(next) - before, cycle());
            error = off > cycle() / 2 ? off - cycle() : off;
        }
        return true;
    }

    RingClock clock() {
        return clock;
    }

    int position(long nowNanos) {
        return Math.toIntExact(Math.floorMod(phase(nowNanos), cycle()) / period());
    }

    long nanosToMove(long nowNanos) {
        return period() - Math.floorMod(phase(nowNanos), period());
    }

    /** Time by which it is off yet. */
    long skewNanos(long nowNanos) {
        return Math.abs(error) - slewed(nowNanos);
    }

    /** Time until each position comes again. */
    long cycle() {
        return period() * clock.colours();
    }

    /** Colour of a volume of this datanode; empty when the ring does not have it, or it is a spare. */
    Optional<Integer> colourOf(VolumeId volume) {
        return clock.colourOf(volume).stream().boxed().findFirst();
    }

    private long period() {
        return clock.periodMillis() * MILLI;
    }

    private long phase(long nowNanos) {
        return clock.paused() ? phase : phase + (nowNanos - at) + Long.signum(error) * slewed(nowNanos);
    }

    private long slewed(long nowNanos) {
        return Math.min(Math.abs(error), (nowNanos - at) / SLEW);
    }
}
