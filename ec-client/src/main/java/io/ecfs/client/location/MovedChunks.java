package io.ecfs.client.location;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Chunks of one file that were missing from a place, and the answers about where they are: one question for each place,
 * however many reads miss the chunk there. Safe for use by several threads.
 */
final class MovedChunks {
    /** Places. */
    private static final int REMEMBERED = 1024;

    /** The namenode is not asked again within so long of a chunk that is missing from the place that it gives. */
    private static final long BELIEVED_NANOS = Duration.ofSeconds(10).toNanos();

    private final Clock clock;

    @GuardedBy("this")
    private final Map<Place, Asked> asked = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Asked> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The place of a chunk as the namenode gave it. */
    private record Place(ChunkId chunk, VolumeId volume) {
        static Place of(ChunkLocation location) {
            return new Place(location.chunk(), location.volume());
        }
    }

    /** A question about a place; while it is new all that miss the chunk there share its answer. */
    private record Asked(CompletableFuture<LocatedGroup> answer, long nanos) {}

    MovedChunks(Clock clock) {
        this.clock = clock;
    }

    /**
     * The group of a chunk that is missing.
     *
     * @param remembered the group as it is known by now, if it is
     * @param question asks for it anew
     */
    CompletableFuture<LocatedGroup> places(
            ChunkLocation missing,
            Optional<LocatedGroup> remembered,
            Supplier<CompletableFuture<LocatedGroup>> question) {
        Place place = Place.of(missing);
        CompletableFuture<LocatedGroup> answer = new CompletableFuture<>();
        synchronized (this) {
            if (remembered.filter(group -> !lies(group, place)).isPresent()) {
                return CompletableFuture.completedFuture(remembered.get());
            }
            Asked before = asked.get(place);
            if (before != null && clock.nanos() - before.nanos() < BELIEVED_NANOS) {
                return before.answer().thenApply(group -> group);
            }
            asked.put(place, new Asked(answer, clock.nanos()));
        }
        question.get().whenComplete((group, failure) -> {
            if (failure == null) {
                answer.complete(group);
            } else {
                forget(place);
                answer.completeExceptionally(failure);
            }
        });
        return answer.thenApply(group -> group);
    }

    private synchronized void forget(Place place) {
        asked.remove(place);
    }

    private static boolean lies(LocatedGroup group, Place place) {
        return group.chunk(place.chunk().index())
                .filter(location -> Place.of(location).equals(place))
                .isPresent();
    }
}
