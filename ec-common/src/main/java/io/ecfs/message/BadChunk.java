package io.ecfs.message;

import io.ecfs.layout.ChunkId;
import java.util.Objects;

/** A chunk that a reader could not use: exactly this chunk on exactly this volume (HDFS-17003 blamed its neighbours). */
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
}
