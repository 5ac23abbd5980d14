package io.ecfs.client.write;

import io.ecfs.env.Clock;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where the time of a client's writes goes, in the steps of Kim et al. (cost analysis of erasure coding in exa-scale
 * storage, section 4), added up over all its writers. A few looks at the clock for each stripe, so it is always on. Any
 * thread records and reads.
 *
 * <pre>
 *   copying     user bytes into cells                           client overhead
 *   asking      calls to the namenode, from call to answer      client overhead too
 *   sealing     parity and checksums of a stripe                parity calculation
 *   exchanging  chunks opened, a stripe sent, chunks finished,  data distribution, and in it what
 *               from the first request to the last answer       the datanodes need: slave process
 * </pre>
 *
 * There is no master process: no datanode encodes.
 *
 * Stripes overlap, so the sum may be longer than the writing took.
 */
public final class WriteTimes {
    /** Shorter copies are not timed: two looks at the clock would cost as much. */
    private static final int LEAST_TIMED_COPY = 4096;

    private final Clock clock;
    private final LongAdder stripes = new LongAdder();
    private final LongAdder copying = new LongAdder();
    private final LongAdder asking = new LongAdder();
    private final LongAdder sealing = new LongAdder();
    private final LongAdder exchanges = new LongAdder();
    private final LongAdder exchanging = new LongAdder();

    public WriteTimes(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** All since the client began. */
    public record Sums(
            long stripes,
            long copyingNanos,
            long askingNanos,
            long sealingNanos,
            long exchanges,
            long exchangingNanos) {

        public Sums since(Sums before) {
            return new Sums(
                    stripes - before.stripes,
                    copyingNanos - before.copyingNanos,
                    askingNanos - before.askingNanos,
                    sealingNanos - before.sealingNanos,
                    exchanges - before.exchanges,
                    exchangingNanos - before.exchangingNanos);
        }
    }

    public Sums sums() {
        return new Sums(stripes.sum(), copying.sum(), asking.sum(), sealing.sum(), exchanges.sum(), exchanging.sum());
    }

    /** Hands back the call's future; its time ends with its answer. */
    public <T> CompletableFuture<T> asking(CompletableFuture<T> call) {
        long begin = clock.nanos();
        return call.whenComplete((answer, failure) -> asking.add(clock.nanos() - begin));
    }

    /** Now, for the step that begins. */
    long now() {
        return clock.nanos();
    }

    /** The wall clock, which the lives of tokens are measured by. */
    long epochMillis() {
        return clock.epochMillis();
    }

    static boolean worthTiming(int copiedBytes) {
        return copiedBytes >= LEAST_TIMED_COPY;
    }

    void copiedSince(long begin) {
        copying.add(clock.nanos() - begin);
    }

    void sealedSince(long begin) {
        sealing.add(clock.nanos() - begin);
    }

    /** The last datanode has answered what was sent to all at {@code begin}. */
    void exchangedSince(long begin) {
        exchanges.increment();
        exchanging.add(clock.nanos() - begin);
    }

    void stripeExchangedSince(long begin) {
        stripes.increment();
        exchangedSince(begin);
    }
}
