package io.ecfs.message.chunk;

import io.ecfs.layout.ChunkId;
import java.util.Objects;

/**
 * A chunk as the datanode that has it describes it.
 *
 * @param bytes verified length on disk, checksums not counted
 * @param fullStripeBytes for a chunk being written whose tail cell was begun: where the tail begins; otherwise
 *     {@code bytes}. Recovery counts full stripes below this only
 * @param groupLength user bytes of its sealed group for a finalised chunk; for one being written with a tail cell, of
 *     the group whose tail that is; otherwise -1
 * @param stamp of the group that it was made for; 0: made by the release before stamps, or its header is lost
 */
public record ChunkRecord(
        ChunkId chunk, ChunkState state, long bytes, long fullStripeBytes, long groupLength, int stamp) {
    public ChunkRecord {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(state, "state");
        if (bytes < 0 || fullStripeBytes < 0 || fullStripeBytes > bytes || groupLength < -1) {
            throw new IllegalArgumentException("impossible record of " + chunk + ": bytes=" + bytes
                    + " fullStripeBytes=" + fullStripeBytes + " groupLength=" + groupLength);
        }
    }
}
