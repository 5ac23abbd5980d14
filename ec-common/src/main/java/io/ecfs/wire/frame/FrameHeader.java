package io.ecfs.wire.frame;

import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * The 24 bytes before head and payload, big endian.
 *
 * @param length of head and payload
 * @param type wire number of the head
 * @param flags {@link #ANSWER}, {@link #FAILURE}
 * @param headBytes how much of {@code length} is the head
 * @param id connection-local number of the call
 */
public record FrameHeader(int length, int type, int flags, int headBytes, long id) {
    public static final int BYTES = 24;
    /** "ECF1" in ASCII. */
    public static final int MAGIC = 0x45434631;

    public static final int ANSWER = 1;
    /** Set with {@link #ANSWER} only. */
    public static final int FAILURE = 2;

    static final int ID_OFFSET = 16;

    public FrameHeader {
        if (length < 0 || headBytes < 0 || headBytes > length) {
            throw new IllegalArgumentException("frame of " + length + " bytes with a head of " + headBytes);
        }
    }

    public boolean answer() {
        return (flags & ANSWER) != 0;
    }

    /** Writes it over the first 24 bytes of {@code buffer}. */
    void put(ByteBuf buffer) {
        buffer.setInt(0, MAGIC)
                .setInt(4, length)
                .setShort(8, type)
                .setShort(10, flags)
                .setInt(12, headBytes)
                .setLong(ID_OFFSET, id);
    }

    /** Defect of the 24 bytes; empty when {@link #read} accepts them. */
    static Optional<String> defect(ByteBuf bytes, int maxLength) {
        long length = bytes.getUnsignedInt(4);
        int flags = bytes.getUnsignedShort(10);
        long headBytes = bytes.getUnsignedInt(12);
        if (bytes.getInt(0) != MAGIC) {
            return Optional.of(String.format("magic is 0x%08x, not \"ECF1\"", bytes.getInt(0)));
        }
        if (length > maxLength) {
            return Optional.of("length " + length + " is over the limit of " + maxLength);
        }
        if (headBytes > length) {
            return Optional.of("head of " + headBytes + " bytes in a frame of " + length);
        }
        if ((flags & ~(ANSWER | FAILURE)) != 0 || flags == FAILURE) {
            return Optional.of("flags 0x" + Integer.toHexString(flags) + " have no meaning");
        }
        return Optional.empty();
    }

    /** Reads 24 bytes without {@link #defect}. */
    public static FrameHeader read(ByteBuf bytes) {
        return new FrameHeader(
                bytes.getInt(4),
                bytes.getUnsignedShort(8),
                bytes.getUnsignedShort(10),
                bytes.getInt(12),
                bytes.getLong(ID_OFFSET));
    }
}
