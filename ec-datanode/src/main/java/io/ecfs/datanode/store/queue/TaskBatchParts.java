package io.ecfs.datanode.store.queue;

import io.ecfs.layout.ChunkId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Distributes the tasks of one batch to several threads. */
final class TaskBatchParts {
    private TaskBatchParts() {}

    /** So many parts at most, one at least; the tasks of one chunk are in one part, and all parts are in order. */
    static List<List<VolumeTask<?>>> of(Collection<VolumeTask<?>> tasks, int most) {
        long chunks = tasks.stream().map(VolumeTask::chunk).distinct().count();
        List<List<VolumeTask<?>>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        while (parts.size() < Math.min(most, chunks)) {
            parts.add(new ArrayList<>());
        }
        Map<ChunkId, List<VolumeTask<?>>> partOf = new HashMap<>();
        for (VolumeTask<?> task : tasks) {
            partOf.computeIfAbsent(task.chunk(), chunk -> Collections.min(parts, Comparator.comparingInt(List::size)))
                    .add(task);
        }
        return parts;
    }
}
