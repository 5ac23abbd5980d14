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
 * A chunk as the volume knows it in memory.
 *
 * @param header empty when none could be read: the chunk is then {@code CORRUPT}
 * @param bytes length whose checksums once matched; 0 when nothing is known
 * @param uncompared published before this process started, which took its header's word for its bytes
 */
record StoredChunk(ChunkFiles files, ChunkState state, Optional<ChunkHeader> header, long bytes, boolean uncompared) {

    StoredChunk(ChunkFiles files, ChunkState state, Optional<ChunkHeader> header, long bytes) {
        this(files, state, header, bytes, false);
    }

    /** Of a chunk that a start finds. */
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

    /** Of the group that it was made for; 0 without a header, too. */
    int stamp() {
        return header.map(ChunkHeader::stamp).orElse(Stamp.NONE);
    }

    /** Whether it may be a chunk of the group with this stamp: one whose header is lost may. */
    boolean mayBeOf(int groupStamp) {
        return header.isEmpty() || stamp() == groupStamp;
    }

    /** Of a chunk that is not corrupt. */
    ChunkHeader soundHeader() {
        return header.orElseThrow(() -> new IllegalStateException(chunk() + " has no header"));
    }

    /** Whether this writer, who was never shut out, published it so. */
    boolean publishedBy(long writer, long chunkBytes, long groupLength) {
        return state == ChunkState.FINALISED
                && soundHeader().writer() == writer
                && !soundHeader().fenced()
                && bytes == chunkBytes
                && soundHeader().groupLength() == groupLength;
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
                header.map(ChunkHeader::groupLength).orElse(-1L),
                stamp());
    }

    /**
     * That these bytes may follow what the chunk has.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT}
     */
    void requireAppend(long offset, int more, long tailOf) throws EcfsException {
        Policy policy = soundHeader().policy();
        long limit = policy.groupBytes() / policy.dataChunks();
        boolean tail = tailOf > 0;
        boolean goesOn = tail
                && (bytes == soundHeader().fullStripeBytes()
                        || tailOf == soundHeader().groupLength());
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
     * That this writer may still change the chunk.
     *
     * @param volume for messages
     * @throws EcfsException {@code CHUNK_CORRUPT}, {@code FENCED}, {@code INVALID_ARGUMENT} when it is published
     */
    void requireWritableBy(long writer, String volume) throws EcfsException {
        if (state == ChunkState.CORRUPT) {
            throw new EcfsException(ErrorCode.CHUNK_CORRUPT, chunk() + " on volume " + volume + " is corrupt");
        }
        if (soundHeader().fenced() || soundHeader().writer() != writer) {
            throw fenced();
        }
        if (state != ChunkState.BEING_WRITTEN) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, chunk() + " is published and does not change any more");
        }
    }

    /** What a writer hears whose chunk this is not any more. */
    EcfsException fenced() {
        return new EcfsException(
                ErrorCode.FENCED,
                chunk() + " is not this writer's any more: "
                        + (soundHeader().fenced()
                                ? "shut out by fence " + soundHeader().fence()
                                : "another one opened it"));
    }
}
