package io.ecfs.transfer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which ranges of one file are read in one access of its disk, with the bytes between them: neighbours whose gap costs
 * less than another access. Ranges in one span cost an access and the bytes of the span.
 *
 * @param accessBytes what an access costs, in bytes that are read in the same time
 * @param mostBytes of several ranges together
 */
public record ReadVisits(long accessBytes, long mostBytes) {
    /**
     * Flash that reads 1 GB/s with 10,000 accesses a second reads 100 KB in the time of one, a volume of 125 MB/s with
     * 3,000 accesses 42 KB: assumed, and in between.
     */
    public static final long USUAL_ACCESS_BYTES = 64L << 10;

    public ReadVisits {
        if (accessBytes < 0 || mostBytes < 0) {
            throw new IllegalArgumentException(
                    "an access costs " + accessBytes + " bytes and reads at most " + mostBytes);
        }
    }

    /** Of a disk that is not known. */
    public static ReadVisits usual(long mostBytes) {
        return new ReadVisits(USUAL_ACCESS_BYTES, mostBytes);
    }

    /**
     * Spans in order, which together cover every range: each range lies in one of them. Their {@link #cost} is never
     * more than that of the ranges, and the least where {@code mostBytes} does not matter.
     *
     * @param ranges in any order; they may overlap
     */
    public List<ReadRange> spans(Collection<ReadRange> ranges) {
        List<ReadRange> spans = new ArrayList<>();
        ranges.stream().sorted(Comparator.comparingLong(ReadRange::from)).forEach(range -> {
            ReadRange last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
            if (last != null && joins(last, range)) {
                spans.set(spans.size() - 1, new ReadRange(last.from(), Math.max(last.to(), range.to())));
            } else {
                spans.add(range);
            }
        });
        return spans;
    }

    private boolean joins(ReadRange span, ReadRange next) {
        return next.from() - span.to() < accessBytes
                && (next.to() <= span.to() || next.to() - span.from() <= mostBytes);
    }

    /** Cost of so many accesses, in bytes. */
    public long cost(Collection<ReadRange> accesses) {
        return accesses.stream()
                .mapToLong(range -> accessBytes + range.to() - range.from())
                .sum();
    }
}
