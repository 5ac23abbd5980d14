package io.ecfs.transfer;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Layout of the buffer in which one cell is filled or computed. The data begin at a multiple of 64 bytes, which kernels
 * read and write fastest, behind room for the checksums of a whole cell; a payload of fewer bytes has fewer checksums,
 * right before the data.
 *
 * <pre>
 *   | room | crc 0 ... crc w-1 | data, up to the cell size |
 *          ^ payload            ^ {@code dataAt}: the same for every length
 * </pre>
 *
 * @param dataAt where the data begin
 */
public record CellLayout(int dataAt) {
    private static final int ALIGNMENT = 64;

    /** @param cellBytes that the data may have */
    public static CellLayout of(int cellBytes) {
        return new CellLayout(aligned(ChunkPayload.checksumBytes(cellBytes)));
    }

    /** The next multiple of 64. */
    public static int aligned(int bytes) {
        return Math.multiplyExact(Math.addExact(bytes, ALIGNMENT - 1) / ALIGNMENT, ALIGNMENT);
    }

    /** Memory of a buffer for so many bytes of data. */
    public int bufferBytes(int dataBytes) {
        return Math.addExact(dataAt, dataBytes);
    }

    /** The data of a cell, in the memory of its buffer. */
    public ByteBuffer data(ByteBuf buffer, int dataBytes) {
        return buffer.nioBuffer(dataAt, dataBytes);
    }

    /** Computes the checksums of the first bytes of the data, and makes both the readable bytes of the buffer. */
    public void seal(ByteBuf buffer, int storedBytes) {
        buffer.setIndex(dataAt - ChunkPayload.checksumBytes(storedBytes), dataAt + storedBytes);
        ChunkPayload.seal(buffer, storedBytes);
    }
}
