package io.ecfs.client.write;

import io.ecfs.env.Clock;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.RelayTimes;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where the time of a client's writes goes, in the steps of Kim et al. (cost analysis of erasure coding in exa-scale
 * storage, section 4), added up over all its writers. A few looks at the clock for each stripe, so it is always on. Any
 * thread records and reads.
 *
 * <pre>
 *   copying       user bytes into cells, checksums                      CO, client overhead
 *   asking        calls to the namenode, from call to answer            CO
 *   transferring  to the datanode that relays, and its answer           CO
 *   managing      there: what is left beside the next three             MP, master process
 *   encoding      parity, here or there                                 PC, parity calculation
 *   distributing  cells to the datanodes, and their answers             DD, data distribution
 *   serving       handling of the datanode that answered last           SP, slave process
 * </pre>
 *
 * An exchange (chunks opened, a stripe sent, chunks finished) lasts from its first request to its last answer. It is
 * distributing and serving when this client encodes, and all from transferring on when a datanode does. Stripes
 * overlap, so the sum may be longer than the writing took.
 */
public final class WriteTimes {
    /** Shorter copies are not timed: two looks at the clock would cost as much. */
    private static final int LEAST_TIMED_COPY = 4096;

    private final Clock clock;
    private final LongAdder stripes = new LongAdder();
    private final LongAdder copying = new LongAdder();
    private final LongAdder asking = new LongAdder();
    private final LongAdder transferring = new LongAdder();
    private final LongAdder managing = new LongAdder();
    private final LongAdder encoding = new LongAdder();
    private final LongAdder distributing = new LongAdder();
    private final LongAdder serving = new LongAdder();
    private final LongAdder relayed = new LongAdder();

    public WriteTimes(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * All since the client began, in nanoseconds.
     *
     * @param stripes that were acknowledged, of which {@code relayed} by another datanode
     */
    public record Sums(
            long stripes,
            long relayed,
            long copying,
            long asking,
            long transferring,
            long managing,
            long encoding,
            long distributing,
            long serving) {

        public Sums since(Sums before) {
            return new Sums(
                    stripes - before.stripes,
                    relayed - before.relayed,
                    copying - before.copying,
                    asking - before.asking,
                    transferring - before.transferring,
                    managing - before.managing,
                    encoding - before.encoding,
                    distributing - before.distributing,
                    serving - before.serving);
        }
    }

    public Sums sums() {
        return new Sums(
                stripes.sum(),
                relayed.sum(),
                copying.sum(),
                asking.sum(),
                transferring.sum(),
                managing.sum(),
                encoding.sum(),
                distributing.sum(),
                serving.sum());
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

    /** Returns how long it took. */
    long encodedSince(long begin) {
        long nanos = clock.nanos() - begin;
        encoding.add(nanos);
        return nanos;
    }

    /**
     * The last datanode has answered what was sent to all at {@code begin}.
     *
     * @param last its answer, where it tells how long that took
     */
    void exchangedSince(long begin, Optional<ChunkReply> last) {
        long whole = clock.nanos() - begin;
        if (last.isPresent() && last.get() instanceof ChunkReply.Relayed answer) {
            RelayTimes times = answer.times();
            long there = add(managing, times.managing(), whole);
            there += add(encoding, times.encoding(), whole - there);
            there += add(distributing, times.distributing(), whole - there);
            there += add(serving, times.serving(), whole - there);
            transferring.add(whole - there);
            relayed.increment();
        } else {
            distributing.add(whole - add(serving, last.map(WriteTimes::handled).orElse(0), whole));
        }
    }

    void stripeExchangedSince(long begin, Optional<ChunkReply> last) {
        stripes.increment();
        exchangedSince(begin, last);
    }

    /** Microseconds that a datanode took for a write; 0 where it did not say. */
    private static int handled(ChunkReply reply) {
        OptionalInt micros = OptionalInt.empty();
        if (reply instanceof ChunkReply.Written written) {
            micros = written.handled();
        }
        if (reply instanceof ChunkReply.Finished finished) {
            micros = finished.handled();
        }
        return micros.orElse(0);
    }

    /** Adds so many microseconds of another machine's clock, at most what is left here; returns the nanoseconds. */
    private static long add(LongAdder step, int micros, long left) {
        long nanos = Math.min(left, TimeUnit.MICROSECONDS.toNanos(micros));
        step.add(nanos);
        return nanos;
    }
}
