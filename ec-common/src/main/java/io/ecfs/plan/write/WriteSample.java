package io.ecfs.plan.write;

import java.util.EnumMap;
import java.util.Map;

/**
 * A measured write: means of many. Of the cluster bed one stripe is under way at a time; where more were, waits are in.
 *
 * @param nanos of each part; one that is not there was not measured, or does not exist on this side
 */
public record WriteSample(WriteShape shape, Network network, Map<WritePart, Double> nanos) {
    public WriteSample {
        Map<WritePart, Double> copy = new EnumMap<>(WritePart.class);
        copy.putAll(nanos);
        copy.forEach((part, value) -> {
            if (!(value >= 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("a time is 0 ns or more, got " + value + " of " + part);
            }
        });
        nanos = copy;
    }

    /** Nanoseconds of all parts. */
    double total() {
        return nanos.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
