package io.ecfs.namenode.cluster;

import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import java.util.Objects;
import java.util.Optional;

/**
 * A volume's place in a ring. Its colour never changes while it has chunks, so that what a group tolerates changes with
 * the group alone.
 *
 * @param colour empty: a spare
 */
public record RingMember(VolumeId volume, RingId ring, Duty duty, Optional<Integer> colour) {
    public RingMember {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(duty, "duty");
        if (colour.isPresent() == (duty == Duty.SPARE)) {
            throw new IllegalArgumentException(volume + " is " + duty + " in " + ring + " with the colour " + colour);
        }
    }

    public static RingMember active(VolumeId volume, RingId ring, int colour) {
        return new RingMember(volume, ring, Duty.ACTIVE, Optional.of(colour));
    }

    public static RingMember spare(VolumeId volume, RingId ring) {
        return new RingMember(volume, ring, Duty.SPARE, Optional.empty());
    }

    /** The same on its way out: its chunks are moved to others. */
    public RingMember leaving() {
        return new RingMember(volume, ring, Duty.LEAVING, colour);
    }

    public boolean is(Duty wanted) {
        return duty == wanted;
    }
}
