package io.ecfs.datanode.store.ring;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Numbers of spills by reason: writes to the device while the volume only reads. Thread-safe. */
final class Spills {
    private final Map<SpillReason, LongAdder> counters = new EnumMap<>(SpillReason.class);

    private final BooleanSupplier passes;

    /** @param passes whether the device may be written: then nothing is a spill */
    Spills(BooleanSupplier passes) {
        this.passes = passes;
        for (SpillReason reason : SpillReason.values()) {
            counters.put(reason, new LongAdder());
        }
    }

    void add(SpillReason reason) {
        if (!passes.getAsBoolean()) {
            counters.get(reason).increment();
        }
    }

    Map<SpillReason, Long> counts() {
        Map<SpillReason, Long> all = new EnumMap<>(SpillReason.class);
        counters.forEach((reason, counter) -> all.put(reason, counter.sum()));
        return all;
    }
}
