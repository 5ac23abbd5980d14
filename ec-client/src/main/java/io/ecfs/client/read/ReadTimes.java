package io.ecfs.client.read;

import io.ecfs.env.Clock;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The time that a client's reads of several blocks spend in each step of the EC-Store paper (figure 4b), summed over
 * all of them. It costs a few readings of the clock for each, so it is always on. Any thread records and reads.
 *
 * <pre>
 *   opening    where the chunks are: calls to the namenode     metadata
 *   planning   candidates, costs, cache, greedy plan           planning
 *   reading    from the first request to the last byte         retrieval, and decoding
 *   decoding   computing lost bytes, of all reads              decoding
 * </pre>
 *
 * Blocks of one request are decoded side by side while others are read, so decoding may add up to more than it made the
 * request longer.
 */
public final class ReadTimes {
    private final Clock clock;
    private final LongAdder requests = new LongAdder();
    private final LongAdder opening = new LongAdder();
    private final LongAdder planning = new LongAdder();
    private final LongAdder reading = new LongAdder();
    private final LongAdder decodings = new LongAdder();
    private final LongAdder decoding = new LongAdder();

    public ReadTimes(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** All since the client began. */
    public record Sums(
            long requests,
            long openingNanos,
            long planningNanos,
            long readingNanos,
            long decodings,
            long decodingNanos) {

        public Sums since(Sums before) {
            return new Sums(
                    requests - before.requests,
                    openingNanos - before.openingNanos,
                    planningNanos - before.planningNanos,
                    readingNanos - before.readingNanos,
                    decodings - before.decodings,
                    decodingNanos - before.decodingNanos);
        }
    }

    public Sums sums() {
        return new Sums(requests.sum(), opening.sum(), planning.sum(), reading.sum(), decodings.sum(), decoding.sum());
    }

    /** Begins one request; hands back its future, whose time ends with its answer. */
    public <T> CompletableFuture<T> opening(Supplier<CompletableFuture<T>> open) {
        requests.increment();
        long begin = clock.nanos();
        return open.get().whenComplete((answer, failure) -> opening.add(clock.nanos() - begin));
    }

    /** Now, for the step that begins. */
    public long now() {
        return clock.nanos();
    }

    public void plannedSince(long begin) {
        planning.add(clock.nanos() - begin);
    }

    /** @return what was added: a part of its own request's time */
    public long readSince(long begin) {
        long nanos = clock.nanos() - begin;
        reading.add(nanos);
        return nanos;
    }

    void decodedSince(long begin) {
        decodings.increment();
        decoding.add(clock.nanos() - begin);
    }
}
