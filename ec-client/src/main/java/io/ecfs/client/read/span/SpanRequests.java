package io.ecfs.client.read.span;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.health.SourceStates;
import io.ecfs.client.location.LocationRefresher;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.span.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.transfer.ChunkBytes;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one span in flight: a request a chunk at a time, and a spare beside it. Replies, failures and delays
 * are reported to the read's {@link SourceStates} and to {@link DatanodeHealth}.
 *
 * <pre>
 *   ASKED    answered                   --&gt; its bytes are in ReceivedChunks
 *            the chunk is not there     --&gt; LOCATING: the namenode gives its place --&gt; ASKED there, or failed
 *            any other failure          --&gt; failed
 *            called off                 --&gt; an answer is released where it arrives
 * </pre>
 *
 * Owned by the client's owner thread.
 */
final class SpanRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SpanRequests.class);

    /** Times that a chunk may be located again in one read; chunks do not move faster than that. */
    private static final int MOST_REFRESHES_A_CHUNK = 3;

    /**
     * A chunk that is waited for.
     *
     * @param call the bytes, or its new place
     * @param volumeBytes as of a {@link SentRead}: one that waits for others of its message is not late
     * @param locating whether it was missing from its place, and {@code call} is the request for its new place
     */
    private record Request(
            ChunkLocation location,
            Range range,
            CompletableFuture<?> call,
            long began,
            int volumeBytes,
            boolean locating) {
        Request locatingBy(CompletableFuture<LocatedGroup> places) {
            return new Request(location, range, places, began, volumeBytes, true);
        }
    }

    private final ChunkSource chunks;
    private final Scheduler owner;
    private final Clock clock;
    private final DatanodeHealth health;
    private LocatedGroup group;
    private final ReadStrategy way;
    private final LocationRefresher places;
    private final SourceStates sources;
    private final ReceivedChunks received;
    private Runnable changed = () -> {};
    private final SortedMap<Integer, Request> requests = new TreeMap<>();
    private final SortedMap<Integer, Request> spares = new TreeMap<>();
    private ChunkSet refusedSpares = ChunkSet.empty(); // they stand where they stood while they were out
    private int refreshes;

    SpanRequests(
            ChunkSource chunks,
            Scheduler owner,
            Clock clock,
            DatanodeHealth health,
            LocatedGroup group,
            ReadStrategy way,
            LocationRefresher places,
            SourceStates sources,
            ReceivedChunks received) {
        this.chunks = chunks;
        this.owner = owner;
        this.clock = clock;
        this.health = health;
        this.group = group;
        this.way = way;
        this.places = places;
        this.sources = sources;
        this.received = received;
    }

    /** @param listener runs when a request was answered or failed, or is sent to another place */
    void onChange(Runnable listener) {
        changed = listener;
    }

    /** The group with the places that are known by now. */
    LocatedGroup group() {
        return group;
    }

    /** Returns whether a chunk was asked for as a spare, which has not come yet or was refused, and not besides. */
    boolean onlySpare(int index) {
        boolean spare = spares.containsKey(index) || refusedSpares.contains(index);
        return spare && !requests.containsKey(index);
    }

    /** One request a chunk at a time: a larger one waits for the answer of the smaller. */
    void request(int index, Range range) {
        if (received.has(index, range) || requests.containsKey(index)) {
            return;
        }
        long began = clock.nanos();
        health.countRequest();
        follow(index, range, ask(location(index), range, false), began);
    }

    /** Waits for the answer to a request that left at {@code began}, and was counted. */
    void follow(int index, Range range, SentRead sent, long began) {
        ChunkLocation location = location(index);
        health.onRequest(location);
        if (sources.onWriter(index)) {
            health.onRequestOfWriter(sources.of(index) == Standing.LIVE);
        }
        way.watch().asked(location, range.bytes());
        CompletableFuture<ChunkBytes> call = sent.call();
        requests.put(index, new Request(location, range, call, began, sent.volumeBytes(), false));
        call.whenComplete((bytes, failure) -> owner.execute(() -> answered(index, call, bytes, failure)));
    }

    /** Asks for a chunk that is wanted only if others are late. Its time is not recorded. */
    void requestSpare(int index, Range range) {
        ChunkLocation location = location(index);
        long began = clock.nanos();
        way.watch().asked(location, range.bytes());
        CompletableFuture<ChunkBytes> call = ask(location, range, true).call();
        spares.put(index, new Request(location, range, call, began, range.bytes(), false));
        call.whenComplete((bytes, failure) -> owner.execute(() -> spareAnswered(index, bytes, failure)));
    }

    /** The location of a chunk that was planned to be read. */
    ChunkLocation location(int index) {
        return group.chunk(index).orElseThrow();
    }

    private SentRead ask(ChunkLocation location, Range range, boolean spare) {
        return way.send(chunks, new ChunkSource.ChunkRead(location, range.from(), range.bytes(), group.token(), spare));
    }

    /** Probes a slow datanode by a read whose reply is not awaited. */
    void trial(int index, Range range) {
        ChunkLocation location = location(index);
        long began = health.onTrialRequest();
        trial(
                location,
                range,
                (answered, reportedWriting) ->
                        health.onTrialEnd(location, answered, range.bytes(), began, reportedWriting));
    }

    /** Tries whether a volume that should write does, by a read whose reply is not awaited. */
    void writerTrial(int index, Range range) {
        ChunkLocation location = location(index);
        health.onTrialRequest();
        trial(location, range, (answered, reportedWriting) -> health.onWriterTrialEnd(location, reportedWriting));
    }

    private void trial(ChunkLocation location, Range range, BiConsumer<Boolean, Optional<Boolean>> end) {
        ask(location, range, false).call().whenComplete((bytes, failure) -> {
            Optional<Boolean> reportedWriting = bytes == null ? Optional.empty() : bytes.writing();
            if (bytes != null) {
                bytes.close();
            }
            owner.execute(() -> end.accept(failure == null, reportedWriting));
        });
    }

    /**
     * Checks which chunks are late by now.
     *
     * @return whether one is that was not before
     */
    boolean late(long now) {
        boolean one = false;
        for (Map.Entry<Integer, Request> waiting : requests.entrySet()) {
            Request request = waiting.getValue();
            long waited = now - request.began();
            boolean late = request.locating()
                    ? sources.waitsForItsPlace(waiting.getKey(), waited)
                    : sources.waits(request.location(), request.volumeBytes(), waited);
            if (late) {
                one = true;
                way.watch().late(request.location());
            }
        }
        return one;
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
        sources.over(index);
        ChunkLocation location = request.location();
        long took = clock.nanos() - request.began();
        if (failure == null) {
            health.onReply(location, request.volumeBytes(), request.began(), took, bytes.writing());
            way.watch().answered(location, took);
            Optional.ofNullable(spares.remove(index))
                    .ifPresent(spare -> spare.call().cancel(false));
            received.add(index, bytes);
        } else {
            EcfsException why = EcfsException.of(failure);
            if (why.code() == ErrorCode.CHUNK_MISSING
                    && ++refreshes <= MOST_REFRESHES_A_CHUNK * group.policy().chunks()) {
                locate(index, request, why);
                return;
            }
            way.watch().failed(location, took);
            sources.failed(location, why);
        }
        changed.run();
    }

    /**
     * A spare that is refused or not where it was said to be is as if it had not been requested: it is not
     * counted against its datanode, nothing is read in its place, and it is asked again if the others do not suffice.
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
            health.onSpareReply(location, bytes.writing());
            way.watch().answered(location, clock.nanos() - spare.began());
            Request twin = requests.get(index);
            if (twin != null
                    && !twin.locating()
                    && bytes.covers(twin.range().from(), twin.range().to())) {
                requests.remove(index);
                sources.over(index);
                callOff(twin);
            }
            received.add(index, bytes);
        } else {
            EcfsException why = EcfsException.of(failure);
            if (why.code() == ErrorCode.BUSY || why.code() == ErrorCode.CHUNK_MISSING) {
                refusedSpares = refusedSpares.with(index);
            } else if (!requests.containsKey(index)) {
                way.watch().failed(location, clock.nanos() - spare.began());
                sources.failed(location, why);
            }
        }
        changed.run();
    }

    /** It may have moved. Until that is known nothing else is read in its place, unless that takes long. */
    private void locate(int index, Request asked, EcfsException missing) {
        CompletableFuture<LocatedGroup> now = places.now(group, asked.location());
        requests.put(index, asked.locatingBy(now));
        now.whenComplete((fresh, failure) -> owner.execute(() -> placed(
                index,
                missing,
                Optional.ofNullable(fresh).filter(group -> group.group().equals(this.group.group())))));
    }

    /** @param fresh places as the namenode gives them now; empty when it could not be asked */
    private void placed(int index, EcfsException missing, Optional<LocatedGroup> fresh) {
        Request pending = requests.get(index);
        if (pending == null || !pending.locating()) {
            return; // called off
        }
        requests.remove(index);
        sources.over(index);
        ChunkLocation before = pending.location();
        Optional<ChunkLocation> after = fresh.flatMap(group -> group.chunk(index));
        boolean there = after.filter(
                        a -> a.chunk().equals(before.chunk()) && a.volume().equals(before.volume()))
                .isPresent();
        if (there || fresh.isEmpty()) {
            way.watch().failed(before, clock.nanos() - pending.began());
        }
        if (there) {
            sources.failed(before, missing);
        } else if (fresh.isEmpty()) {
            sources.unplaced(before, missing);
        } else {
            LOG.info("event=chunk_moved chunk={} from={} to={}", before.chunk(), before.datanode(), after);
            group = fresh.get();
            sources.moved(group);
            if (after.isPresent()) {
                request(index, pending.range());
            }
        }
        changed.run();
    }

    /** Cancels what is in flight. Late replies are released where they arrive. */
    void callOff() {
        requests.values().forEach(this::callOff);
        requests.clear();
        spares.values().forEach(spare -> {
            way.watch().calledOff(spare.location(), clock.nanos() - spare.began());
            spare.call().cancel(false);
        });
        spares.clear();
    }

    private void callOff(Request request) {
        ChunkLocation location = request.location();
        long waited = clock.nanos() - request.began();
        if (!request.locating()) {
            health.onCancel(location, request.volumeBytes(), request.began(), waited);
        }
        way.watch().calledOff(location, waited);
        request.call().cancel(false);
    }
}
