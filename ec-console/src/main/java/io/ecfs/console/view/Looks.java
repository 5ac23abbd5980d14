package io.ecfs.console.view;

import java.time.Duration;

/** The pace at which a command that follows a cluster looks at it again: the only place of this package where time passes. */
final class Looks {
    private final Duration between;
    private final long beginNanos = System.nanoTime();

    private Looks(Duration between) {
        this.between = between;
    }

    /** Begins now. */
    static Looks every(Duration between) {
        return new Looks(between);
    }

    /** Waits until it is time for the next look. */
    void pause() throws InterruptedException {
        Thread.sleep(between.toMillis());
    }

    /** Whether so much time has passed since the beginning. */
    boolean passed(Duration time) {
        return System.nanoTime() - beginNanos >= time.toNanos();
    }
}
