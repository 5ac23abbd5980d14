package io.ecfs.message.chunk;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.Objects;
import java.util.Optional;

/**
 * A chunk that a reader could not use: exactly this chunk on exactly this volume (HDFS-17003 blamed its neighbours).
 */
public record BadChunk(ChunkId chunk, VolumeId volume, DatanodeId datanode, Reason reason) {
    public enum Reason {
        CORRUPT,
        MISSING
    }

    public BadChunk {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(reason, "reason");
    }

    /** The fault of a chunk that a failed read shows; empty when the fault is its datanode's or the network's. */
    public static Optional<BadChunk> of(ChunkLocation chunk, EcfsException failure) {
        Optional<Reason> reason = switch (failure.code()) {
            case CHUNK_CORRUPT -> Optional.of(Reason.CORRUPT);
            case CHUNK_MISSING -> Optional.of(Reason.MISSING);
            default -> Optional.empty();
        };
        return reason.map(why -> new BadChunk(chunk.chunk(), chunk.volume(), chunk.datanode(), why));
    }
}
