package io.ecfs.client.read;

import io.ecfs.client.plan.AccessPlan;
import io.ecfs.client.plan.AccessQuestion;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.env.Cancellable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.BadChunk;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.LocatedGroup;
import io.ecfs.transfer.ChunkBytes;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
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

    private record Request(Range range, CompletableFuture<ChunkBytes> call, Cancellable lateTimer) {}

    private final ReadServices services;
    private final LocatedGroup group;
    private final Span span;
    private final ErasureCode code;
    private final CompletableFuture<SpanBytes> result = new CompletableFuture<>();
    private final SortedMap<Integer, ChunkBytes> here = new TreeMap<>();
    private final SortedMap<Integer, Request> requests = new TreeMap<>();
    private final SortedMap<Integer, EcfsException> failures = new TreeMap<>();
    private final TreeSet<Integer> late = new TreeSet<>();
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
        services.owner().execute(this::advance);
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
        Optional<Range> columns = columnsOfTheDoubtful();
        SortedMap<Integer, Standing> standings = standings(columns);
        Optional<AccessPlan> plan = services.planner().plan(new AccessQuestion(code, wanted, standings));
        if (plan.isEmpty()) {
            finish(() -> result.completeExceptionally(unreadable()));
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
            plan.get().repair().ifPresent(repair -> requestSources(repair, columns.orElseThrow()));
            plan.get().direct().forEach(index -> request(index, span.wanted().get(index)));
        } else if (plan.get().repair().isPresent()) {
            decode(plan.get().repair().get(), columns.orElseThrow());
        } else {
            deliver();
        }
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
        return services.suspicions().suspected(location.get().datanode()) ? Standing.SUSPECTED : Standing.LIVE;
    }

    private boolean have(int index, Range range) {
        ChunkBytes bytes = here.get(index);
        return bytes != null && bytes.covers(range.from(), range.to());
    }

    private boolean haveColumns(int index, Range columns) {
        return !span.hasStored(index, columns) || have(index, span.stored(index, columns));
    }

    private void requestSources(RepairPlan repair, Range columns) {
        for (int index : repair.sources()) {
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
        CompletableFuture<ChunkBytes> call = services.chunks()
                .read(
                        location.address(),
                        location.chunk(),
                        location.volume(),
                        range.from(),
                        range.bytes(),
                        group.token());
        Cancellable lateTimer = services.owner().schedule(services.config().lateAfter(), () -> isLate(index));
        requests.put(index, new Request(range, call, lateTimer));
        call.whenComplete((bytes, failure) -> services.owner().execute(() -> answered(index, bytes, failure)));
    }

    private void isLate(int index) {
        if (requests.containsKey(index) && state == State.READING) {
            late.add(index);
            services.suspicions().suspect(group.chunk(index).orElseThrow().datanode());
            advance();
        }
    }

    private void answered(int index, ChunkBytes bytes, Throwable failure) {
        Request request = requests.remove(index);
        if (request != null) {
            request.lateTimer().cancel();
        }
        late.remove(index);
        if (state == State.DONE) {
            if (bytes != null) {
                bytes.close();
            }
            return;
        }
        ChunkLocation location = group.chunk(index).orElseThrow();
        if (failure == null) {
            services.suspicions().answered(location.datanode());
            keep(index, bytes);
        } else {
            failed(location, EcfsException.of(failure));
        }
        advance();
    }

    private void keep(int index, ChunkBytes bytes) {
        if (state == State.DECODING) {
            bytes.close();
            return;
        }
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

    /** Ends the read: calls what is still out off, lets the rest go, and gives the result. */
    private void finish(Runnable give) {
        if (state == State.DONE) {
            give.run();
            return;
        }
        enter(State.DONE);
        for (Request request : requests.values()) {
            request.lateTimer().cancel();
            request.call().cancel(false);
        }
        here.values().forEach(ChunkBytes::close);
        here.clear();
        give.run();
    }

    private void enter(State next) {
        Invariant.check(state.compareTo(next) < 0, "read of group %s goes from %s to %s", group.group(), state, next);
        LOG.debug("event=read_state group={} chunks={} from={} to={}", group.group(), here.keySet(), state, next);
        state = next;
    }

    /** Of some codes k chunks are enough, of others it depends on which they are. */
    private String needed() {
        boolean any = code.spec().survivedLosses() == code.parityChunks();
        return any ? Integer.toString(code.dataChunks()) : code.dataChunks() + " independent ones";
    }

    private EcfsException unreadable() {
        StringBuilder why = new StringBuilder();
        int usable = 0;
        for (int index = 0; index < code.chunks(); index++) {
            EcfsException failure = failures.get(index);
            Optional<ChunkLocation> location = group.chunk(index);
            if (location.isEmpty()) {
                why.append("; ").append(group.group()).append('.').append(index).append(" has no place at present");
            } else if (failure != null) {
                why.append("; ")
                        .append(location.get().chunk())
                        .append(" on ")
                        .append(location.get().datanode())
                        .append(" (")
                        .append(location.get().address())
                        .append("): ")
                        .append(failure.code())
                        .append(", ")
                        .append(failure.getMessage());
            } else {
                usable++;
            }
        }
        return new EcfsException(
                ErrorCode.GROUP_UNREADABLE,
                "group " + group.group() + " under " + group.policy() + " cannot be read: " + usable + " of "
                        + code.chunks() + " chunks live, " + needed() + " needed" + why);
    }
}
