package io.ecfs.client.read.span;

import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.health.HedgeTimer;
import io.ecfs.client.health.SourceStates;
import io.ecfs.client.plan.AccessPlan;
import io.ecfs.client.plan.AccessQuestion;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.span.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.wire.Futures;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read of one span. It requests the chunks of a plan, and each reply, failure or delay leads to a new plan, until
 * the wanted bytes have arrived or can be decoded.
 *
 * <pre>
 *   READING   requests are out; every event plans anew       --&gt; DECODING, DONE
 *   DECODING  all sources are here, a worker computes         --&gt; DONE
 *   DONE      the result is given; what arrives is released
 * </pre>
 *
 * The requests in flight are in {@link SpanRequests}, the replies in {@link ReceivedChunks}; all state belongs to the
 * client's owner thread. Replies own their buffers until the result takes them or they are released; nothing is ever
 * written to memory that was not made for this read (HDFS-15240).
 */
final class SpanRead implements HedgeTimer.Poll {
    private static final Logger LOG = LoggerFactory.getLogger(SpanRead.class);

    private enum State {
        READING,
        DECODING,
        DONE
    }

    private final SpanPlanner planner;
    private final SpanDecoder decoder;
    private final DatanodeHealth health;
    private final HedgeTimer timer;
    private final Scheduler owner;
    private final Span span;
    private final ReadStrategy way;
    private final ErasureCode code;
    private final SourceStates sources;
    private final CompletableFuture<SpanBytes> result = new CompletableFuture<>();
    private final ReceivedChunks received;
    private final SpanRequests requests;
    private boolean begun;
    private State state = State.READING;

    SpanRead(
            SpanPlanner planner,
            SpanDecoder decoder,
            DatanodeHealth health,
            HedgeTimer timer,
            Scheduler owner,
            Span span,
            ReadStrategy way,
            ErasureCode code,
            SourceStates sources,
            ReceivedChunks received,
            SpanRequests requests) {
        this.planner = planner;
        this.decoder = decoder;
        this.health = health;
        this.timer = timer;
        this.owner = owner;
        this.span = span;
        this.way = way;
        this.code = code;
        this.sources = sources;
        this.received = received;
        this.requests = requests;
        requests.onChange(this::advance);
        way.planned().ifPresent(sources::prefer);
    }

    /**
     * Begins; call once.
     *
     * @return the bytes, owned by the caller; fails with {@code GROUP_UNREADABLE} naming each chunk's failure.
     *     Cancel to give up
     */
    CompletableFuture<SpanBytes> start() {
        return start(() -> {});
    }

    /**
     * Begins as {@link #start}, with a request that is in flight already.
     *
     * @param call asks the chunk of this index for this range
     * @param sent time at which it left
     */
    CompletableFuture<SpanBytes> startWith(int index, Range range, SentRead call, long sent) {
        return start(() -> requests.follow(index, range, call, sent));
    }

    private CompletableFuture<SpanBytes> start(Runnable first) {
        owner.execute(() -> {
            timer.add(this);
            first.run();
            if (way.planned().isEmpty() && (planner.costsMatter() || wantsWriter())) {
                weigh();
            }
            advance();
        });
        Futures.whenCancelled(result, () -> owner.execute(() -> finish(() -> {})));
        return result;
    }

    /** Returns whether a wanted chunk is on a volume that writes: k others may still cost more than that one. */
    private boolean wantsWriter() {
        return span.wanted().keySet().stream().anyMatch(sources::onWriter);
    }

    /** Prefers the chunks that cost least. */
    private void weigh() {
        planner.cheapest(span, requests.group(), code, sources, way.delta() > 0).ifPresent(sources::prefer);
    }

    private void advance() {
        if (state != State.READING) {
            return;
        }
        ChunkSet wanted = received.missing();
        if (wanted.isEmpty()) {
            deliver();
            return;
        }
        boolean first = !begun;
        begun = true;
        if (way.delta() > 0) {
            if (bindLate(wanted, first)) {
                return;
            }
        } else if (allLive(wanted)) {
            wanted.forEach(index -> requests.request(index, span.wanted().get(index))); // as a plan would say
            return;
        }
        Optional<Range> columns = columnsOfTheDoubtful();
        Optional<AccessPlan> plan = planner.plan(new AccessQuestion(code, wanted, sources(columns)));
        if (plan.isEmpty()) {
            finish(() -> result.completeExceptionally(Unreadable.because(requests.group(), code, sources.failures())));
            return;
        }
        boolean complete = true;
        for (int index : plan.get().direct()) {
            complete &= received.has(index, span.wanted().get(index));
        }
        if (plan.get().repair().isPresent()) {
            for (int index : plan.get().repair().get().sources()) {
                complete &= received.hasColumns(index, columns.orElseThrow());
            }
        }
        if (!complete) {
            plan.get().repair().ifPresent(repair -> requestColumns(repair.sources(), columns.orElseThrow()));
            plan.get()
                    .direct()
                    .forEach(index -> requests.request(index, span.wanted().get(index)));
            if (first) {
                tryAvoided(plan.get().direct());
            }
        } else if (plan.get().repair().isPresent()) {
            decode(plan.get().repair().get(), columns.orElseThrow());
        } else {
            deliver();
        }
    }

