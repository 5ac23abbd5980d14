package io.ecfs.env.real;

import io.ecfs.env.Clock;
import java.time.Duration;

/**
 * Interval and timeout of a poll loop on a real machine, such as of a command. For any thread; each waits for itself.
 */
public final class Poller {
    private final Clock clock;
    private final Duration between;
    private final long beginNanos;

    private Poller(Clock clock, Duration between) {
        this.clock = clock;
        this.between = between;
        this.beginNanos = clock.nanos();
    }

    /** Begins now, by the clock of this machine. */
    public static Poller every(Duration between) {
        return new Poller(RealEnvironment.open().clock(), between);
    }

    /** Waits until the next poll is due. */
    public void pause() throws InterruptedException {
        Thread.sleep(between.toMillis());
    }

    /** True when this time has passed since the start. */
    public boolean passed(Duration time) {
        return clock.nanos() - beginNanos >= time.toNanos();
    }
}
