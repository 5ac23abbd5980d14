package io.ecfs.transfer;

import io.ecfs.layout.ChunkId;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import java.util.Optional;

/**
 * Verified bytes of a chunk: the whole checksum windows around the requested range. Its owner closes it, once.
 *
 * @param offset of the first byte in the chunk, a multiple of the checksum window
 * @param payload the payload they came in, which {@link #close} releases
 * @param writing whether the volume wrote when its datanode answered, as {@code ChunkReply.Data} says; empty when no
 *     datanode was asked
 */
public record ChunkBytes(ChunkId chunk, long offset, int bytes, ByteBuf payload, Optional<Boolean> writing)
        implements AutoCloseable {
    private static final Optional<Boolean> WRITES = Optional.of(true);
    private static final Optional<Boolean> READS = Optional.of(false);

    public ChunkBytes {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(writing, "writing");
    }

    /** As a datanode answered. */
    public ChunkBytes(ChunkId chunk, long offset, int bytes, ByteBuf payload, boolean writing) {
        this(chunk, offset, bytes, payload, writing ? WRITES : READS);
    }

    /** From a file of this machine. */
    public ChunkBytes(ChunkId chunk, long offset, int bytes, ByteBuf payload) {
        this(chunk, offset, bytes, payload, Optional.empty());
    }

    /** First byte of the chunk behind these. */
    public long end() {
        return offset + bytes;
    }

    /** Returns whether chunk bytes [from, to) are all here. */
    public boolean covers(long from, long to) {
        return offset <= from && to <= end();
    }

    /**
     * Chunk bytes [from, to), borrowed until {@link #close}.
     *
     * @throws IndexOutOfBoundsException when they are not all here
     */
    public ByteBuf slice(long from, long to) {
        if (!covers(from, to) || from > to) {
            throw new IndexOutOfBoundsException(
                    "bytes [" + from + ", " + to + ") of " + chunk + " are not within [" + offset + ", " + end() + ")");
        }
        return ChunkPayload.data(payload, bytes).slice((int) (from - offset), (int) (to - from));
    }

    @Override
    public void close() {
        payload.release();
    }
}
