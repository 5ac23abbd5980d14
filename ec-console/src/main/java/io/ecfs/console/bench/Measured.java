package io.ecfs.console.bench;

import io.ecfs.client.write.WriteTimes;
import io.ecfs.console.bench.meter.Cost;
import io.ecfs.console.bench.report.WriteSteps;

/**
 * One part of a run that was timed.
 *
 * @param result what the part came to, most often how long its operations took
 * @param writing where the client's writes in it spent their time
 */
record Measured<T>(T result, Cost cost, WriteTimes.Sums writing) {
    private static final double NANOS = 1e9;

    /**
     * The five steps of a part that only wrote. The slaves' part of an exchange is what a datanode takes for one request on average:
     * all do their shares at the same time.
     */
    WriteSteps writeSteps() {
        double exchanging = writing.exchangingNanos() / NANOS;
        double slaves = Math.min(exchanging, cost.datanodeSecondsPerRequest() * writing.exchanges());
        return new WriteSteps(
                writing.stripes(),
                writing.copyingNanos() / NANOS,
                writing.askingNanos() / NANOS,
                writing.sealingNanos() / NANOS,
                exchanging - slaves,
                slaves);
    }
}
