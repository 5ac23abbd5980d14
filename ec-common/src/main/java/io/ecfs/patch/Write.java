package io.ecfs.patch;

/**
 * A range of a file that is overwritten.
 *
 * @param position of the first byte in the file; the range ends at or below {@link #MAX_POSITION}
 * @param length in bytes, from 1 to {@link #MAX_BYTES}
 */
public record Write(long position, int length) {
    /** Largest length of an updatable file. */
    public static final long MAX_POSITION = 1L << 50;

    /** Largest write. */
    public static final int MAX_BYTES = 64 * 1024 * 1024;

    /** Throws {@link IllegalArgumentException} for a range outside of these bounds. */
    public Write {
        if (length < 1 || length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a write has 1 to " + MAX_BYTES + " bytes, got " + length + ": split the write");
        }
        if (position < 0 || position > MAX_POSITION - length) {
            throw new IllegalArgumentException("a file's bytes lie in [0, " + MAX_POSITION + "), got " + length
                    + " bytes at " + position + ": choose a lower position");
        }
    }

    public long end() {
        return position + length;
    }

    static boolean valid(long position, int length) {
        return length >= 1 && length <= MAX_BYTES && position >= 0 && position <= MAX_POSITION - length;
    }
}
