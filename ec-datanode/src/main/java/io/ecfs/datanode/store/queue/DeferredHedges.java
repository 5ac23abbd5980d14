package io.ecfs.datanode.store.queue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The spares that wait until nothing else does, in order of arrival. Guarded by the lock of its {@link VolumeQueue}.
 *
 * <p>Spares that were deferred for a second are refused: queues that long must not be made longer by reads that may not
 * be needed.
 *
 * <p>Always true: a deferred task is in no batch and in no lane, so no other task waits for it.
 */
final class DeferredHedges {
    static final long LONGEST_NANOS = 1_000_000_000;

    private final Map<VolumeTask<?>, Long> since = new LinkedHashMap<>(); // nanoseconds

    boolean isEmpty() {
        return since.isEmpty();
    }

    void add(VolumeTask<?> task, long now) {
        since.put(task, now);
    }

    /** @return whether it was deferred */
    boolean remove(VolumeTask<?> task) {
        return since.remove(task) != null;
    }

    /** Removes and returns the oldest; there must be one. */
    VolumeTask<?> takeOldest() {
        VolumeTask<?> oldest = since.keySet().iterator().next();
        since.remove(oldest);
        return oldest;
    }

    /** Removes and returns those that were deferred for {@link #LONGEST_NANOS}. */
    List<VolumeTask<?>> takeOverdue(long now) {
        List<VolumeTask<?>> overdue = new ArrayList<>();
        Iterator<Map.Entry<VolumeTask<?>, Long>> oldest = since.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<VolumeTask<?>, Long> next = oldest.next();
            if (now - next.getValue() < LONGEST_NANOS) {
                break;
            }
            overdue.add(next.getKey());
            oldest.remove();
        }
        return overdue;
    }
}
