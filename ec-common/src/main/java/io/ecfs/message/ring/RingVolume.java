package io.ecfs.message.ring;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import java.util.Objects;
import java.util.Optional;

/**
 * A volume of a ring.
 *
 * @param directory on its datanode; empty while the leader does not know it
 * @param colour empty: a spare
 * @param duty whether chunks are placed on it
 * @param state as reported last; empty while the datanode has not reported
 * @param status empty from a datanode that does not follow the ring's clock
 * @param journal whether it has one, without which it writes at every position; empty while its datanode has not
 *     registered at the leader
 */
public record RingVolume(
        VolumeId volume,
        DatanodeId datanode,
        Optional<String> directory,
        Optional<Integer> colour,
        Duty duty,
        Optional<VolumeState> state,
        Optional<RingVolumeStatus> status,
        Optional<Boolean> journal) {
    /** Its constants have numbers in rows. */
    public enum Duty {
        /** It has a colour, and takes chunks. */
        ACTIVE,
        /** It waits for a volume to fail, and has no chunks. */
        SPARE,
        /** Its chunks are being moved to others: it was removed, or a spare has taken its place. */
        LEAVING
    }

    public RingVolume {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(colour, "colour");
        Objects.requireNonNull(duty, "duty");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(journal, "journal");
        if (colour.isPresent() == (duty == Duty.SPARE)) {
            throw new IllegalArgumentException(volume + " is " + duty + " with the colour " + colour);
        }
    }
}
