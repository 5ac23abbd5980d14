package io.ecfs.namenode.cluster;

import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingState;
import java.util.Objects;

/**
 * A ring of volumes.
 *
 * @param epoch grows with each change of the ring or of its volumes
 * @param adaptive whether the leader chooses the writers by demand
 * @param paused whether its volumes write at once as those of no ring
 * @param dropping whether its groups are moved to volumes of no ring
 */
public record RingFacts(
        RingId ring,
        String name,
        long epoch,
        Ring shape,
        boolean adaptive,
        boolean paused,
        boolean dropping,
        long periodMillis) {
    public RingFacts {
        Objects.requireNonNull(ring, "ring");
        RingState.checkName(name);
        Objects.requireNonNull(shape, "shape");
        if (epoch < 1 || periodMillis < 1) {
            throw new IllegalArgumentException(
                    "ring " + name + " in epoch " + epoch + " with a period of " + periodMillis + " ms");
        }
    }

    /** As events have it. */
    public RingSettings settings() {
        return new RingSettings(shape.colours(), shape.writers(), adaptive, periodMillis, paused, dropping);
    }

    /** The same in the next epoch. */
    public RingFacts next() {
        return later(1);
    }

    /** The same so many epochs later. */
    RingFacts later(long epochs) {
        return new RingFacts(ring, name, epoch + epochs, shape, adaptive, paused, dropping, periodMillis);
    }

    public RingFacts writing(int writers) {
        Ring other = new Ring(shape.colours(), writers);
        return new RingFacts(ring, name, epoch, other, adaptive, paused, dropping, periodMillis);
    }

    public RingFacts adaptive(boolean byDemand) {
        return new RingFacts(ring, name, epoch, shape, byDemand, paused, dropping, periodMillis);
    }

    public RingFacts turningEvery(long millis) {
        return new RingFacts(ring, name, epoch, shape, adaptive, paused, dropping, millis);
    }

    public RingFacts paused(boolean yes) {
        return new RingFacts(ring, name, epoch, shape, adaptive, yes, dropping, periodMillis);
    }

    /** The same while its groups are moved to volumes of no ring. */
    public RingFacts drained() {
        return new RingFacts(ring, name, epoch, shape, adaptive, paused, true, periodMillis);
    }
}
