package io.ecfs.namenode.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of what is rewritten without being asked for.
 *
 * @param cleanBelow packs are cleaned whose live bytes are a smaller share than this; 0: none is
 * @param deadShare of the bytes of all packs that stays dead while there is room
 * @param joinAfter time without a change after which the extents that appends left are joined
 * @param period time from the begin of a walk over all files, or groups, to that of the next
 */
public record RewriteSettings(double cleanBelow, double deadShare, Duration joinAfter, Duration period) {
    public RewriteSettings {
        Objects.requireNonNull(joinAfter, "joinAfter");
        Objects.requireNonNull(period, "period");
        if (!(cleanBelow >= 0 && cleanBelow <= 0.9 && deadShare >= 0 && deadShare <= 1)) {
            throw new IllegalArgumentException("rewrite needs a cleanBelow in [0, 0.9] and a deadShare in [0, 1], got "
                    + cleanBelow + " and " + deadShare);
        }
        if (joinAfter.isNegative() || period.toMillis() < 1) {
            throw new IllegalArgumentException("rewrite needs a period of at least 1 ms and a joinAfter that is not"
                    + " negative, got " + period + " and " + joinAfter);
        }
    }

    /** The same, with no byte that stays dead. */
    public RewriteSettings leavingNothingDead() {
        return new RewriteSettings(cleanBelow, 0, joinAfter, period);
    }

    public static RewriteSettings defaults() {
        return new RewriteSettings(0.6, 0.3, Duration.ofMinutes(1), Duration.ofMinutes(1));
    }
}
