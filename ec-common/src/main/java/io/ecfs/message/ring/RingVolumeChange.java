package io.ecfs.message.ring;

import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import java.util.Objects;
import java.util.Optional;

/**
 * A volume's place in a ring before and after a change of it.
 *
 * @param from empty: it was not in the ring
 * @param to empty: it is not in the ring any more
 * @param colour that it has now, or had last; empty: it is or was a spare
 */
public record RingVolumeChange(VolumeId volume, Optional<Duty> from, Optional<Duty> to, Optional<Integer> colour) {
    public RingVolumeChange {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(colour, "colour");
        if (from.isEmpty() && to.isEmpty()) {
            throw new IllegalArgumentException(volume + " is in the ring neither before nor after the change");
        }
    }
}
