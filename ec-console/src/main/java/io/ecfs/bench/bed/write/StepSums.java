package io.ecfs.bench.bed.write;

import io.ecfs.plan.write.WriteStep;
import java.util.EnumMap;
import java.util.Map;

/** The five steps added up over stripes. */
final class StepSums {
    private final Map<WriteStep, Long> nanos = new EnumMap<>(WriteStep.class);

    void add(WriteStep step, long more) {
        nanos.merge(step, more, Long::sum);
    }

    long nanos(WriteStep step) {
        return nanos.getOrDefault(step, 0L);
    }
}
