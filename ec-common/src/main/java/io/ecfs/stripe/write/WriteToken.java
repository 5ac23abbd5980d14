package io.ecfs.stripe.write;

import io.ecfs.env.Clock;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.namespace.LocatedGroup;
import java.time.Duration;

/**
 * The tokens to write one group, itself and through a relay, and when to ask for others. Owned by the writer's owner
 * thread.
 */
public final class WriteToken {
    /**
     * Tokens that live longer, as those of releases of level 1, are renewed so soon too: the level may be raised
     * meanwhile.
     */
    private static final Duration AT_LATEST = Duration.ofMinutes(30);

    /** Between two requests, whatever the clocks say. */
    private static final Duration AT_EARLIEST = Duration.ofSeconds(10);

    private final Clock clock;
    private LocatedGroup granted;
    private long dueNanos;
    private boolean underWay;

    /** @param granted open, by the namenode to its writer */
    public WriteToken(LocatedGroup granted, Clock clock) {
        this.clock = clock;
        renewed(granted);
    }

    public BlockToken now() {
        return granted.token();
    }

    /** The group as the namenode located it last: the relay token is signed over these chunks and addresses. */
    public LocatedGroup granted() {
        return granted;
    }

    /** Returns whether half of its life is over: a namenode that is away for a while stops no writer. */
    public boolean due() {
        return !underWay && clock.nanos() - dueNanos >= 0;
    }

    /** Another one is asked for. */
    public void asked() {
        underWay = true;
    }

    /** None came: it is asked for again. */
    public void notRenewed() {
        underWay = false;
        dueNanos = clock.nanos() + AT_EARLIEST.toNanos();
    }

    /** @param other the group with its new tokens */
    public void renewed(LocatedGroup other) {
        underWay = false;
        granted = other;
        long half = (now().expiresAtMillis() - clock.epochMillis()) / 2;
        long wait = Math.max(AT_EARLIEST.toMillis(), Math.min(AT_LATEST.toMillis(), half));
        dueNanos = clock.nanos() + Duration.ofMillis(wait).toNanos();
    }
}
