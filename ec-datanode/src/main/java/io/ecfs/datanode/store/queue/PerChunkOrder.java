package io.ecfs.datanode.store.queue;

import io.ecfs.layout.ChunkId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The order of pieces on each chunk, of visits that have begun. Used under the lock of the {@link VolumeQueue} that has
 * it.
 *
 * <pre>
 *   lane of a chunk:  BEGUN or WAITING | WAITING ... | LEFT ... &lt;-- line
 *                     `---- all of one visit -----'    of any
 * </pre>
 *
 * What must always hold: a piece begins only when it is the first of its lane, and leaves when it has ended; those that
 * wait in a lane are of one visit, so no thread waits for another; the first is never left for longer than the lock is
 * held, so a lane never stands still.
 */
final class PerChunkOrder {
    private final Map<ChunkId, Deque<VolumeTask<?>>> lanes = new HashMap<>();

    /** Puts a piece that waits behind the others on its chunk; behind those of another visit it is left. */
    void line(VolumeTask<?> piece) {
        Deque<VolumeTask<?>> lane = lanes.computeIfAbsent(piece.chunk(), chunk -> new ArrayDeque<>());
        if (!lane.isEmpty()
                && (lane.getLast().batch() != piece.batch() || lane.getLast().state() == VolumeTask.State.LEFT)) {
            piece.become(VolumeTask.State.LEFT);
        }
        lane.add(piece);
    }

    /**
     * Takes a piece out that has ended, or that will not begin; also one that is in no lane.
     *
     * @return the one that is the first now, if it was left: it needs a visit
     */
    Optional<VolumeTask<?>> leave(VolumeTask<?> piece) {
        Deque<VolumeTask<?>> lane = lanes.get(piece.chunk());
        if (lane == null) {
            return Optional.empty();
        }
        lane.remove(piece);
        if (lane.isEmpty()) {
            lanes.remove(piece.chunk());
            return Optional.empty();
        }
        return Optional.<VolumeTask<?>>of(lane.getFirst()).filter(first -> first.state() == VolumeTask.State.LEFT);
    }

    /** @return all pieces of the chunk's lane, in order, which is no more */
    Collection<VolumeTask<?>> clear(ChunkId chunk) {
        Deque<VolumeTask<?>> lane = lanes.remove(chunk);
        return lane == null ? List.of() : lane;
    }
}
