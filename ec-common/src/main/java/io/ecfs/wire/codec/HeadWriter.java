package io.ecfs.wire.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Appends the fields of a fixed head; {@link HeadReader} reads them back in the same order. The buffer is borrowed. */
record HeadWriter(ByteBuf bytes) {
    /** A text of so many characters has at most 127 bytes in UTF-8, whose number takes one byte. */
    private static final int SHORT_CHARS = 42;

    HeadWriter u8(int value) {
        bytes.writeByte(value);
        return this;
    }

    HeadWriter u16(int value) {
        bytes.writeShort(value);
        return this;
    }

    HeadWriter i32(int value) {
        bytes.writeInt(value);
        return this;
    }

    HeadWriter i64(long value) {
        bytes.writeLong(value);
        return this;
    }

    HeadWriter flag(boolean value) {
        bytes.writeByte(value ? 1 : 0);
        return this;
    }

    /** Seven bits a byte, low first. */
    HeadWriter number(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes.writeByte(rest);
        return this;
    }

    HeadWriter text(String value) {
        if (value.length() <= SHORT_CHARS) {
            int lengthAt = bytes.writerIndex();
            bytes.writeByte(0);
            bytes.setByte(lengthAt, ByteBufUtil.writeUtf8(bytes, value));
            return this;
        }
        number(ByteBufUtil.utf8Bytes(value));
        ByteBufUtil.writeUtf8(bytes, value);
        return this;
    }
}
