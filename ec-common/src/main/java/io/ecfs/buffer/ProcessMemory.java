package io.ecfs.buffer;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/**
 * The memory of this whole process in numbers. Netty counts direct memory that it takes, and takes it from the JVM's
 * direct buffers or, on newer JDKs, past them: the larger count is the right one.
 */
public final class ProcessMemory {
    private final List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    private final List<BufferPoolMXBean> direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .toList();

    /**
     * Upper bound of the heap's use since {@link #forgetHeapPeak}, or since the start: the pools of a heap may have had
     * their peaks at different times, and then add up to more than was in use at once.
     */
    public long heapPeakBytes() {
        long ofAllPools =
                heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        return Math.min(ofAllPools, heapLimitBytes());
    }

    /** Resets the heap's peak to its present use. */
    public void forgetHeapPeak() {
        heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** Limit of the heap ({@code -Xmx}). */
    public long heapLimitBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Direct memory that is taken from the system at the moment, used or retained. */
    public long directBytes() {
        long ofTheJvm =
                direct.stream().mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
        return Math.max(ofTheJvm, PlatformDependent.usedDirectMemory());
    }

    /** Limit of direct memory ({@code -XX:MaxDirectMemorySize}, else {@code -Xmx}). */
    public long directLimitBytes() {
        return PlatformDependent.maxDirectMemory();
    }

    /** Bytes that all buffer pools of this process have lent out at the moment. */
    public long lentBytes() {
        return BufferPool.lentByAllPools();
    }
}
