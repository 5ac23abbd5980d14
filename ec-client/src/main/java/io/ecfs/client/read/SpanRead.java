package io.ecfs.client.read;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.plan.AccessPlan;
import io.ecfs.client.plan.AccessQuestion;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.LocatedGroup;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.wire.Relay;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
 *             a chunk that is missing is asked for where the namenode says that it lies now
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

    /** Times that a chunk may be looked for at another place in one read; chunks do not move faster than that. */
    private static final int MOST_LOOKS_A_CHUNK = 3;

    /**
     * A chunk that is waited for.
     *
     * @param through bytes that its volume reads before it has answered, these included
     * @param looking whether it was not where it was said to be, and {@code call} is the question where it is
     */
    private record Request(
            ChunkLocation location, Range range, CompletableFuture<?> call, long began, long through, boolean looking) {
        Request lookingFor(CompletableFuture<LocatedGroup> places) {
            return new Request(location, range, places, began, through, true);
        }
    }

    private final ReadServices services;
    private LocatedGroup group;
    private final Span span;
    private final ReadWay way;
    private final Whereabouts places;
    private final ErasureCode code;
    private final Standings standings;
    private final CompletableFuture<SpanBytes> result = new CompletableFuture<>();
    private final SortedMap<Integer, ChunkBytes> here = new TreeMap<>();
    private final SortedMap<Integer, Request> requests = new TreeMap<>();
    private final SortedMap<Integer, Request> spares = new TreeMap<>();
    private ChunkSet refusedSpares = ChunkSet.empty(); // they stand where they stood while they were out
    private boolean begun;
    private int looks;
    private State state = State.READING;

    SpanRead(ReadServices services, LocatedGroup group, Span span, ReadWay way, Whereabouts places) {
        this.way = way;
        this.places = places;
        this.services = services;
        this.group = group;
        this.span = span;
        this.code = services.codes().of(group.policy().code());
        this.standings = new Standings(services, group);
        way.planned().ifPresent(standings::prefer);
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
            if (way.planned().isEmpty() && services.costs().snapshot().uneven()) {
                weigh();
            }
            advance();
        });
        Relay.whenCancelled(result, () -> services.owner().execute(() -> finish(() -> {})));
        return result;
    }

    /** Some volume is under such load that it is worth to look which chunks cost least. */
    private void weigh() {
        services.costs().considered(group.chunks());
        SpanNeed.of(span, group, code, standings, way.delta() > 0, 0)
                .flatMap(need -> services.plans().alone(need))
                .ifPresent(plan -> standings.prefer(plan.chunks().get(0)));
    }

    private void advance() {
        if (state != State.READING) {
            return;
        }
        ChunkSet wanted = missing();
        if (wanted.isEmpty()) {
            deliver();
            return;
        }
        if (way.delta() > 0) {
            if (bindLate(wanted)) {
                return;
            }
        } else if (allLive(wanted)) {
            begun = true;
            wanted.forEach(index -> request(index, span.wanted().get(index))); // as a plan would say
            return;
        }
        Optional<Range> columns = columnsOfTheDoubtful();
        Optional<AccessPlan> plan = services.planner().plan(new AccessQuestion(code, wanted, standings(columns)));
        if (plan.isEmpty()) {
            finish(() -> result.completeExceptionally(Unreadable.because(group, code, standings.failures())));
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

    private ChunkSet missing() {
        ChunkSet missing = ChunkSet.empty();
        for (Map.Entry<Integer, Range> one : span.wanted().entrySet()) {
            if (!have(one.getKey(), one.getValue())) {
                missing = missing.with(one.getKey());
            }
        }
        return missing;
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
     * Late binding: asks k + delta chunks for all columns that are wanted, once, and decodes as soon as what is here allows it. Nobody counts on
     * the delta spares among them, which may wait for long: when others fail or are late, those are asked that a plan says, spares once more as
     * ordinary reads.
     *
     * @return whether it did
     */
    private boolean bindLate(ChunkSet wanted) {
        Range columns = columns(span.wanted().values().stream());
        if (!begun) {
            FirstBound first = FirstBound.of(code, span, wanted, columns, standings, way);
            requestColumns(first.needed(), columns);
            first.spares().forEach(index -> requestSpare(index, asStored(index, columns)));
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

    /** Asks slow datanodes now and then, beside those that are read in their place: nobody waits for the answer. */
    private void trySlow(ChunkSet asked) {
        if (begun) {
            return;
        }
        begun = true;
        span.wanted().forEach((index, range) -> {
            if (!asked.contains(index) && standings.of(index) == Standing.SLOW) {
                ChunkLocation location = location(index);
                if (services.hedging().takeTrial(location.datanode())) {
                    trial(location, range);
                }
            }
        });
    }

    private void trial(ChunkLocation location, Range range) {
        long began = services.clock().nanos();
        ask(location, range, false).whenComplete((bytes, failure) -> {
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
        SortedMap<Integer, Standing> all = new TreeMap<>();
        for (int index = 0; index < code.chunks(); index++) {
            Range wanted = span.wanted().get(index);
            boolean direct = wanted == null || have(index, wanted);
            boolean serves = columns.isPresent() && haveColumns(index, columns.get());
            all.put(index, direct && serves ? Standing.AT_HAND : standing(index));
        }
        return all;
    }

    /** What is out as a spare only stands behind what is not out at all: it may be long in coming, and where it was refused the volume is busy. */
    private Standing standing(int index) {
        Standing plain = standings.of(index);
        boolean spare = spares.containsKey(index) || refusedSpares.contains(index);
        boolean onlySpare = spare && !requests.containsKey(index);
        return onlySpare && plain == Standing.LIVE ? Standing.PASSED_OVER : plain;
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
                request(index, asStored(index, columns));
            }
        }
    }

    private Range asStored(int index, Range columns) {
        Range stored = span.stored(index, columns);
        Range wanted = span.wanted().get(index);
        return wanted == null ? stored : stored.union(wanted);
    }

    /** One request a chunk at a time: a larger one waits for the answer of the smaller. */
    private void request(int index, Range range) {
        if (have(index, range) || requests.containsKey(index)) {
            return;
        }
        ChunkLocation location = location(index);
        long began = services.clock().nanos();
        services.costs().asked(location);
        way.watch().asked(location, range.bytes());
        CompletableFuture<ChunkBytes> call = ask(location, range, false);
        long through = way.together()
                .map(together -> together.asked(location.volume()))
                .orElse((long) range.bytes());
        requests.put(index, new Request(location, range, call, began, through, false));
        call.whenComplete((bytes, failure) -> services.owner().execute(() -> answered(index, call, bytes, failure)));
    }

    /** How long it takes tells nothing of its volume. */
    private void requestSpare(int index, Range range) {
        ChunkLocation location = location(index);
        long began = services.clock().nanos();
        way.watch().asked(location, range.bytes());
        CompletableFuture<ChunkBytes> call = ask(location, range, true);
        spares.put(index, new Request(location, range, call, began, range.bytes(), false));
        call.whenComplete((bytes, failure) -> services.owner().execute(() -> spareAnswered(index, bytes, failure)));
    }

    /** Where a chunk is that was planned to be read. */
    private ChunkLocation location(int index) {
        return group.chunk(index).orElseThrow();
    }

    private CompletableFuture<ChunkBytes> ask(ChunkLocation location, Range range, boolean spare) {
        if (!spare) {
            services.hedging().asks();
        }
        return way.together()
                .<ChunkSource>map(together -> together)
                .orElse(services.chunks())
                .read(new ChunkSource.ChunkRead(location, range.from(), range.bytes(), group.token(), spare));
    }

    /** Lets others answer for the chunks that are late by now. */
    void look(long now) {
        if (state != State.READING) {
            return;
        }
        boolean changed = false;
        for (Map.Entry<Integer, Request> one : requests.entrySet()) {
            Request request = one.getValue();
            long waited = now - request.began();
            boolean late = request.looking()
                    ? standings.waitsForItsPlace(one.getKey(), waited)
                    : standings.waits(request.location(), request.range().bytes(), waited);
            if (late) {
                changed = true;
                way.watch().late(request.location());
            }
        }
        if (changed) {
            advance();
        }
    }

    private void answered(int index, CompletableFuture<?> call, ChunkBytes bytes, Throwable failure) {
        Request request = requests.get(index);
        if (request == null || request.call() != call) { // called off
            if (bytes != null) {
                bytes.close();
            }
            return;
        }
        requests.remove(index);
        standings.over(index);
        ChunkLocation location = request.location();
        long took = services.clock().nanos() - request.began();
        if (failure == null) {
            services.suspicions().answered(location.datanode());
            services.hedging().answered(location.datanode(), request.range().bytes(), request.began());
            services.costs().answered(location, request.through(), took);
            way.watch().answered(location, took);
            Optional.ofNullable(spares.remove(index))
                    .ifPresent(spare -> spare.call().cancel(false));
            keep(index, bytes);
        } else {
            EcfsException why = EcfsException.of(failure);
            if (why.code() == ErrorCode.CHUNK_MISSING && ++looks <= MOST_LOOKS_A_CHUNK * code.chunks()) {
                lookFor(index, request, why);
                return;
            }
            way.watch().failed(location, took);
            standings.failed(location, why);
        }
        advance();
    }

    /**
     * A spare that is refused or not where it was said to be is as if it had not been asked for: it tells nothing of its datanode, nothing is read in
     * its place, and it is asked again if the others do not suffice.
     */
    private void spareAnswered(int index, ChunkBytes bytes, Throwable failure) {
        Request spare = spares.remove(index);
        if (spare == null) { // called off
            if (bytes != null) {
                bytes.close();
            }
            return;
        }
        ChunkLocation location = spare.location();
        if (failure == null) {
            services.suspicions().answered(location.datanode());
            way.watch().answered(location, services.clock().nanos() - spare.began());
            Request twin = requests.get(index);
            if (twin != null
                    && !twin.looking()
                    && bytes.covers(twin.range().from(), twin.range().to())) {
                requests.remove(index);
                standings.over(index);
                callOff(twin);
            }
            keep(index, bytes);
        } else {
            EcfsException why = EcfsException.of(failure);
            if (why.code() == ErrorCode.BUSY || why.code() == ErrorCode.CHUNK_MISSING) {
                refusedSpares = refusedSpares.with(index);
            } else if (!requests.containsKey(index)) {
                way.watch().failed(location, services.clock().nanos() - spare.began());
                standings.failed(location, why);
            }
        }
        advance();
    }

    /** It may have moved. Until that is known nothing else is read in its place, unless that takes long. */
    private void lookFor(int index, Request asked, EcfsException missing) {
        CompletableFuture<LocatedGroup> now = places.now(group, asked.location());
        requests.put(index, asked.lookingFor(now));
        now.whenComplete((fresh, failure) -> services.owner()
                .execute(() -> placed(
                        index,
                        missing,
                        Optional.ofNullable(fresh).filter(group -> group.group().equals(this.group.group())))));
    }

    /** @param fresh places as the namenode gives them now; empty when it could not be asked */
    private void placed(int index, EcfsException missing, Optional<LocatedGroup> fresh) {
        Request looked = requests.get(index);
        if (state != State.READING || looked == null || !looked.looking()) {
            return; // called off
        }
        requests.remove(index);
        standings.over(index);
        ChunkLocation before = looked.location();
        Optional<ChunkLocation> after = fresh.flatMap(group -> group.chunk(index));
        boolean there = after.filter(
                        a -> a.chunk().equals(before.chunk()) && a.volume().equals(before.volume()))
                .isPresent();
        if (there || fresh.isEmpty()) {
            way.watch().failed(before, services.clock().nanos() - looked.began());
        }
        if (there) {
            standings.failed(before, missing);
        } else if (fresh.isEmpty()) {
            standings.unplaced(before, missing);
        } else {
            LOG.info("event=chunk_moved chunk={} from={} to={}", before.chunk(), before.datanode(), after);
            group = fresh.get();
            standings.moved(group);
            if (after.isPresent()) {
                request(index, looked.range());
            }
        }
        advance();
    }

    private void keep(int index, ChunkBytes bytes) {
        ChunkBytes before = here.put(index, bytes);
        if (before != null) {
            before.close();
        }
    }

    private void deliver() {
        SpanBytes bytes = SpanBytes.of(span, here);
        here.clear();
        finish(() -> give(bytes));
    }

    private void decode(RepairPlan plan, Range columns) {
        enter(State.DECODING);
        way.watch().decoding();
        callOff();
        SpanDecode decode = new SpanDecode(span, code, plan, columns, here, services.scratch());
        here.clear();
        services.decoders()
                .submit(() -> decode.timed(services.times()))
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
        requests.values().forEach(this::callOff);
        requests.clear();
        spares.values().forEach(spare -> {
            way.watch().calledOff(spare.location(), services.clock().nanos() - spare.began());
            spare.call().cancel(false);
        });
        spares.clear();
    }

    private void callOff(Request request) {
        ChunkLocation location = request.location();
        long waited = services.clock().nanos() - request.began();
        if (!request.looking()) {
            services.hedging().gaveUp(location.datanode(), request.range().bytes(), request.began());
            services.costs().calledOff(location, request.through(), waited);
        }
        way.watch().calledOff(location, waited);
        request.call().cancel(false);
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
