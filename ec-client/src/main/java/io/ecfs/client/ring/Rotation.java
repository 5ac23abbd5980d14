package io.ecfs.client.ring;

import io.ecfs.layout.Ring;
import io.ecfs.message.ring.RingClock;
import io.ecfs.message.ring.RingState;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The position of a ring at any time, counted on from one that the leader reported. Times are nanoseconds of this
 * process's monotonic clock.
 *
 * @param position at the time before {@code turn}
 * @param turn time of the next turn
 * @param leastTurns turns behind {@code position} below which it does not go back
 */
record Rotation(Ring shape, long epoch, long period, int position, long turn, long leastTurns, boolean paused) {
    static final long GUARD = TimeUnit.MILLISECONDS.toNanos(RingClock.GUARD_MILLIS);

    private static final long NO_LEAST = Long.MIN_VALUE;

    Rotation {
        Objects.requireNonNull(shape, "shape");
        if (period < 1 || position < 0 || position >= shape.colours()) {
            throw new IllegalArgumentException(
                    "period of " + period + " ns at position " + position + " of " + shape.colours());
        }
    }

    /** The rotation by an answer of the leader, which is taken to be from the middle of the call. */
    static Rotation of(RingState state, long polled, long answered) {
        long reported = polled + (answered - polled) / 2;
        return new Rotation(
                state.shape(),
                state.epoch(),
                TimeUnit.MILLISECONDS.toNanos(state.periodMillis()),
                state.position(),
                reported + TimeUnit.MILLISECONDS.toNanos(state.millisToMove()),
                NO_LEAST,
                state.paused());
    }

    /**
     * This rotation, without a step back of one turn behind what was known of the same epoch, when its own turn is
     * near: calls take their time, and clocks differ.
     */
    Rotation after(Rotation known, long now) {
        boolean same = known.epoch == epoch && known.shape.equals(shape) && known.period == period;
        boolean behind = Math.floorMod(known.position(now) - position(now), shape.colours()) == 1;
        return same && !paused && behind && untilTurn(now) <= 2 * GUARD
                ? new Rotation(shape, epoch, period, position, turn, turns(now) + 1, false)
                : this;
    }

    /** Returns the position, in [0, colours). */
    int position(long now) {
        return at(Math.max(turns(now), leastTurns));
    }

    private int at(long turns) {
        return paused ? position : (int) Math.floorMod(position + turns, (long) shape.colours());
    }

    private long turns(long now) {
        return Math.floorDiv(now - turn, period) + 1;
    }

    /** Nanoseconds until the next turn; one period while the ring is paused. */
    long untilTurn(long now) {
        return paused ? period : period - Math.floorMod(now - turn, period);
    }

    ExpectedRole role(int colour, long now) {
        if (paused) {
            return ExpectedRole.READS;
        }
        if (shape.writes(colour, position(now))) {
            return ExpectedRole.WRITES;
        }
        return writes(colour, now - GUARD) || writes(colour, now + GUARD) ? ExpectedRole.TURNS : ExpectedRole.READS;
    }

    /** Returns whether a colour has the same role for the guard time before and after now. */
    boolean steady(int colour, long now) {
        boolean writes = shape.writes(colour, position(now));
        return paused || (writes(colour, now - GUARD) == writes && writes(colour, now + GUARD) == writes);
    }

    private boolean writes(int colour, long time) {
        return shape.writes(colour, at(turns(time)));
    }
}
