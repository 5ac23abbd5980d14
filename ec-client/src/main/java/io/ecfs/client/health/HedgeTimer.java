package io.ecfs.client.health;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The timer on which all reads in flight check for late chunks: one for all reads, and none while nothing is read.
 * Owned by the client's owner thread.
 */
public final class HedgeTimer {
    /** Reads in flight. */
    @FunctionalInterface
    public interface Poll {
        /** Checks which of its requests are late at this time. */
        void poll(long now);
    }

    private final Scheduler owner;
    private final Clock clock;
    private final Duration interval;
    private final Set<Poll> reads = new LinkedHashSet<>();
    private boolean ticking;

    public HedgeTimer(Scheduler owner, Clock clock, ClientConfig config) {
        this.owner = owner;
        this.clock = clock;
        Duration least = config.hedge().adaptive() ? config.hedge().least() : config.lateAfter();
        Duration shortest = least.compareTo(config.lateAfter()) < 0 ? least : config.lateAfter();
        this.interval = shortest.dividedBy(2);
    }

    public void add(Poll read) {
        reads.add(read);
        arm();
    }

    public void remove(Poll read) {
        reads.remove(read);
    }

    private void arm() {
        if (!ticking && !reads.isEmpty()) {
            ticking = true;
            owner.schedule(interval, this::tick);
        }
    }

    private void tick() {
        ticking = false;
        try {
            long now = clock.nanos();
            List.copyOf(reads).forEach(read -> read.poll(now));
        } finally {
            arm();
        }
    }
}
