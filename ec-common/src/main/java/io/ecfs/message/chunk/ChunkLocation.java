package io.ecfs.message.chunk;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.Objects;

/**
 * Location of one chunk, in one record so that no parallel lists can disagree.
 *
 * @param state what is known of it at the moment
 */
public record ChunkLocation(
        ChunkId chunk, VolumeId volume, DatanodeId datanode, Address address, String rack, State state) {
    /** Availability to a reader. */
    public enum State {
        /** Its datanode is alive and reports it. */
        LIVE,
        /** Its datanode is alive and has not (yet) reported it, or reports it corrupt. */
        MISSING,
        /** Its datanode has sent no heartbeat lately. */
        UNREACHABLE,
        /**
         * Its datanode reports it and is in maintenance, or its volume failed: it may stop at any moment, and is read
         * last.
         */
        LAST_RESORT
    }

    public ChunkLocation {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(rack, "rack");
        Objects.requireNonNull(state, "state");
    }
}
