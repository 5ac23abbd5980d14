package io.ecfs.namenode.log.ratis;

import io.ecfs.env.Clock;
import java.time.Duration;

/**
 * Decides when a line is logged that is produced round after round: when it differs from the last one, or after a
 * minute.
 */
public final class RareLine {
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Clock clock;
    private String last = "";
    private long lastNanos;

    public RareLine(Clock clock) {
        this.clock = clock;
    }

    /** Returns whether the line is to be logged now; then it counts as logged. */
    public boolean due(String line) {
        long now = clock.nanos();
        if (last.equals(line) && now - lastNanos < AGAIN.toNanos()) {
            return false;
        }
        last = line;
        lastNanos = now;
        return true;
    }
}
