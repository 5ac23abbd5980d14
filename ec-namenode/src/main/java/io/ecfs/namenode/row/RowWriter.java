package io.ecfs.namenode.row;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Builds a key or a value. {@link RowReader} reads it back, field by field in the same order. Behind the fields that
 * are always there a value may have tagged ones, in the order of their tags; {@link #level} is then the feature level
 * that reading it takes.
 */
public final class RowWriter {
    private byte[] bytes = new byte[64];
    private int size;
    private int level;

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

    public RowWriter flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    public RowWriter real(double value) {
        return i64(Double.doubleToLongBits(value));
    }

    /** Count, then each item. */
    public <T> RowWriter list(Collection<T> items, BiConsumer<RowWriter, T> item) {
        number(items.size());
        items.forEach(one -> item.accept(this, one));
        return this;
    }

    /** A flag, then the value when there is one. */
    public <T> RowWriter maybe(Optional<T> value, BiConsumer<RowWriter, T> write) {
        flag(value.isPresent());
        value.ifPresent(present -> write.accept(this, present));
        return this;
    }

    /** Length, then what {@code write} writes. */
    public RowWriter part(Consumer<RowWriter> write) {
        RowWriter part = new RowWriter();
        write.accept(part);
        return needs(part.level).blob(part.bytes());
    }

    /**
     * An optional field behind those that are always there: tag, length, value; nothing at all when it is empty. Tags
     * of one kind grow and are never reused.
     *
     * @param since the feature level that knows the field
     */
    public <T> RowWriter tagged(int tag, int since, Optional<T> value, BiConsumer<RowWriter, T> write) {
        value.ifPresent(present -> needs(since).number(tag).part(part -> write.accept(part, present)));
        return this;
    }

    /** Raises the feature level that reading takes to at least this one. */
    public RowWriter needs(int atLeast) {
        level = Math.max(level, atLeast);
        return this;
    }

    /** The feature level that reading takes; 0: no field set one. */
    public int level() {
        return level;
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
