package io.ecfs.namenode.cluster;

import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.placement.RingFit;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

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

    /**
     * Whether it serves policies.
     *
     * @param members its volumes
     * @param ownerOf the datanode of a volume
     */
    public RingFit fit(Collection<RingMember> members, Function<VolumeId, Optional<DatanodeId>> ownerOf) {
        TreeMap<VolumeId, Integer> colours = new TreeMap<>();
        TreeMap<VolumeId, DatanodeId> owners = new TreeMap<>();
        for (RingMember member : members) {
            if (member.is(Duty.ACTIVE)) {
                colours.put(member.volume(), member.colour().orElseThrow());
                ownerOf.apply(member.volume()).ifPresent(owner -> owners.put(member.volume(), owner));
            }
        }
        return new RingFit(name, shape, colours, owners);
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
    public RingFacts dropped() {
        return new RingFacts(ring, name, epoch, shape, adaptive, paused, true, periodMillis);
    }
}
