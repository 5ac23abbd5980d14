package io.ecfs.console.view;

import io.ecfs.env.Clock;
import io.ecfs.env.real.RealEnvironment;
import java.time.Duration;

/**
 * The pace at which something is looked at again until it is as wanted, or the patience with it is over. Here commands
 * let time pass. Any thread may ask; each waits for itself.
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

    /** Waits until it is time for the next look. */
    public void pause() throws InterruptedException {
        Thread.sleep(between.toMillis());
    }

    /** Whether so much time has passed since the beginning. */
    public boolean passed(Duration time) {
        return clock.nanos() - beginNanos >= time.toNanos();
    }
}
