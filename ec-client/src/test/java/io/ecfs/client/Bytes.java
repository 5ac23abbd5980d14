package io.ecfs.client;

import java.nio.ByteBuffer;

/** Data in which every byte tells where it belongs, so that bytes that moved are noticed. */
public final class Bytes {
    private Bytes() {}

    public static byte at(long position) {
        return (byte) (((position + 1) * 0x9E37_79B9_7F4A_7C15L) >>> 56);
    }

    public static byte[] range(long from, long to) {
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = at(from + i);
        }
        return bytes;
    }

    /** What was put into the buffer. */
    public static byte[] of(ByteBuffer filled) {
        byte[] bytes = new byte[filled.position()];
        filled.duplicate().flip().get(bytes);
        return bytes;
    }
}
