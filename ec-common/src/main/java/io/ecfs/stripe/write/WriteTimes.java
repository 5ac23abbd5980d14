package io.ecfs.stripe.write;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.RelayTimes;
import io.ecfs.message.report.WriteShare;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Where the time of writes goes, in the steps of Kim et al. (cost analysis of erasure coding in exa-scale
 * storage, section 4), added up over all its writers, by policy and by who encodes. Any thread adds and reads.
 * Writers look at the clock a few times for each stripe, so it is always on.
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
 * distributing and serving when the writer encodes. When a datanode does, a stripe is all from transferring on, and
 * what the writer exchanges with the chunks itself, as it opens and finishes them, is transferring. Stripes overlap,
 * so the sum may be longer than the writing took.
 */
public final class WriteTimes {
    /** Shorter copies are not timed: two looks at the clock would cost as much. */
    private static final int LEAST_TIMED_COPY = 4096;

    private final Map<Policy, OfPolicy> policies = new ConcurrentHashMap<>();

    /** Nanoseconds of one policy and side. */
    private static final class Steps {
        private final LongAdder stripes = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder elapsed = new LongAdder();
        private final LongAdder copying = new LongAdder();
        private final LongAdder asking = new LongAdder();
        private final LongAdder transferring = new LongAdder();
        private final LongAdder managing = new LongAdder();
        private final LongAdder encoding = new LongAdder();
        private final LongAdder distributing = new LongAdder();
        private final LongAdder serving = new LongAdder();

        private WriteShare share(Policy policy, EncodingSide side) {
            return new WriteShare(
                    policy,
                    side,
                    stripes.sum(),
                    bytes.sum(),
                    elapsed.sum(),
                    copying.sum(),
                    asking.sum(),
                    transferring.sum(),
                    managing.sum(),
                    encoding.sum(),
                    distributing.sum(),
                    serving.sum());
        }
    }

    /** The times of one policy, for its writers to hold. */
    public OfPolicy of(Policy policy) {
        return policies.computeIfAbsent(policy, OfPolicy::new);
    }

    /** All since the client began, by policy and by who encoded. */
    public List<WriteShare> shares() {
        return policies.values().stream()
                .flatMap(OfPolicy::shares)
                .filter(share -> share.stripes() > 0 || share.steps() > 0)
                .toList();
    }

    public static boolean worthTiming(int copiedBytes) {
        return copiedBytes >= LEAST_TIMED_COPY;
    }

    /** Times of the writes under one policy, in nanoseconds. */
    public static final class OfPolicy {
        private final Policy policy;
        private final Steps client = new Steps();
        private final Steps master = new Steps();

        private OfPolicy(Policy policy) {
            this.policy = policy;
        }

        private Stream<WriteShare> shares() {
            return Stream.of(client.share(policy, EncodingSide.CLIENT), master.share(policy, EncodingSide.MASTER));
        }

        private Steps of(EncodingSide side) {
            return side == EncodingSide.MASTER ? master : client;
        }

        /** A call to the namenode was answered. */
        public void asked(EncodingSide side, long nanos) {
            of(side).asking.add(nanos);
        }

        public void copied(EncodingSide side, long nanos) {
            of(side).copying.add(nanos);
        }

        /** The client encoded a stripe. */
        public void encoded(long nanos) {
            client.encoding.add(nanos);
        }

        /**
         * The last datanode has answered what was sent to all.
         *
         * @param side that encodes the group's stripes
         * @param whole from the first request to the last answer
         * @param last that answer, where it tells how long it took
         */
        void exchanged(EncodingSide side, long whole, Optional<ChunkReply> last) {
            if (last.isPresent() && last.get() instanceof ChunkReply.Relayed answer) {
                RelayTimes times = answer.times();
                long there = add(master.managing, times.managing(), whole);
                there += add(master.encoding, times.encoding(), whole - there);
                there += add(master.distributing, times.distributing(), whole - there);
                there += add(master.serving, times.serving(), whole - there);
                master.transferring.add(whole - there);
            } else if (side == EncodingSide.MASTER) {
                master.transferring.add(whole);
            } else {
                client.distributing.add(whole
                        - add(client.serving, last.map(WriteTimes::handled).orElse(0), whole));
            }
        }

        /**
         * As {@link #exchanged}, of a stripe.
         *
         * @param elapsed since the stripe before was answered, or since this one was sent, whichever is less
         */
        void stripeExchanged(long whole, Optional<ChunkReply> last, long bytes, long elapsed) {
            boolean relayed = last.filter(ChunkReply.Relayed.class::isInstance).isPresent();
            EncodingSide side = relayed ? EncodingSide.MASTER : EncodingSide.CLIENT;
            Steps steps = of(side);
            steps.stripes.increment();
            steps.bytes.add(bytes);
            steps.elapsed.add(elapsed);
            exchanged(side, whole, last);
        }
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
