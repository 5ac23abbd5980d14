package io.ecfs.message.ring;

import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Position of a ring by the leader's monotonic clock, sent to a datanode with each answer to its heartbeat. Between two
 * of them the datanode counts on by its own clock. A clock of a lower epoch than one seen before is refused.
 *
 * @param epoch grows with each change of the ring
 * @param periodMillis time between two turns
 * @param position in [0, colours)
 * @param millisToMove until the next turn, in [0, periodMillis]
 * @param paused true: positions do not move, and all volumes write at once as those of no ring
 * @param volumes of the datanode that it is sent to, spares left out
 */
public record RingClock(
        RingId ring,
        long epoch,
        int colours,
        int writers,
        long periodMillis,
        int position,
        long millisToMove,
        boolean paused,
        List<Coloured> volumes) {
    /** Time for which a volume is quiet before it reads again, and least distance of two turns over 4. */
    public static final long GUARD_MILLIS = 250;

    /** A volume and its colour, in [0, colours). */
    public record Coloured(VolumeId volume, int colour) {
        public Coloured {
            Objects.requireNonNull(volume, "volume");
        }
    }

    public RingClock {
        Objects.requireNonNull(ring, "ring");
        volumes = List.copyOf(volumes);
        int limit = new Ring(colours, writers).colours();
        if (epoch < 1 || periodMillis < 1 || position < 0 || position >= limit) {
            throw new IllegalArgumentException("clock of " + ring + " in epoch " + epoch + " with the period "
                    + periodMillis + " ms at position " + position + " of " + limit);
        }
        if (millisToMove < 0 || millisToMove > periodMillis) {
            throw new IllegalArgumentException(
                    ring + " turns in " + millisToMove + " ms, with a period of " + periodMillis + " ms");
        }
        if (volumes.stream().anyMatch(volume -> volume.colour() < 0 || volume.colour() >= limit)) {
            throw new IllegalArgumentException("colours of " + ring + " are below " + limit + ": " + volumes);
        }
    }

    public Ring shape() {
        return new Ring(colours, writers);
    }

    /** Colour of a volume of this datanode; empty when it has none in this ring. */
    public OptionalInt colourOf(VolumeId volume) {
        return volumes.stream()
                .filter(coloured -> coloured.volume().equals(volume))
                .mapToInt(Coloured::colour)
                .findFirst();
    }
}
