package io.ecfs.message.report;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.util.Objects;

/**
 * A chunk that a datanode has and the namenodes' facts do not place there, and that is not proven to be garbage: it
 * stays.
 *
 * @param datanode name of the one that has the volume; empty when no datanode has it any more
 * @param stamp of the group that it was made for; see {@link ChunkRecord}
 * @param bytes on the datanode's disk
 * @param why it is no part of a group's facts, for people
 */
public record OrphanChunk(
        String datanode, VolumeId volume, ChunkId chunk, int stamp, ChunkState state, long bytes, String why) {
    public OrphanChunk {
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(why, "why");
    }
}
