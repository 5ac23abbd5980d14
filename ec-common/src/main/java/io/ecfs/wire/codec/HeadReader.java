package io.ecfs.wire.codec;

import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads what {@link HeadWriter} wrote. Bytes that it cannot have written are refused with IllegalArgumentException,
 * those that end too early with IndexOutOfBoundsException. The buffer is borrowed.
 */
record HeadReader(ByteBuf bytes) {
    private static final char REPLACED = '\uFFFD';

    int u8() {
        return bytes.readUnsignedByte();
    }

    int u16() {
        return bytes.readUnsignedShort();
    }

    int i32() {
        return bytes.readInt();
    }

    long i64() {
        return bytes.readLong();
    }

    boolean flag() {
        return HotHeads.flag(bytes);
    }

    int number() {
        int value = 0;
        for (int shift = 0; shift < Integer.SIZE - 1; shift += 7) {
            int next = bytes.readUnsignedByte();
            value |= (next & 0x7F) << shift;
            if (next < 0x80 && value >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of more than 31 bits");
    }

    String text() {
        int length = number();
        byte[] utf8 = new byte[within(length)];
        bytes.readBytes(utf8);
        String text = new String(utf8, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACED) >= 0) {
            refuseUnlessUtf8(utf8);
        }
        return text;
    }

    FilePath path() {
        return new FilePath(text());
    }

    Policy policy() {
        return Policy.parse(text());
    }

    /** Each item takes at least a byte, so a count that lies takes no memory. */
    <T> List<T> list(Supplier<T> item) {
        return list(number(), item);
    }

    /** As {@link #list(Supplier)}, of a number of items that was read before. */
    <T> List<T> list(int announced, Supplier<T> item) {
        int count = within(announced);
        List<T> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(item.get());
        }
        return items;
    }

    private int within(int count) {
        if (count > bytes.readableBytes()) {
            throw new IllegalArgumentException(count + " announced, " + bytes.readableBytes() + " bytes are left");
        }
        return count;
    }

    private static void refuseUnlessUtf8(byte[] utf8) {
        try {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text of " + utf8.length + " bytes is not UTF-8", e);
        }
    }
}
