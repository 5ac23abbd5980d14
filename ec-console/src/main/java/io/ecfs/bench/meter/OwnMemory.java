package io.ecfs.bench.meter;

import io.ecfs.buffer.ProcessMemory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Peaks of this process's heap and direct memory. The JVM has the heap's; direct memory is polled ten times a second.
 */
final class OwnMemory implements AutoCloseable {
    private static final long POLL_INTERVAL_MILLIS = 100;

    private final ProcessMemory now = new ProcessMemory();
    private final AtomicLong directPeak = new AtomicLong();
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-memory");
        thread.setDaemon(true);
        return thread;
    });

    OwnMemory() {
        var unused = poller.scheduleWithFixedDelay(
                this::poll, POLL_INTERVAL_MILLIS, POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    void forgetPeaks() {
        now.forgetHeapPeak();
        directPeak.set(now.directBytes());
    }

    long heapPeakBytes() {
        return now.heapPeakBytes();
    }

    long heapLimitBytes() {
        return now.heapLimitBytes();
    }

    long directLimitBytes() {
        return now.directLimitBytes();
    }

    long directPeakBytes() {
        poll();
        return directPeak.get();
    }

    @Override
    public void close() {
        poller.shutdownNow();
    }

    private void poll() {
        directPeak.accumulateAndGet(now.directBytes(), Math::max);
    }
}
