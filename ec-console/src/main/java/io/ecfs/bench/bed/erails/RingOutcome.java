package io.ecfs.bench.bed.erails;

import org.HdrHistogram.Histogram;

/**
 * What a run showed; rates in bytes of users a second, after the time to warm up.
 *
 * @param readRate while reads were under way
 * @param writeRate that reached devices while writes were under way
 * @param acceptedRate of writes that were acknowledged
 * @param readNanos latencies
 * @param writeNanos latencies of acknowledgements
 * @param atTurns lowest rate of reads around a turn, in objects a second
 * @param spilledBytes that went to devices although they only read
 * @param late windows that ended with writes under way
 * @param mostStaged bytes of a volume
 * @param besideWriters chunks read from volumes that write, by chunks read
 * @param decoded data chunks computed, by data chunks read
 * @param cpuShare that the cores worked
 * @param writers of the ring at the end
 * @param reads completions of reads
 * @param writes acknowledgements
 * @param seconds that the run took
 * @param events of virtual time
 */
public record RingOutcome(
        double readRate,
        double writeRate,
        double acceptedRate,
        Percentiles readNanos,
        Percentiles writeNanos,
        RateLog.Dip atTurns,
        long spilledBytes,
        long late,
        long mostStaged,
        double besideWriters,
        double decoded,
        double cpuShare,
        int writers,
        RateLog reads,
        RateLog writes,
        double seconds,
        long events) {
    /** Of latencies, in nanoseconds. */
    public record Percentiles(double p50, double p99, double p999) {
        public static Percentiles of(Histogram nanos) {
            return new Percentiles(
                    (double) nanos.getValueAtPercentile(50), (double) nanos.getValueAtPercentile(99), (double)
                            nanos.getValueAtPercentile(99.9));
        }
    }
}
