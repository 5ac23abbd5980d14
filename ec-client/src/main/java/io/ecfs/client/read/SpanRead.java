package io.ecfs.client.read;

import io.ecfs.client.plan.AccessPlan;
import io.ecfs.client.plan.AccessQuestion;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.message.BadChunk;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.LocatedGroup;
import io.ecfs.transfer.ChunkBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the bytes of one span. It asks for what the planner says, and each answer, failure or delay leads to a new plan, until the
 * wanted bytes are here or can be decoded.
 *
 * <pre>
 *   READING   requests are out; every event plans anew       --&gt; DECODING, DONE
 *   DECODING  all sources are here, a worker computes         --&gt; DONE
 *   DONE      the result is given; what arrives is released
 * </pre>
 *
 * All state belongs to the client's owner thread. Answers keep their own buffers until the result takes them or they are released;
 * nothing is ever written to memory that was not made for this read (HDFS-15240).
 */
final class SpanRead {
    private static final Logger LOG = LoggerFactory.getLogger(SpanRead.class);

    private enum State {
        READING,
        DECODING,
        DONE
    }

    private record Request(Range range, CompletableFuture<ChunkBytes> call, long began) {}

    private final ReadServices services;
    private final LocatedGroup group;
    private final Span span;
    private final ErasureCode code;
    private final CompletableFuture<SpanBytes> result = new CompletableFuture<>();
    private final SortedMap<Integer, ChunkBytes> here = new TreeMap<>();
    private final SortedMap<Integer, Request> requests = new TreeMap<>();
    private final SortedMap<Integer, EcfsException> failures = new TreeMap<>();
    private final TreeSet<Integer> late = new TreeSet<>();
    private final TreeSet<Integer> overdue = new TreeSet<>();
    private boolean begun;
    private State state = State.READING;

    SpanRead(ReadServices services, LocatedGroup group, Span span) {
        this.services = services;
        this.group = group;
        this.span = span;
        this.code = services.codes().of(group.policy().code());
    }

    /**
     * Begins; call once.
     *
     * @return the bytes, owned by whoever takes them; fails with {@code GROUP_UNREADABLE} naming each chunk's failure. Cancel to
     *     give up
     */
    CompletableFuture<SpanBytes> start() {
        services.owner().execute(() -> {
            services.watch().add(this);
            advance();
        });
        result.whenComplete((bytes, failure) -> {
            if (result.isCancelled()) {
                services.owner().execute(() -> finish(() -> {}));
            }
        });
        return result;
    }

    private void advance() {
        if (state != State.READING) {
            return;
        }
        ChunkSet wanted = ChunkSet.of(span.wanted().entrySet().stream()
                .filter(e -> !have(e.getKey(), e.getValue()))
                .map(e -> e.getKey())
                .toList());
        if (wanted.isEmpty()) {
            deliver();
            return;
        }
        if (services.hedging().delta() > 0 && bindLate(wanted)) {
            return;
        }
        Optional<Range> columns = columnsOfTheDoubtful();
        SortedMap<Integer, Standing> standings = standings(columns);
        Optional<AccessPlan> plan = services.planner().plan(new AccessQuestion(code, wanted, standings));
        if (plan.isEmpty()) {
            finish(() -> result.completeExceptionally(Unreadable.because(group, code, failures)));
            return;
        }
        boolean complete = true;
        for (int index : plan.get().direct()) {
            complete &= have(index, span.wanted().get(index));
        }
        if (plan.get().repair().isPresent()) {
            for (int index : plan.get().repair().get().sources()) {
                complete &= haveColumns(index, columns.orElseThrow());
            }
        }
        if (!complete) {
            plan.get().repair().ifPresent(repair -> requestColumns(repair.sources(), columns.orElseThrow()));
            plan.get().direct().forEach(index -> request(index, span.wanted().get(index)));
            trySlow(plan.get().direct());
        } else if (plan.get().repair().isPresent()) {
            decode(plan.get().repair().get(), columns.orElseThrow());
        } else {
            deliver();
        }
    }

    /**
     * Late binding: asks k + delta chunks for all columns that are wanted, once, and decodes as soon as what is here allows it.
     *
     * @return whether it did
     */
    private boolean bindLate(ChunkSet wanted) {
        Range columns = columns(span.wanted().values().stream());
        if (!begun) {
            requestColumns(firstBound(), columns);
            return false;
        }
        ChunkSet usable = ChunkSet.of(IntStream.range(0, code.chunks())
                .filter(index -> haveColumns(index, columns))
                .boxed()
                .toList());
        if (code.plan(wanted, usable) instanceof RepairPlan repair) {
            decode(repair, columns);
            return true;
        }
        return false;
    }

