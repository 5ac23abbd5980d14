package io.ecfs.bench.soak;

import io.ecfs.bench.meter.MemoryWatch;
import java.util.ArrayList;
import java.util.List;

/**
 * The most memory that one process took, and what it may take: its heap, its direct memory, what its store was given
 * outside of both, and what the JVM needs for itself.
 */
public record SoakMemory(String process, MemoryWatch.Worst worst, long residentLimitBytes) {
    /** Classes, compiled code, stacks of threads, the collector's own, libraries: what no setting of ours bounds. */
    private static final long OF_THE_JVM_BYTES = 192L << 20;

    static SoakMemory of(String process, MemoryWatch.Worst worst, long storeBytes) {
        return new SoakMemory(
                process, worst, worst.heapLimitBytes() + worst.directLimitBytes() + storeBytes + OF_THE_JVM_BYTES);
    }

    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (worst.heapLimitBytes() == 0) {
            problems.add(process + " never reported its memory");
            return problems;
        }
        over(problems, "resident", worst.residentBytes(), residentLimitBytes);
        over(problems, "heap", worst.heapBytes(), worst.heapLimitBytes());
        over(problems, "direct", worst.directBytes(), worst.directLimitBytes());
        return problems;
    }

    private void over(List<String> problems, String kind, long bytes, long limit) {
        if (bytes > limit) {
            problems.add(process + " took " + (bytes >> 20) + " MiB of " + kind + " memory, configured are "
                    + (limit >> 20) + " MiB");
        }
    }
}
