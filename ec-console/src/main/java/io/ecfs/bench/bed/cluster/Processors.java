package io.ecfs.bench.bed.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.ecfs.env.Clock;
import io.ecfs.env.real.IdleProcessors;
import java.lang.management.ManagementFactory;

/** Utilization of the machine's processors: where they are the bottleneck, the disks' model is invalid. */
public final class Processors {
    private static final double PERCENT = 100;

    private final Clock clock;
    private final IdleProcessors idle = new IdleProcessors();
    private final long beganAt;
    private final long beganNanos;

    private Processors(Clock clock) {
        this.clock = clock;
        this.beganAt = clock.nanos();
        this.beganNanos = ownNanos();
        idle.getAsDouble();
    }

    /** From now on. */
    public static Processors watched(Clock clock) {
        return new Processors(clock);
    }

    /** Utilization by all processes, in per cent; NaN where the system does not report it. */
    public double busyPercent() {
        return PERCENT * (1 - idle.getAsDouble());
    }

    /** Part of them that this process took. */
    public double ownPercent() {
        double all = (double) (clock.nanos() - beganAt) * Runtime.getRuntime().availableProcessors();
        return PERCENT * (ownNanos() - beganNanos) / all;
    }

    private static long ownNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
