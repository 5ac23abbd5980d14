package io.ecfs.bench.meter;

/**
 * Resources of one process in a part.
 *
 * @param name {@value #CLIENT}, a daemon's id, {@value #ALL_IN_ONE}, or {@code daemons} for several in a process that
 *     is not this one
 * @param heapPeakBytes of this process; 0 for others
 * @param directPeakBytes of this process; 0 for others
 */
record ProcessCost(
        String name,
        double userSeconds,
        double systemSeconds,
        long switches,
        long diskReadBytes,
        long diskWrittenBytes,
        long peakResidentBytes,
        long heapPeakBytes,
        long directPeakBytes) {
    public static final String CLIENT = "client";
    public static final String ALL_IN_ONE = "client and daemons";

    static ProcessCost between(
            String name, ProcessCounters before, ProcessCounters now, long heapPeakBytes, long directPeakBytes) {
        return new ProcessCost(
                name,
                now.userSeconds() - before.userSeconds(),
                now.systemSeconds() - before.systemSeconds(),
                now.switchesSince(before),
                now.diskReadBytes() - before.diskReadBytes(),
                now.diskWrittenBytes() - before.diskWrittenBytes(),
                now.peakResidentBytes(),
                heapPeakBytes,
                directPeakBytes);
    }

    public double cpuSeconds() {
        return userSeconds + systemSeconds;
    }
}
