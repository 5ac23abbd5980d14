package io.ecfs.namenode.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of what is rewritten without being asked for.
 *
 * @param cleanBelow a pack is cleaned whose live bytes are a smaller share than this; 0: none is
 * @param joinAfter time without a change after which the extents that appends left are joined
 * @param period time from the begin of a walk over all files, or groups, to that of the next
 */
public record RewriteSettings(double cleanBelow, Duration joinAfter, Duration period) {
    public RewriteSettings {
        Objects.requireNonNull(joinAfter, "joinAfter");
        Objects.requireNonNull(period, "period");
        if (!(cleanBelow >= 0 && cleanBelow <= 0.9)) {
            throw new IllegalArgumentException("rewrite.cleanBelow must be in [0, 0.9], got " + cleanBelow);
        }
        if (joinAfter.isNegative() || period.toMillis() < 1) {
            throw new IllegalArgumentException("rewrite needs a period of at least 1 ms and a joinAfter that is not"
                    + " negative, got " + period + " and " + joinAfter);
        }
    }

    public static RewriteSettings defaults() {
        return new RewriteSettings(0.6, Duration.ofMinutes(1), Duration.ofMinutes(1));
    }
}
