package io.ecfs.transfer;

import io.ecfs.layout.Policy;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The payload of {@code WriteCells} and {@code Data}: a CRC32C (RFC 3720, 4 bytes big endian) for each checksum window
 * of the bytes, then the bytes. Only the last window may be short.
 *
 * <pre>
 *   | crc 0 | crc 1 | ... | crc w-1 | bytes of window 0 | window 1 | ... | window w-1 |
 * </pre>
 *
 * All functions borrow the buffer and leave its indexes as they are. Checksums run on the JDK's intrinsic, which is at
 * its best on direct buffers of one piece.
 */
public final class ChunkPayload {
    public static final int WINDOW_BYTES = Policy.CHECKSUM_WINDOW_BYTES;
    public static final int CHECKSUM_BYTES = Integer.BYTES;

    private ChunkPayload() {}

    /** Number of windows that cover {@code dataBytes} bytes that begin at a window. */
    public static int windows(int dataBytes) {
        if (dataBytes < 0) {
            throw new IllegalArgumentException("a payload of " + dataBytes + " bytes");
        }
        return dataBytes / WINDOW_BYTES + (dataBytes % WINDOW_BYTES == 0 ? 0 : 1);
    }

    /** Bytes of the checksums before {@code dataBytes} bytes of data. */
    public static int checksumBytes(int dataBytes) {
        return Math.multiplyExact(windows(dataBytes), CHECKSUM_BYTES);
    }

    /** Bytes of the whole payload that carries {@code dataBytes} bytes. */
    public static int payloadBytes(int dataBytes) {
        return Math.addExact(checksumBytes(dataBytes), dataBytes);
    }

    /** Returns whether the readable bytes are as many as a payload of {@code dataBytes} has. */
    public static boolean fits(ByteBuf payload, int dataBytes) {
        return dataBytes >= 0 && payload.readableBytes() == (long) checksumBytes(dataBytes) + dataBytes;
    }

    /**
     * Writes the checksums in front of the bytes: the readable bytes of {@code payload} are room for the checksums,
     * then {@code dataBytes} bytes of data.
     */
    public static void seal(ByteBuf payload, int dataBytes) {
        checkFits(payload, dataBytes);
        int at = payload.readerIndex();
        int data = at + checksumBytes(dataBytes);
        Windows windows = new Windows(payload, data, dataBytes);
        for (; windows.more(); at += CHECKSUM_BYTES) {
            payload.setInt(at, windows.nextChecksum());
        }
    }

    /**
     * Compares every checksum with its bytes.
     *
     * @return empty when all match; otherwise where in the data the first window that does not match begins
     * @throws IllegalArgumentException when the payload has another size than {@code dataBytes} asks for
     */
    public static OptionalInt firstMismatch(ByteBuf payload, int dataBytes) {
        checkFits(payload, dataBytes);
        int at = payload.readerIndex();
        int data = at + checksumBytes(dataBytes);
        Windows windows = new Windows(payload, data, dataBytes);
        for (int offset = 0; windows.more(); offset += WINDOW_BYTES, at += CHECKSUM_BYTES) {
            if (payload.getInt(at) != windows.nextChecksum()) {
                return OptionalInt.of(offset);
            }
        }
        return OptionalInt.empty();
    }

    /** The data part, without taking a reference of its own. */
    public static ByteBuf data(ByteBuf payload, int dataBytes) {
        checkFits(payload, dataBytes);
        return payload.slice(payload.readerIndex() + checksumBytes(dataBytes), dataBytes);
    }

    /** CRC32C of one run of bytes, such as one window. */
    public static int crc32c(ByteBuf buffer, int index, int bytes) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer part : buffer.nioBuffers(index, bytes)) {
            crc.update(part);
        }
        return (int) crc.getValue();
    }

    private static void checkFits(ByteBuf payload, int dataBytes) {
        if (!fits(payload, dataBytes)) {
            throw new IllegalArgumentException("a payload of " + payload.readableBytes()
                    + " bytes cannot carry checksums and " + dataBytes + " bytes of data");
        }
    }

    /** Walks the checksum windows of a buffer; one piece of memory without a new view for each window. */
    private static final class Windows {
        private final ByteBuf buffer;
        private final ByteBuffer whole;
        private final CRC32C crc = new CRC32C();
        private final int end;
        private int at;

        Windows(ByteBuf buffer, int from, int bytes) {
            this.buffer = buffer;
            this.whole = buffer.nioBufferCount() == 1 ? buffer.nioBuffer(from, bytes) : null;
            this.at = from;
            this.end = from + bytes;
        }

        boolean more() {
            return at < end;
        }

        int nextChecksum() {
            int bytes = Math.min(WINDOW_BYTES, end - at);
            int from = at;
            at += bytes;
            if (whole == null) {
                return crc32c(buffer, from, bytes);
            }
            crc.reset();
            whole.limit(whole.position() + bytes);
            crc.update(whole);
            return (int) crc.getValue();
        }
    }
}
