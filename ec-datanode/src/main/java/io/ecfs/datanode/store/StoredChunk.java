package io.ecfs.datanode.store;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import java.util.Optional;

/**
 * A chunk as the volume knows it in memory.
 *
 * @param header empty when none could be read: the chunk is then {@code CORRUPT}
 * @param bytes length whose checksums once matched; 0 when nothing is known
 */
record StoredChunk(ChunkFiles files, ChunkState state, Optional<ChunkHeader> header, long bytes) {

    static StoredChunk sound(ChunkFiles files, ChunkHeader header, long bytes) {
        return new StoredChunk(files, header.state(), Optional.of(header), bytes);
    }

    static StoredChunk corrupt(ChunkFiles files, Optional<ChunkHeader> header, long bytes) {
        return new StoredChunk(files, ChunkState.CORRUPT, header, bytes);
    }

    ChunkId chunk() {
        return files.chunk();
    }

    /** Of a chunk that is not corrupt. */
    ChunkHeader soundHeader() {
        return header.orElseThrow(() -> new IllegalStateException(chunk() + " has no header"));
    }

    boolean tailBegun() {
        return header.isPresent() && header.get().fullStripeBytes() >= 0;
    }

    ChunkRecord record() {
        boolean open = state == ChunkState.BEING_WRITTEN;
        long fullStripeBytes =
                open && tailBegun() ? Math.min(bytes, soundHeader().fullStripeBytes()) : bytes;
        return new ChunkRecord(
                chunk(),
                state,
                bytes,
                fullStripeBytes,
                header.map(ChunkHeader::groupLength).orElse(-1L));
    }
}
