package io.ecfs.namenode.row;

import io.ecfs.error.Invariant;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads what {@link RowWriter} wrote. A row that ends early or goes on too long is a bug or a damaged store: it stops
 * the reader.
 */
public final class RowReader {
    private final byte[] bytes;
    private int at;

    public RowReader(byte[] bytes) {
        this.bytes = bytes;
    }

    public int u8() {
        need(1);
        return bytes[at++] & 0xFF;
    }

    public int i32() {
        need(4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = (value << 8) | (bytes[at++] & 0xFF);
        }
        return value;
    }

    public long i64() {
        long high = i32();
        return (high << 32) | (i32() & 0xFFFFFFFFL);
    }

    public long number() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw broken("a number of more than 63 bits");
    }

    /** The first byte of a row that may grow; another version than ours is a store of another release. */
    public void version(int expected, String kind) {
        int found = u8();
        if (found != expected) {
            throw unread(kind, found, "" + expected, found > expected);
        }
    }

    /** Reads the version where rows of several formats exist; returns the one that this row has. */
    public int version(int oldest, int newest, String kind) {
        int found = u8();
        if (found < oldest || found > newest) {
            throw unread(kind, found, oldest + " to " + newest, found > newest);
        }
        return found;
    }

    private static IllegalStateException unread(String kind, int found, String read, boolean later) {
        String message = "a " + kind + " row has format " + found + ", this release reads " + read;
        return later ? new LaterRelease(message) : new IllegalStateException(message);
    }

    public int smallNumber() {
        return Math.toIntExact(number());
    }

    public String text() {
        int length = smallNumber();
        need(length);
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    public byte[] blob() {
        int length = smallNumber();
        need(length);
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    public boolean flag() {
        int value = u8();
        if (value > 1) {
            throw broken("a flag of value " + value);
        }
        return value == 1;
    }

    public double real() {
        return Double.longBitsToDouble(i64());
    }

    /** Reads a list. Each item takes at least a byte, so that a wrong count takes no memory. */
    public <T> List<T> list(Function<RowReader, T> item) {
        int count = smallNumber();
        need(count);
        List<T> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(item.apply(this));
        }
        return items;
    }

    public <T> Optional<T> maybe(Function<RowReader, T> value) {
        return flag() ? Optional.of(value.apply(this)) : Optional.empty();
    }

    /** Reads what {@link RowWriter#part} wrote; {@code read} must read to its end. */
    public <T> T part(Function<RowReader, T> read) {
        RowReader part = new RowReader(blob());
        T value = read.apply(part);
        part.end();
        return value;
    }

    /**
     * The optional field with this tag; empty when it is not the next one. Fields are read in the order of their tags.
     */
    public <T> Optional<T> tagged(int tag, Function<RowReader, T> value) {
        int before = at;
        if (!more() || number() != tag) {
            at = before;
            return Optional.empty();
        }
        return Optional.of(part(value));
    }

    /** @throws LaterRelease when tagged fields are left, which this release does not know */
    public void endOfTagged(String kind) {
        if (more()) {
            throw new LaterRelease("a " + kind + " row has a field " + number() + " that this release does not know");
        }
    }

    /** All remaining bytes. */
    public byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, at, bytes.length);
        at = bytes.length;
        return rest;
    }

    public boolean more() {
        return at < bytes.length;
    }

    public void end() {
        if (at != bytes.length) {
            throw broken("bytes after its end");
        }
    }

    private void need(int count) {
        if (count < 0 || bytes.length - at < count) {
            throw broken("an early end");
        }
    }

    private IllegalStateException broken(String what) {
        Invariant.check(at <= bytes.length, "reader past its row");
        return new IllegalStateException("row of " + bytes.length + " bytes has " + what + " at byte " + at);
    }
}
