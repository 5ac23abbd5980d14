package io.ecfs.message.chunk;

import java.util.List;

/**
 * Ranges of its group that the tail log of one chunk covers, in ascending order; neighbours are joined, so that it
 * stays short for any number of records.
 *
 * @param mirrored group bytes that this chunk alone gives
 * @param coded group bytes of which it has its cells
 */
public record TailCoverage(List<Range> mirrored, List<Range> coded) {
    public static final TailCoverage NONE = new TailCoverage(List.of(), List.of());

    public TailCoverage {
        mirrored = List.copyOf(mirrored);
        coded = List.copyOf(coded);
    }

    /** Group bytes [from, to). */
    public record Range(long from, long to) {
        public Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("range [" + from + ", " + to + ") of a group");
            }
        }

        boolean contains(long position) {
            return from <= position && position < to;
        }
    }

    /**
     * End of the mirrored bytes that go on without a gap from {@code position}; {@code position} itself when it has
     * none there.
     */
    public long mirroredUntil(long position) {
        return until(mirrored, position);
    }

    /** As {@link #mirroredUntil}, of the coded ones. */
    public long codedUntil(long position) {
        return until(coded, position);
    }

    private static long until(List<Range> ranges, long position) {
        return ranges.stream()
                .filter(range -> range.contains(position))
                .mapToLong(Range::to)
                .max()
                .orElse(position);
    }
}