    /** The best k + delta chunks; of codes that do not decode from any k as many more as make one of them superfluous. */
    private ChunkSet firstBound() {
        List<Integer> order = new ArrayList<>(IntStream.range(0, code.chunks())
                .filter(index -> standing(index) != Standing.FAILED)
                .boxed()
                .toList());
        order.sort(Comparator.comparing(this::standing).thenComparing(Comparator.naturalOrder()));
        boolean any = code.spec().survivedLosses() == code.parityChunks();
        ChunkSet bound = ChunkSet.empty();
        for (int index : order) {
            if (bound.size() >= code.dataChunks() + services.hedging().delta()
                    && (any || code.spec().redundant(bound))) {
                break;
            }
            bound = bound.with(index);
        }
        return bound;
    }

    /** Asks slow datanodes now and then, beside those that are read in their place: nobody waits for the answer. */
    private void trySlow(ChunkSet asked) {
        if (begun) {
            return;
        }
        begun = true;
        span.wanted().forEach((index, range) -> {
            if (!asked.contains(index) && standing(index) == Standing.SLOW) {
                ChunkLocation location = group.chunk(index).orElseThrow();
                if (services.hedging().takeTrial(location.datanode())) {
                    trial(location, range);
                }
            }
        });
    }

    private void trial(ChunkLocation location, Range range) {
        long began = services.clock().nanos();
        ask(location, range).whenComplete((bytes, failure) -> {
            if (bytes != null) {
                bytes.close();
            }
            services.owner().execute(() -> {
                services.hedging().tried(location.datanode());
                if (failure == null) {
                    services.hedging().answered(location.datanode(), range.bytes(), began);
                }
            });
        });
    }

    private Range columns(Stream<Range> ranges) {
        return code.subChunks() == 1 ? ranges.reduce(Range::union).orElseThrow() : span.wholeCells();
    }

    /** The columns that must be decoded if every wanted chunk that is not in good standing is lost; empty when all are fine. */
    private Optional<Range> columnsOfTheDoubtful() {
        Optional<Range> columns = span.wanted().entrySet().stream()
                .filter(e -> !have(e.getKey(), e.getValue()))
                .filter(e -> standing(e.getKey()).compareTo(Standing.LIVE) > 0)
                .map(e -> e.getValue())
                .reduce(Range::union);
        return code.subChunks() == 1 ? columns : columns.map(c -> span.wholeCells());
    }

    private SortedMap<Integer, Standing> standings(Optional<Range> columns) {
        SortedMap<Integer, Standing> standings = new TreeMap<>();
        for (int index = 0; index < code.chunks(); index++) {
            Range wanted = span.wanted().get(index);
            boolean direct = wanted == null || have(index, wanted);
            boolean serves = columns.isPresent() && haveColumns(index, columns.get());
            standings.put(index, direct && serves ? Standing.AT_HAND : standing(index));
        }
        return standings;
    }

    private Standing standing(int index) {
        Optional<ChunkLocation> location = group.chunk(index);
        if (location.isEmpty() || failures.containsKey(index)) {
            return Standing.FAILED;
        }
        if (late.contains(index)) {
            return Standing.LATE;
        }
        if (location.get().state() != ChunkLocation.State.LIVE) {
            return Standing.DOUBTFUL;
        }
        if (services.suspicions().suspected(location.get().datanode())) {
            return Standing.SUSPECTED;
        }
        return services.hedging().slow(location.get().datanode()) ? Standing.SLOW : Standing.LIVE;
    }

    private boolean have(int index, Range range) {
        ChunkBytes bytes = here.get(index);
        return bytes != null && bytes.covers(range.from(), range.to());
    }

    private boolean haveColumns(int index, Range columns) {
        return !span.hasStored(index, columns) || have(index, span.stored(index, columns));
    }

    private void requestColumns(Iterable<Integer> indexes, Range columns) {
        for (int index : indexes) {
            if (span.hasStored(index, columns)) {
                Range stored = span.stored(index, columns);
                Range wanted = span.wanted().get(index);
                request(index, wanted == null ? stored : stored.union(wanted));
            }
        }
    }

