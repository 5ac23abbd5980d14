package io.ecfs.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * Adds up the sizes of many files in classes, each up to a power of two and that included, as limits of packing are.
 * Number and total length stay exact. For one thread.
 */
public final class FileSizes {
    private final long[] counts = new long[Long.SIZE];
    private final long[] bytes = new long[Long.SIZE];
    private long empty;

    /** @param length of one file; those without a byte take no chunk and are counted apart */
    public void add(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("a file has 0 bytes or more, got " + length);
        }
        if (length == 0) {
            empty++;
            return;
        }
        int sizeClass = Long.SIZE - Long.numberOfLeadingZeros(length - 1);
        counts[sizeClass]++;
        bytes[sizeClass] = Math.addExact(bytes[sizeClass], length);
    }

    /** Files without a byte. */
    public long empty() {
        return empty;
    }

    /**
     * The files with bytes, the shortest first: each class as files of its mean length, and where that is not whole as
     * files of the two lengths around it.
     *
     * @throws IllegalArgumentException in one line for a file that is longer than {@link FileSet#MOST_BYTES}
     */
    public List<FileSet> sets() {
        List<FileSet> sets = new ArrayList<>();
        for (int sizeClass = 0; sizeClass < counts.length; sizeClass++) {
            long count = counts[sizeClass];
            if (count > 0) {
                long mean = bytes[sizeClass] / count;
                long longer = bytes[sizeClass] % count;
                add(sets, count - longer, mean);
                add(sets, longer, mean + 1);
            }
        }
        return sets;
    }

    private static void add(List<FileSet> sets, long count, long length) {
        for (long left = count; left > 0; left -= FileSet.MOST_FILES) {
            sets.add(new FileSet(Math.min(left, FileSet.MOST_FILES), length));
        }
    }
}
