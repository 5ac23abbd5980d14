package io.ecfs.transfer;

import io.ecfs.layout.Policy;
import java.util.Optional;

/** Chunk bytes [from, to): whole checksum windows, the last one short at the end of the chunk only. */
public record ReadRange(long from, long to) {
    private static final int WINDOW = Policy.CHECKSUM_WINDOW_BYTES;

    /** The windows that cover [offset, offset + bytes) of a chunk; empty when that reaches past its end. */
    public static Optional<ReadRange> covering(long offset, int bytes, long chunkBytes) {
        if (offset < 0 || bytes <= 0 || bytes > chunkBytes - offset) {
            return Optional.empty();
        }
        return Optional.of(new ReadRange(offset - offset % WINDOW, Math.min(chunkBytes, roundUp(offset + bytes))));
    }

    /** Most payload bytes that a read of [offset, offset + bytes) may give. */
    public static int payloadBytesFor(long offset, int bytes) {
        return ChunkPayload.payloadBytes(widened(offset, bytes));
    }

    /** Of these, the bytes of the checksums. */
    public static int checksumBytesFor(long offset, int bytes) {
        return ChunkPayload.checksumBytes(widened(offset, bytes));
    }

    private static int widened(long offset, int bytes) {
        return Math.toIntExact(roundUp(Math.addExact(offset, bytes)) - offset / WINDOW * WINDOW);
    }

    public int bytes() {
        return Math.toIntExact(to - from);
    }

    private static long roundUp(long value) {
        return Math.addExact(value, WINDOW - 1) / WINDOW * WINDOW;
    }
}
