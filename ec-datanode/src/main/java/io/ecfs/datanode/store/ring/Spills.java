package io.ecfs.datanode.store.ring;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Numbers of spills by reason. Thread-safe. */
final class Spills {
    private final Map<SpillReason, LongAdder> counters = new EnumMap<>(SpillReason.class);

    Spills() {
        for (SpillReason reason : SpillReason.values()) {
            counters.put(reason, new LongAdder());
        }
    }

    void add(SpillReason reason) {
        counters.get(reason).increment();
    }

    Map<SpillReason, Long> counts() {
        Map<SpillReason, Long> all = new EnumMap<>(SpillReason.class);
        counters.forEach((reason, counter) -> all.put(reason, counter.sum()));
        return all;
    }
}
