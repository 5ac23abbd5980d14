package io.ecfs.stripe.write;

import io.ecfs.message.chunk.BlockToken;
import java.time.Duration;

/** The token to write one group, and when to ask for another one. Owned by the writer's owner thread. */
public final class WriteToken {
    /**
     * Tokens that live longer, as those of releases of level 1, are renewed so soon too: the level may be raised
     * meanwhile.
     */
    private static final Duration AT_LATEST = Duration.ofMinutes(30);

    /** Between two requests, whatever the clocks say. */
    private static final Duration AT_EARLIEST = Duration.ofSeconds(10);

    private final WriteTimes times;
    private BlockToken token;
    private long dueNanos;
    private boolean underWay;

    WriteToken(BlockToken given, WriteTimes times) {
        this.times = times;
        renewed(given);
    }

    public BlockToken now() {
        return token;
    }

    /** Returns whether half of its life is over: a namenode that is away for a while stops no writer. */
    public boolean due() {
        return !underWay && times.now() - dueNanos >= 0;
    }

    /** Another one is asked for. */
    public void asked() {
        underWay = true;
    }

    /** None came: it is asked for again. */
    public void notRenewed() {
        underWay = false;
        dueNanos = times.now() + AT_EARLIEST.toNanos();
    }

    public void renewed(BlockToken other) {
        underWay = false;
        token = other;
        long half = (other.expiresAtMillis() - times.epochMillis()) / 2;
        long wait = Math.max(AT_EARLIEST.toMillis(), Math.min(AT_LATEST.toMillis(), half));
        dueNanos = times.now() + Duration.ofMillis(wait).toNanos();
    }
}
