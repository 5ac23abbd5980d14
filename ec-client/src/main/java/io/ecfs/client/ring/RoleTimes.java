package io.ecfs.client.ring;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * How long chunk reads of volumes in rings take, by what the volume does, and how many of them are of volumes that
 * write. Any thread records and reads.
 */
public final class RoleTimes {
    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int OCTAVES = 34;

    /** Nanoseconds of the first bucket's unit, a power of two: about a microsecond. */
    private static final int UNIT_BITS = 10;

    private final AtomicLongArray reading = new AtomicLongArray(OCTAVES * STEPS);
    private final AtomicLongArray writing = new AtomicLongArray(OCTAVES * STEPS);
    private final LongAdder needed = new LongAdder();
    private final LongAdder cheaper = new LongAdder();

    /**
     * Times since the client began.
     *
     * @param counts reads by time, in buckets of an eighth of an octave
     */
    public record Times(List<Long> counts) {
        public Times {
            counts = List.copyOf(counts);
        }

        public long reads() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        /** Nanoseconds within which this share of the reads was answered, at most an eighth too many; 0 without. */
        public long quantileNanos(double share) {
            long total = reads();
            long below = 0;
            for (int i = 0; i < counts.size(); i++) {
                below += counts.get(i);
                if (below > 0 && below >= share * total) {
                    return upperEdge(i);
                }
            }
            return 0;
        }

        public Times since(Times before) {
            return new Times(LongStream.range(0, counts.size())
                    .map(i -> counts.get((int) i) - before.counts.get((int) i))
                    .boxed()
                    .toList());
        }
    }

    /**
     * Counts since the client began.
     *
     * @param reading times of chunk reads of volumes that only read
     * @param writing of volumes that write
     * @param needed chunks that were read although their volumes write, since the others could not be decoded without
     * @param cheaper chunks that were read although their volumes write, since that costs less than the others
     * @param contradictions replies that were not as expected by the positions of the rings
     * @param polls of the namenode for the rings
     */
    public record Counts(Times reading, Times writing, long needed, long cheaper, long contradictions, long polls) {
        public Counts since(Counts before) {
            return new Counts(
                    reading.since(before.reading),
                    writing.since(before.writing),
                    needed - before.needed,
                    cheaper - before.cheaper,
                    contradictions - before.contradictions,
                    polls - before.polls);
        }
    }

    /** Adds an answered read. */
    public void answered(boolean volumeWrites, long nanos) {
        (volumeWrites ? writing : reading).incrementAndGet(bucket(nanos));
    }

    /**
     * Counts a request to a volume that writes.
     *
     * @param chosen whether for its cost, and others would have sufficed
     */
    public void requestedOfWriter(boolean chosen) {
        (chosen ? cheaper : needed).increment();
    }

    public Counts counts(RingView view) {
        return new Counts(
                times(reading), times(writing), needed.sum(), cheaper.sum(), view.contradictions(), view.polls());
    }

    private static Times times(AtomicLongArray counts) {
        return new Times(LongStream.range(0, counts.length())
                .map(i -> counts.get((int) i))
                .boxed()
                .toList());
    }

    private static int bucket(long nanos) {
        long units = Math.max(STEPS, nanos >> UNIT_BITS);
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - STEP_BITS;
        int step = (int) (units >> octave) & (STEPS - 1);
        return Math.min(octave * STEPS + step, OCTAVES * STEPS - 1);
    }

    private static long upperEdge(int bucket) {
        int octave = bucket / STEPS;
        long units = (long) (STEPS + bucket % STEPS + 1) << octave;
        return units << UNIT_BITS;
    }
}
