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
 * Order of the tasks on each chunk, of batches that have begun. Guarded by the lock of its {@link VolumeQueue}.
 *
 * <pre>
 *   lane of a chunk:  BEGUN or WAITING | WAITING ... | LEFT ... &lt;-- line
 *                     `---- all of one batch -----'    of any
 * </pre>
 *
 * Always true: a task begins only when it is the first of its lane, and leaves when it has ended; those that are
 * WAITING in a lane are of one batch, so no thread waits for another; the first is never LEFT once the lock is
 * released, so a lane never stalls.
 */
final class PerChunkOrder {
    private final Map<ChunkId, Deque<VolumeTask<?>>> lanes = new HashMap<>();

    /** The task behind which the chunk's next one lines up. */
    Optional<VolumeTask<?>> last(ChunkId chunk) {
        return Optional.ofNullable(lanes.get(chunk)).map(Deque::getLast);
    }

    /**
     * Appends a waiting task to its chunk's lane.
     *
     * @param together whether {@link #last} is of its batch; behind tasks of another batch, and LEFT ones, it becomes
     *     LEFT
     */
    void line(VolumeTask<?> task, boolean together) {
        Optional<VolumeTask<?>> last = last(task.chunk());
        if (last.isPresent() && (!together || last.get().state() == VolumeTask.State.LEFT)) {
            task.become(VolumeTask.State.LEFT);
        }
        lanes.computeIfAbsent(task.chunk(), chunk -> new ArrayDeque<>()).add(task);
    }

    /**
     * Removes a task that has ended, or that will not begin; also one that is in no lane.
     *
     * @return the new first task, if it was LEFT: it needs a batch
     */
    Optional<VolumeTask<?>> leave(VolumeTask<?> task) {
        Deque<VolumeTask<?>> lane = lanes.get(task.chunk());
        if (lane == null) {
            return Optional.empty();
        }
        lane.remove(task);
        if (lane.isEmpty()) {
            lanes.remove(task.chunk());
            return Optional.empty();
        }
        return Optional.<VolumeTask<?>>of(lane.getFirst()).filter(first -> first.state() == VolumeTask.State.LEFT);
    }

    /** @return all tasks of the chunk's lane, in order, which is removed */
    Collection<VolumeTask<?>> clear(ChunkId chunk) {
        Deque<VolumeTask<?>> lane = lanes.remove(chunk);
        return lane == null ? List.of() : lane;
    }
}