    private boolean allLive(ChunkSet chunks) {
        for (int index : chunks) {
            if (standing(index) != Standing.LIVE) {
                return false;
            }
        }
        return true;
    }

    /**
     * Late binding: asks k + delta chunks for all columns that are wanted, once, and decodes as soon as what is here
     * allows it. No plan depends on the delta spares among them, which may wait for long: when others fail or are late,
     * those are asked that a plan says, spares once more as ordinary reads.
     *
     * @param first whether nothing is asked yet
     * @return whether it did
     */
    private boolean bindLate(ChunkSet wanted, boolean first) {
        Range columns = span.columns();
        if (first) {
            InitialSelection asked = InitialSelection.of(code, span, wanted, columns, sources, way);
            requestColumns(asked.needed(), columns);
            asked.spares().forEach(index -> requests.requestSpare(index, asStored(index, columns)));
            return false;
        }
        ChunkSet usable = ChunkSet.of(IntStream.range(0, code.chunks())
                .filter(index -> received.hasColumns(index, columns))
                .boxed()
                .toList());
        if (code.plan(wanted, usable) instanceof RepairPlan repair) {
            decode(repair, columns);
            return true;
        }
        return false;
    }

    /**
     * Tries slow datanodes, and volumes that should write, now and then when the read begins, beside those that are
     * read in their place; the replies are not awaited.
     */
    private void tryAvoided(ChunkSet asked) {
        span.wanted().forEach((index, range) -> {
            Standing standing = sources.of(index);
            if (asked.contains(index)) {
                return;
            }
            if (standing == Standing.WRITING && health.takeWriterTrial(requests.location(index))) {
                requests.writerTrial(index, range);
            } else if (standing == Standing.SLOW
                    && !sources.onWriter(index)
                    && health.takeTrial(requests.location(index).datanode())) {
                requests.trial(index, range);
            }
        });
    }

    /**
     * The columns that must be decoded if every wanted chunk that is not in good standing is lost; empty when all are
     * fine.
     */
    private Optional<Range> columnsOfTheDoubtful() {
        Optional<Range> columns = span.wanted().entrySet().stream()
                .filter(e -> !received.has(e.getKey(), e.getValue()))
                .filter(e -> standing(e.getKey()).compareTo(Standing.LIVE) > 0)
                .map(e -> e.getValue())
                .reduce(Range::union);
        return code.subChunks() == 1 ? columns : columns.map(c -> span.wholeCells());
    }

    private SortedMap<Integer, Standing> sources(Optional<Range> columns) {
        SortedMap<Integer, Standing> all = new TreeMap<>();
        for (int index = 0; index < code.chunks(); index++) {
            Range wanted = span.wanted().get(index);
            boolean direct = wanted == null || received.has(index, wanted);
            boolean serves = columns.isPresent() && received.hasColumns(index, columns.get());
            all.put(index, direct && serves ? Standing.AT_HAND : standing(index));
        }
        return all;
    }

    /**
     * The standing of a chunk. One that is requested only as a spare stands behind those that are not requested at all:
     * it may wait for long, and where it was refused the volume is busy.
     */
    private Standing standing(int index) {
        Standing plain = sources.of(index);
        return requests.onlySpare(index) && plain == Standing.LIVE ? Standing.PASSED_OVER : plain;
    }

    private void requestColumns(Iterable<Integer> indexes, Range columns) {
        for (int index : indexes) {
            if (span.hasStored(index, columns)) {
                requests.request(index, asStored(index, columns));
            }
        }
    }

    private Range asStored(int index, Range columns) {
        Range stored = span.stored(index, columns);
        Range wanted = span.wanted().get(index);
        return wanted == null ? stored : stored.union(wanted);
    }

    /** Requests others in place of the chunks that are late by now. */
    @Override
    public void poll(long now) {
        if (state == State.READING && requests.late(now)) {
            advance();
        }
    }

    private void deliver() {
        SpanBytes bytes = SpanBytes.of(span, received.take());
        finish(() -> give(bytes));
    }

    private void decode(RepairPlan plan, Range columns) {
        enter(State.DECODING);
        way.watch().decoding();
        requests.callOff();
        SpanDecode decode = decoder.prepare(span, code, plan, columns, received.take());
        decoder.submit(decode)
                .whenComplete((bytes, failure) -> owner.execute(() -> {
                    if (failure != null) {
                        decode.release();
                        finish(() -> result.completeExceptionally(EcfsException.of(failure)));
                    } else {
                        finish(() -> give(bytes));
                    }
                }));
    }

    private void give(SpanBytes bytes) {
        if (!result.complete(bytes)) {
            bytes.close();
        }
    }

    /** Ends the read: calls what is still out off, lets the rest go, and gives the result. */
    private void finish(Runnable give) {
        if (state == State.DONE) {
            give.run();
            return;
        }
        enter(State.DONE);
        requests.callOff();
        received.release();
        give.run();
    }

    private void enter(State next) {
        Invariant.check(
                state.compareTo(next) < 0,
                "read of group %s goes from %s to %s",
                requests.group().group(),
                state,
                next);
        LOG.debug(
                "event=read_state group={} chunks={} from={} to={}",
                requests.group().group(),
                received.indexes(),
                state,
                next);
        timer.remove(this);
        state = next;
    }
}
