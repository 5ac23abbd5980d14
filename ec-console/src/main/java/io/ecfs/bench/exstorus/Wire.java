package io.ecfs.bench.exstorus;

import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;

/** What the bytes alone take on links without loss or latency, forwarded alike: the limits of all tables. */
public final class Wire {
    private static final double NANOS = 1e9;

    private Wire() {}

    /** Seconds of 50,000 records in a step; 0 for steps that send nothing. */
    static double seconds(WriteStep step, WriteCost cost) {
        return PaperRow.RECORDS * alone(cost).nanos(step) / NANOS;
    }

    /** Seconds of 50,000 records, one at a time. */
    static double seconds(WriteCost cost) {
        return PaperRow.RECORDS * alone(cost).nanos() / NANOS;
    }

    private static WriteCost alone(WriteCost cost) {
        return new WriteCost(
                WriteConstants.ofLinksAlone(cost.constants().forwarding()),
                cost.shape(),
                new Network(cost.network().bytesPerSecond(), 0));
    }

    /** MB/s with the busiest link never idle. */
    public static double rate(WriteShape shape, double gigabits) {
        return Network.ofGigabits(gigabits, 0).bytesPerSecond() * shape.recordBytes() / shape.fanOutBytes() / 1e6;
    }
}
