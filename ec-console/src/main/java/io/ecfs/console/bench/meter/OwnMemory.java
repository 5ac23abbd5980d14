package io.ecfs.console.bench.meter;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Peaks of this process's heap and direct memory. The JVM keeps the heap's, pool by pool; direct memory is looked at ten times a
 * second. Netty counts what it takes, and takes it from the JVM's direct buffers or, on newer JDKs, past them: the larger count holds.
 */
final class OwnMemory implements AutoCloseable {
    private static final long BETWEEN_LOOKS_MILLIS = 100;

    private final List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    private final List<BufferPoolMXBean> direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .toList();
    private final AtomicLong directPeak = new AtomicLong();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-memory");
        thread.setDaemon(true);
        return thread;
    });

    OwnMemory() {
        var unused = looks.scheduleWithFixedDelay(
                this::look, BETWEEN_LOOKS_MILLIS, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
    }

    void forgetPeaks() {
        heap.forEach(MemoryPoolMXBean::resetPeakUsage);
        directPeak.set(directNow());
    }

    /** At most this much: the pools of a heap may have had their peaks at different times. */
    long heapPeakBytes() {
        return heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    }

    long directPeakBytes() {
        look();
        return directPeak.get();
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }

    private void look() {
        directPeak.accumulateAndGet(directNow(), Math::max);
    }

    private long directNow() {
        long ofTheJvm =
                direct.stream().mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
        return Math.max(ofTheJvm, PlatformDependent.usedDirectMemory());
    }
}
