package io.ecfs.client.read;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.read.Span.Range;
import io.ecfs.code.ChunkSet;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one span has asked for and waits for: a request a chunk at a time, and a spare beside it. What becomes of them,
 * it tells the read's standings and the client's other reads, which learn from it how datanodes do.
 *
 * <pre>
 *   ASKED    answered                   --&gt; its bytes are at hand
 *            the chunk is not there     --&gt; LOOKING for its new place --&gt; ASKED there, or failed
 *            any other failure          --&gt; failed
 *            called off                 --&gt; an answer is released where it arrives
 * </pre>
 *
 * Owned by the client's owner thread.
 */
final class SpanRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SpanRequests.class);

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
    private final ReadStrategy way;
    private final LocationRefresher places;
    private final SourceStates sources;
    private final ChunksAtHand atHand;
    private final Runnable changed;
    private final SortedMap<Integer, Request> requests = new TreeMap<>();
    private final SortedMap<Integer, Request> spares = new TreeMap<>();
    private ChunkSet refusedSpares = ChunkSet.empty(); // they stand where they stood while they were out
    private int looks;

    /** @param changed runs when one of them was answered or failed, or is asked for at another place */
    SpanRequests(
            ReadServices services,
            LocatedGroup group,
            ReadStrategy way,
            LocationRefresher places,
            SourceStates sources,
            ChunksAtHand atHand,
            Runnable changed) {
        this.services = services;
        this.group = group;
        this.way = way;
        this.places = places;
        this.sources = sources;
        this.atHand = atHand;
        this.changed = changed;
    }

    /** With the places that are known by now. */
    LocatedGroup group() {
        return group;
    }

    /** Whether a chunk was asked for as a spare, which has not come yet or was refused, and not besides. */
    boolean onlySpare(int index) {
        boolean spare = spares.containsKey(index) || refusedSpares.contains(index);
        return spare && !requests.containsKey(index);
    }

    /** One request a chunk at a time: a larger one waits for the answer of the smaller. */
    void request(int index, Range range) {
        if (atHand.has(index, range) || requests.containsKey(index)) {
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

    /** Asks for a chunk that is wanted only if others are late. How long it takes tells nothing of its volume. */
    void requestSpare(int index, Range range) {
        ChunkLocation location = location(index);
        long began = services.clock().nanos();
        way.watch().asked(location, range.bytes());
        CompletableFuture<ChunkBytes> call = ask(location, range, true);
        spares.put(index, new Request(location, range, call, began, range.bytes(), false));
        call.whenComplete((bytes, failure) -> services.owner().execute(() -> spareAnswered(index, bytes, failure)));
    }

    /** Where a chunk is that was planned to be read. */
    ChunkLocation location(int index) {
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

    /** Asks a slow datanode how it does now: nobody waits for the answer. */
    void trial(int index, Range range) {
        ChunkLocation location = location(index);
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

    /**
     * Looks which chunks are late by now.
     *
     * @return whether one is that was not before
     */
    boolean late(long now) {
        boolean one = false;
        for (Map.Entry<Integer, Request> waiting : requests.entrySet()) {
            Request request = waiting.getValue();
            long waited = now - request.began();
            boolean late = request.looking()
                    ? sources.waitsForItsPlace(waiting.getKey(), waited)
                    : sources.waits(request.location(), request.range().bytes(), waited);
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
        long took = services.clock().nanos() - request.began();
        if (failure == null) {
            services.suspects().answered(location.datanode());
            services.hedging().answered(location.datanode(), request.range().bytes(), request.began());
            services.costs().answered(location, request.through(), took);
            way.watch().answered(location, took);
            Optional.ofNullable(spares.remove(index))
                    .ifPresent(spare -> spare.call().cancel(false));
            atHand.keep(index, bytes);
        } else {
            EcfsException why = EcfsException.of(failure);
            if (why.code() == ErrorCode.CHUNK_MISSING
                    && ++looks <= MOST_LOOKS_A_CHUNK * group.policy().chunks()) {
                lookFor(index, request, why);
                return;
            }
            way.watch().failed(location, took);
            sources.failed(location, why);
        }
        changed.run();
    }

    /**
     * A spare that is refused or not where it was said to be is as if it had not been asked for: it tells nothing of
     * its datanode, nothing is read in its place, and it is asked again if the others do not suffice.
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
            services.suspects().answered(location.datanode());
            way.watch().answered(location, services.clock().nanos() - spare.began());
            Request twin = requests.get(index);
            if (twin != null
                    && !twin.looking()
                    && bytes.covers(twin.range().from(), twin.range().to())) {
                requests.remove(index);
                sources.over(index);
                callOff(twin);
            }
            atHand.keep(index, bytes);
        } else {
            EcfsException why = EcfsException.of(failure);
            if (why.code() == ErrorCode.BUSY || why.code() == ErrorCode.CHUNK_MISSING) {
                refusedSpares = refusedSpares.with(index);
            } else if (!requests.containsKey(index)) {
                way.watch().failed(location, services.clock().nanos() - spare.began());
                sources.failed(location, why);
            }
        }
        changed.run();
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
        if (looked == null || !looked.looking()) {
            return; // called off
        }
        requests.remove(index);
        sources.over(index);
        ChunkLocation before = looked.location();
        Optional<ChunkLocation> after = fresh.flatMap(group -> group.chunk(index));
        boolean there = after.filter(
                        a -> a.chunk().equals(before.chunk()) && a.volume().equals(before.volume()))
                .isPresent();
        if (there || fresh.isEmpty()) {
            way.watch().failed(before, services.clock().nanos() - looked.began());
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
                request(index, looked.range());
            }
        }
        changed.run();
    }

    /** What is still out is not needed. Its answers are released where they arrive. */
    void callOff() {
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
}
