package io.ecfs.namenode.row;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds a key or a value. {@link RowReader} reads it back, field by field in the same order. */
public final class RowWriter {
    private byte[] bytes = new byte[64];
    private int size;

    public RowWriter u8(int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException("not an unsigned byte: " + value);
        }
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Four bytes, big endian; for keys. */
    public RowWriter i32(int value) {
        room(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Eight bytes, big endian; for keys. */
    public RowWriter i64(long value) {
        return i32((int) (value >>> 32)).i32((int) value);
    }

    /** Seven bits a byte, low first: small numbers are short. Not negative. */
    public RowWriter number(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative number in a row: " + value);
        }
        room(9);
        long rest = value;
        while (rest > 0x7F) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /** Length, then UTF-8. */
    public RowWriter text(String value) {
        return blob(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Length, then the bytes. */
    public RowWriter blob(byte[] value) {
        return number(value.length).raw(value);
    }

    /** The bytes alone; only at the end of a row, or of known length. */
    public RowWriter raw(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    public byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
    }
}
