package io.ecfs.datanode.store.queue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The spares that wait until nothing else does, in order of arrival. Used under the lock of the {@link VolumeQueue}
 * that has it.
 *
 * <p>Those that were held back for a second are refused: where queues are that long, what nobody may need must not make
 * them longer.
 *
 * <p>What must always hold: a piece that is held is in no visit and in no lane, so nobody waits for it.
 */
final class DeferredHedges {
    private final Map<VolumeTask<?>, Long> since = new LinkedHashMap<>(); // nanoseconds

    boolean isEmpty() {
        return since.isEmpty();
    }

    void hold(VolumeTask<?> piece, long now) {
        since.put(piece, now);
    }

    /** @return whether it was held */
    boolean letGo(VolumeTask<?> piece) {
        return since.remove(piece) != null;
    }

    /** There must be one. */
    VolumeTask<?> takeOldest() {
        VolumeTask<?> oldest = since.keySet().iterator().next();
        since.remove(oldest);
        return oldest;
    }

    /** Those that were held for {@link VolumeQueue#LONGEST_HOLD_NANOS}. */
    List<VolumeTask<?>> takeOverdue(long now) {
        List<VolumeTask<?>> overdue = new ArrayList<>();
        Iterator<Map.Entry<VolumeTask<?>, Long>> oldest = since.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<VolumeTask<?>, Long> next = oldest.next();
            if (now - next.getValue() < VolumeQueue.LONGEST_HOLD_NANOS) {
                break;
            }
            overdue.add(next.getKey());
            oldest.remove();
        }
        return overdue;
    }
}
