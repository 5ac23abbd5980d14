package io.ecfs.bench.exstorus;

import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteSide;
import io.ecfs.plan.write.WriteStep;

/** What the bytes alone take on links without loss: the limits of all tables. */
public final class Wire {
    private Wire() {}

    /** Seconds of 50,000 records in a step; 0 for steps that send nothing. */
    static double seconds(WriteStep step, WriteShape shape, double gigabits) {
        double bytes = switch (step) {
            case CO -> shape.side() == WriteSide.MASTER ? shape.recordBytes() : 0;
            case DD -> shape.side() == WriteSide.MASTER ? lateBytes(shape) : shape.fanOutBytes();
            case MP, PC, SP -> 0;
        };
        return PaperRow.RECORDS * bytes / bytesPerSecond(gigabits);
    }

    /** That a master sends when it has all data: parity, and behind the other data cells the last one. */
    private static double lateBytes(WriteShape shape) {
        return shape.columnBytes() * (shape.parityChunks() + Math.min(1, shape.dataChunks() - 1));
    }

    /** Seconds of 50,000 records, one at a time. */
    static double seconds(WriteShape shape, double gigabits) {
        return seconds(WriteStep.CO, shape, gigabits) + seconds(WriteStep.DD, shape, gigabits);
    }

    /** MB/s with the busiest link never idle. */
    public static double rate(WriteShape shape, double gigabits) {
        return bytesPerSecond(gigabits) * shape.recordBytes() / shape.fanOutBytes() / 1e6;
    }

    private static double bytesPerSecond(double gigabits) {
        return Network.ofGigabits(gigabits, 0).bytesPerSecond();
    }
}
