package io.ecfs.datanode.store.ring;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Numbers of spills by reason. Thread-safe. */
final class Spills {
    private static final int REASONS = SpillReason.values().length;

    private final AtomicLongArray counts = new AtomicLongArray(REASONS);

    void add(SpillReason reason) {
        counts.incrementAndGet(reason.ordinal());
    }

    Map<SpillReason, Long> counts() {
        Map<SpillReason, Long> all = new EnumMap<>(SpillReason.class);
        for (SpillReason reason : SpillReason.values()) {
            all.put(reason, counts.get(reason.ordinal()));
        }
        return all;
    }
}
