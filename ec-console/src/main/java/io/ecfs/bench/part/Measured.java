package io.ecfs.bench.part;

import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.report.WriteSteps;
import java.util.Map;

/**
 * One part of a run that was timed.
 *
 * @param result what the part came to, most often how long its operations took
 * @param writeSteps where the client's writes in it spent their time
 * @param warmedBytes of memory that were warmed before it
 */
public record Measured<T>(T result, Cost cost, WriteSteps writeSteps, long warmedBytes) {
    /** The members of a figure's {@code params} that say how it was measured and what it cost. */
    public Map<String, Object> params(long bytes, long operations) {
        Map<String, Object> params = cost.params(bytes, operations);
        if (warmedBytes > 0) {
            params.put("warm_memory_bytes", warmedBytes);
        }
        return params;
    }
}
