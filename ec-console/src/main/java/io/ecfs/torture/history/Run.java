package io.ecfs.torture.history;

/**
 * Consecutive bytes of a file that one writer wrote: the first {@code bytes} bytes of its tag. A file is a list of
 * runs.
 *
 * @param tag unique for each create and append of a torture; negative: a rest of fewer than eight bytes, too short to
 *     name its tag
 */
public record Run(long tag, long bytes) {
    public Run {
        if (bytes < 1) {
            throw new IllegalArgumentException("a run has at least one byte, got " + bytes);
        }
    }

    /** A run whose tag cannot be read from so few bytes. */
    public static Run unnamed(long bytes) {
        return new Run(-1, bytes);
    }

    public boolean named() {
        return tag >= 0;
    }
}
