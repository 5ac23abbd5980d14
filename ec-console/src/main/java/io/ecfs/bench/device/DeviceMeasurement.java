package io.ecfs.bench.device;

import java.util.List;

/**
 * What was measured; rates in requests a second of all threads.
 *
 * @param requestBytes small and large requests
 * @param reads alone, by size
 * @param writes alone, by size
 * @param mixed reads and writes together, by size
 * @param mixedReads part of them that were reads, by size
 * @param readers threads that read at once
 * @param readNanos latencies of small reads alone, ascending
 * @param mixedReadNanos of small reads beside writes, ascending
 * @param after mean latencies of small reads in slices of {@link #SLICE_NANOS} after the last write
 */
public record DeviceMeasurement(
        List<Integer> requestBytes,
        List<Double> reads,
        List<Double> writes,
        List<Double> mixed,
        List<Double> mixedReads,
        int readers,
        long[] readNanos,
        long[] mixedReadNanos,
        List<Double> after) {
    static final long SLICE_NANOS = 10_000_000;

    public DeviceMeasurement {
        requestBytes = List.copyOf(requestBytes);
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
        mixed = List.copyOf(mixed);
        mixedReads = List.copyOf(mixedReads);
        readNanos = readNanos.clone();
        mixedReadNanos = mixedReadNanos.clone();
        after = List.copyOf(after);
    }
}
