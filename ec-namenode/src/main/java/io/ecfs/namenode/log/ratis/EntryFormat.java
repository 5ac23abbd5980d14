package io.ecfs.namenode.log.ratis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs several byte strings into one: the commands of a log entry, and their answers. Big endian: {@code u8 version =
 * 1 | u32 count | count × (u32 length | bytes)}. Part of the disk format.
 */
final class EntryFormat {
    private static final byte VERSION = 1;
    private static final int HEAD = 1 + Integer.BYTES;

    private EntryFormat() {}

    static byte[] encode(List<byte[]> parts) {
        int bytes = HEAD;
        for (byte[] part : parts) {
            bytes = Math.addExact(bytes, Math.addExact(Integer.BYTES, part.length));
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).put(VERSION).putInt(parts.size());
        for (byte[] part : parts) {
            out.putInt(part.length).put(part);
        }
        return out.array();
    }

    /** @throws IllegalArgumentException when the bytes are not what {@link #encode} wrote */
    static List<byte[]> decode(ByteBuffer in) {
        if (in.remaining() < HEAD) {
            throw new IllegalArgumentException("log entry of " + in.remaining() + " bytes is too short");
        }
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "log entry of version " + version + ", this namenode reads version " + VERSION);
        }
        int count = in.getInt();
        if (count < 0 || (long) count * Integer.BYTES > in.remaining()) {
            throw new IllegalArgumentException("log entry claims " + count + " parts in " + in.remaining() + " bytes");
        }
        List<byte[]> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
            if (length < 0 || length > in.remaining()) {
                throw new IllegalArgumentException("part " + i + " of a log entry has length " + length + ", "
                        + in.remaining() + " bytes are left");
            }
            byte[] part = new byte[length];
            in.get(part);
            parts.add(part);
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("log entry has " + in.remaining() + " bytes after its last part");
        }
        return parts;
    }
}