    /** One request a chunk at a time: a larger one waits for the answer of the smaller. */
    private void request(int index, Range range) {
        if (have(index, range) || requests.containsKey(index)) {
            return;
        }
        ChunkLocation location = group.chunk(index).orElseThrow();
        long began = services.clock().nanos();
        CompletableFuture<ChunkBytes> call = ask(location, range);
        requests.put(index, new Request(range, call, began));
        call.whenComplete((bytes, failure) -> services.owner().execute(() -> answered(index, bytes, failure)));
    }

    private CompletableFuture<ChunkBytes> ask(ChunkLocation location, Range range) {
        services.hedging().asks();
        return services.chunks().read(location, range.from(), range.bytes(), group.token());
    }

    /** Lets others answer for the chunks that are late by now. */
    void look(long now) {
        if (state != State.READING) {
            return;
        }
        boolean changed = false;
        for (Map.Entry<Integer, Request> one : requests.entrySet()) {
            int index = one.getKey();
            long waited = now - one.getValue().began();
            if (waited >= services.config().lateAfter().toNanos()) {
                if (overdue.add(index)) {
                    services.suspicions()
                            .suspect(group.chunk(index).orElseThrow().datanode());
                    changed |= late.add(index);
                }
            } else if (!late.contains(index)
                    && waited
                            >= services.hedging()
                                    .lateAfterNanos(one.getValue().range().bytes())
                    && services.hedging().takeHedge()) {
                changed |= late.add(index);
            }
        }
        if (changed) {
            advance();
        }
    }

    private void answered(int index, ChunkBytes bytes, Throwable failure) {
        Request request = requests.remove(index);
        late.remove(index);
        overdue.remove(index);
        if (request == null || state == State.DONE) { // called off
            if (bytes != null) {
                bytes.close();
            }
            return;
        }
        ChunkLocation location = group.chunk(index).orElseThrow();
        if (failure == null) {
            services.suspicions().answered(location.datanode());
            services.hedging().answered(location.datanode(), request.range().bytes(), request.began());
            keep(index, bytes);
        } else {
            failed(location, EcfsException.of(failure));
        }
        advance();
    }

    private void keep(int index, ChunkBytes bytes) {
        ChunkBytes before = here.put(index, bytes);
        if (before != null) {
            before.close();
        }
    }

    private void failed(ChunkLocation location, EcfsException failure) {
        failures.put(location.chunk().index(), failure);
        switch (failure.code()) {
            case CHUNK_CORRUPT -> report(location, BadChunk.Reason.CORRUPT);
            case CHUNK_MISSING -> report(location, BadChunk.Reason.MISSING);
            case TIMEOUT, UNREACHABLE, CONNECTION_LOST -> services.suspicions().suspect(location.datanode());
            default -> {}
        }
    }

    private void report(ChunkLocation location, BadChunk.Reason reason) {
        services.badChunks().report(new BadChunk(location.chunk(), location.volume(), location.datanode(), reason));
    }

    private void deliver() {
        SpanBytes bytes = SpanBytes.of(span, here);
        here.clear();
        finish(() -> give(bytes));
    }

    private void decode(RepairPlan plan, Range columns) {
        enter(State.DECODING);
        callOff();
        SpanDecode decode = new SpanDecode(span, code, plan, columns, here, services.scratch());
        here.clear();
        services.decoders()
                .submit(decode::run)
                .whenComplete((bytes, failure) -> services.owner().execute(() -> {
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

    /** What is still out is not needed. Its answers are released where they arrive. */
    private void callOff() {
        requests.forEach((index, request) -> {
            DatanodeId datanode = group.chunk(index).orElseThrow().datanode();
            services.hedging().gaveUp(datanode, request.range().bytes(), request.began());
            request.call().cancel(false);
        });
        requests.clear();
    }

    /** Ends the read: calls what is still out off, lets the rest go, and gives the result. */
    private void finish(Runnable give) {
        if (state == State.DONE) {
            give.run();
            return;
        }
        enter(State.DONE);
        callOff();
        here.values().forEach(ChunkBytes::close);
        here.clear();
        give.run();
    }

    private void enter(State next) {
        Invariant.check(state.compareTo(next) < 0, "read of group %s goes from %s to %s", group.group(), state, next);
        LOG.debug("event=read_state group={} chunks={} from={} to={}", group.group(), here.keySet(), state, next);
        services.watch().remove(this);
        state = next;
    }
}
