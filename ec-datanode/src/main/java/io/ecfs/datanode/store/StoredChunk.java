package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.util.Optional;

/**
 * In-memory state of a chunk on a volume.
 *
 * @param header empty when none could be read: the chunk is then {@code CORRUPT}
 * @param bytes length whose checksums once matched; 0 when nothing is known
 * @param uncompared published before this process started, which has not compared its bytes with the checksums
 */
record StoredChunk(ChunkFiles files, ChunkState state, Optional<ChunkHeader> header, long bytes, boolean uncompared) {

    StoredChunk(ChunkFiles files, ChunkState state, Optional<ChunkHeader> header, long bytes) {
        this(files, state, header, bytes, false);
    }

    /** State of a published chunk that a start finds. */
    static StoredChunk published(ChunkFiles files, ChunkHeader header) {
        return new StoredChunk(files, header.state(), Optional.of(header), header.chunkBytes(), true);
    }

    static StoredChunk sound(ChunkFiles files, ChunkHeader header, long bytes) {
        return new StoredChunk(files, header.state(), Optional.of(header), bytes);
    }

    static StoredChunk corrupt(ChunkFiles files, Optional<ChunkHeader> header, long bytes) {
        return new StoredChunk(files, ChunkState.CORRUPT, header, bytes);
    }

    ChunkId chunk() {
        return files.chunk();
    }

    /** Stamp of the group that it was made for; 0 also without a header. */
    int stamp() {
        return header.map(ChunkHeader::stamp).orElse(Stamp.NONE);
    }

    /** Returns whether it may be a chunk of the group with this stamp, as a chunk with a lost header may. */
    boolean mayBeOf(int groupStamp) {
        return header.isEmpty() || stamp() == groupStamp;
    }

    /** Header of a chunk that is not corrupt. */
    ChunkHeader validHeader() {
        return header.orElseThrow(() -> new IllegalStateException(chunk() + " has no header"));
    }

    /** Returns whether this writer, never fenced, published it with these lengths. */
    boolean publishedBy(long writer, long chunkBytes, long groupLength) {
        return state == ChunkState.FINALISED
                && validHeader().writer() == writer
                && !validHeader().fenced()
                && bytes == chunkBytes
                && validHeader().groupLength() == groupLength;
    }

    boolean tailBegun() {
        return header.isPresent() && header.get().fullStripeBytes() >= 0;
    }

    ChunkRecord record() {
        boolean open = state == ChunkState.BEING_WRITTEN;
        long fullStripeBytes =
                open && tailBegun() ? Math.min(bytes, validHeader().fullStripeBytes()) : bytes;
        return new ChunkRecord(
                chunk(),
                state,
                bytes,
                fullStripeBytes,
                header.map(ChunkHeader::groupLength).orElse(-1L),
                stamp());
    }

    /**
     * Checks that these bytes may be appended to the chunk.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT}
     */
    void requireAppend(long offset, int more, long tailOf) throws EcfsException {
        Policy policy = validHeader().policy();
        long limit = policy.groupBytes() / policy.dataChunks();
        boolean tail = tailOf > 0;
        boolean goesOn = tail
                && (bytes == validHeader().fullStripeBytes()
                        || tailOf == validHeader().groupLength());
        boolean behindTail = tailBegun() && !goesOn;
        if (offset != bytes
                || offset % Policy.CHECKSUM_WINDOW_BYTES != 0
                || more < 0
                || more > limit - offset
                || behindTail) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    (tail ? "tail" : "write") + " of " + more + " bytes at " + offset + " of " + chunk()
                            + " refused: it ends at " + bytes + (tailBegun() ? " with its tail" : "")
                            + " and may have " + limit);
        }
    }

    /**
     * Checks that this writer may still change the chunk.
     *
     * @param volume for messages
     * @throws EcfsException {@code CHUNK_CORRUPT}, {@code FENCED}, {@code INVALID_ARGUMENT} when it is published
     */
    void requireWritableBy(long writer, String volume) throws EcfsException {
        if (state == ChunkState.CORRUPT) {
            throw new EcfsException(ErrorCode.CHUNK_CORRUPT, chunk() + " on volume " + volume + " is corrupt");
        }
        if (validHeader().fenced() || validHeader().writer() != writer) {
            throw fenced();
        }
        if (state != ChunkState.BEING_WRITTEN) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, chunk() + " is published and does not change any more");
        }
    }

    /** Failure for a writer that no longer owns this chunk. */
    EcfsException fenced() {
        return new EcfsException(
                ErrorCode.FENCED,
                chunk() + " is not this writer's any more: "
                        + (validHeader().fenced()
                                ? "shut out by fence " + validHeader().fence()
                                : "another one opened it"));
    }
}
