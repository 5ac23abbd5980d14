package io.ecfs.stripe.write;

import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.RelayTimes;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.WritePart;
import java.util.EnumMap;
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

    /** Sums of one policy and side; times in nanoseconds. */
    private static final class Sums {
        private final LongAdder stripes = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder elapsed = new LongAdder();
        private final Map<WritePart, LongAdder> parts = new EnumMap<>(WritePart.class);

        private Sums() {
            for (WritePart part : WritePart.values()) {
                parts.put(part, new LongAdder());
            }
        }

        private void add(WritePart part, long nanos) {
            parts.get(part).add(nanos);
        }

        /** Adds so many microseconds of another machine's clock, at most what is left here; returns the nanoseconds. */
        private long add(WritePart part, int micros, long left) {
            long nanos = Math.min(left, TimeUnit.MICROSECONDS.toNanos(micros));
            add(part, nanos);
            return nanos;
        }

        private WriteShare share(Policy policy, WriteSide side) {
            return WriteShare.of(
                    policy,
                    side,
                    stripes.sum(),
                    bytes.sum(),
                    elapsed.sum(),
                    part -> parts.get(part).sum());
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
        private final Sums client = new Sums();
        private final Sums master = new Sums();

        private OfPolicy(Policy policy) {
            this.policy = policy;
        }

        private Stream<WriteShare> shares() {
            return Stream.of(client.share(policy, WriteSide.CLIENT), master.share(policy, WriteSide.MASTER));
        }

        private Sums of(WriteSide side) {
            return side == WriteSide.MASTER ? master : client;
        }

        /** A call to the namenode was answered. */
        public void asked(WriteSide side, long nanos) {
            of(side).add(WritePart.ASKING, nanos);
        }

        public void copied(WriteSide side, long nanos) {
            of(side).add(WritePart.COPYING, nanos);
        }

        /** The client encoded a stripe. */
        public void encoded(long nanos) {
            client.add(WritePart.ENCODING, nanos);
        }

        /**
         * The last datanode has answered what was sent to all.
         *
         * @param side that encodes the group's stripes
         * @param whole from the first request to the last answer
         * @param last that answer, where it tells how long it took
         */
        void exchanged(WriteSide side, long whole, Optional<ChunkReply> last) {
            if (last.isPresent() && last.get() instanceof ChunkReply.Relayed answer) {
                RelayTimes times = answer.times();
                long there = master.add(WritePart.MANAGING, times.managing(), whole);
                there += master.add(WritePart.ENCODING, times.encoding(), whole - there);
                there += master.add(WritePart.DISTRIBUTING, times.distributing(), whole - there);
                there += master.add(WritePart.SERVING, times.serving(), whole - there);
                master.add(WritePart.TRANSFERRING, whole - there);
            } else if (side == WriteSide.MASTER) {
                master.add(WritePart.TRANSFERRING, whole);
            } else {
                long serving = client.add(
                        WritePart.SERVING, last.map(WriteTimes::handled).orElse(0), whole);
                client.add(WritePart.DISTRIBUTING, whole - serving);
            }
        }

        /**
         * As {@link #exchanged}, of a stripe.
         *
         * @param elapsed since the stripe before was answered, or since this one was sent, whichever is less
         */
        void stripeExchanged(long whole, Optional<ChunkReply> last, long bytes, long elapsed) {
            boolean relayed = last.filter(ChunkReply.Relayed.class::isInstance).isPresent();
            WriteSide side = relayed ? WriteSide.MASTER : WriteSide.CLIENT;
            Sums sums = of(side);
            sums.stripes.increment();
            sums.bytes.add(bytes);
            sums.elapsed.add(elapsed);
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
}
