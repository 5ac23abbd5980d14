package io.ecfs.bench;

import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.report.WriteSteps;
import io.ecfs.client.write.WriteTimes;
import java.util.Map;

/**
 * One part of a run that was timed.
 *
 * @param result what the part came to, most often how long its operations took
 * @param writing where the client's writes in it spent their time
 * @param warmedBytes of memory that were warmed before it
 */
record Measured<T>(T result, Cost cost, WriteTimes.Sums writing, long warmedBytes) {
    private static final double NANOS = 1e9;

    /** The members of a figure's {@code params} that say how it was measured and what it cost. */
    Map<String, Object> params(long bytes, long operations) {
        Map<String, Object> params = cost.params(bytes, operations);
        if (warmedBytes > 0) {
            params.put("warm_memory_bytes", warmedBytes);
        }
        return params;
    }

    /** The five steps of a part that only wrote. */
    WriteSteps writeSteps() {
        return new WriteSteps(
                writing.stripes(),
                writing.relayed(),
                writing.copying() / NANOS,
                writing.asking() / NANOS,
                writing.transferring() / NANOS,
                writing.managing() / NANOS,
                writing.encoding() / NANOS,
                writing.distributing() / NANOS,
                writing.serving() / NANOS);
    }
}
