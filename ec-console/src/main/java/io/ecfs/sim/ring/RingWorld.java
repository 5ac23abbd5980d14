package io.ecfs.sim.ring;

import java.time.Duration;
import java.util.Objects;

/**
 * The ring of a world: one volume of each datanode is in it, the last one's as a spare.
 *
 * @param writers to begin with
 * @param outlivesPower false: journals are in memory, and gone when a machine loses power
 * @param journalBytes of each volume's
 * @param everywhere whether all files lie in it, and not those of some clients only
 * @param commands whether it is changed meanwhile
 */
public record RingWorld(
        int colours,
        int writers,
        Duration period,
        boolean outlivesPower,
        long journalBytes,
        boolean everywhere,
        boolean commands) {
    public static final String NAME = "flash";

    /** Small, so that segments end and are freed within a minute. */
    static final long SEGMENT_BYTES = 32 << 10;

    public RingWorld {
        Objects.requireNonNull(period, "period");
    }
}
