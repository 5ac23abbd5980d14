package io.ecfs.datanode.server.load;

import io.ecfs.datanode.store.queue.TaskBatchTimes;
import io.ecfs.message.datanode.DatanodeLoad;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Computes a {@link DatanodeLoad} from growing counters: rates since the last sample, and the wait and service times of
 * volumes' task batches. Owner thread: the control plane's.
 */
public final class LoadMeter {
    /**
     * Least time between samples: rates over less say little, and heartbeats to several namenodes follow each other at
     * once.
     */
    private static final long LEAST_NANOS = Duration.ofMillis(900).toNanos();

    private static final long NANOS_OF_MICRO = 1000;
    private static final double PERMILLE = 1000;
    private static final double SECOND = 1e9;

    private final ServedBytes bytes;
    private final DoubleSupplier idle;
    private Optional<DatanodeLoad> last = Optional.empty();
    private long atNanos;
    private long read;
    private long written;
    private TaskBatchTimes batches = TaskBatchTimes.NONE;

    /** @param idle share of the machine's processors that was idle since the last call; NaN: not known */
    public LoadMeter(ServedBytes bytes, DoubleSupplier idle, long nowNanos) {
        this.bytes = bytes;
        this.idle = idle;
        this.atNanos = nowNanos;
    }

    /** Adds the times of some batches since the last sample. */
    public void took(TaskBatchTimes some) {
        batches = batches.and(some);
    }

    /** Load since the last sample; empty before the first. */
    public Optional<DatanodeLoad> sample(long nowNanos) {
        long passed = nowNanos - atNanos;
        if (passed >= LEAST_NANOS) {
            long nowRead = bytes.read();
            long nowWritten = bytes.written();
            double free = idle.getAsDouble();
            last = Optional.of(new DatanodeLoad(
                    Double.isNaN(free)
                            ? DatanodeLoad.CPU_UNKNOWN
                            : (int) Math.round(PERMILLE * Math.min(1, Math.max(0, 1 - free))),
                    (long) ((nowRead - read) * SECOND / passed),
                    (long) ((nowWritten - written) * SECOND / passed),
                    batches.meanWaitNanos() / NANOS_OF_MICRO,
                    batches.meanServiceNanos() / NANOS_OF_MICRO));
            batches = TaskBatchTimes.NONE;
            read = nowRead;
            written = nowWritten;
            atNanos = nowNanos;
        }
        return last;
    }
}
