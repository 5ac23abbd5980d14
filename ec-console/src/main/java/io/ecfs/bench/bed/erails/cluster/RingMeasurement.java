package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.bed.erails.RateLog;
import io.ecfs.bench.bed.erails.RingOutcome.Percentiles;
import io.ecfs.datanode.store.ring.SpillReason;
import java.util.Map;

/**
 * What a run on a cluster showed; rates in bytes of users a second.
 *
 * @param writeRate that reached devices
 * @param acceptedRate that was acknowledged
 * @param readNanos latencies
 * @param atTurns lowest rate of reads around a turn, in objects a second
 * @param metadata bytes written for names and short files, by bytes of chunks written
 * @param disturbed chunks that were read beside writes, by chunks read
 * @param spills writes to devices while they only read, by their reason
 * @param late windows that ended with writes under way
 * @param staged bytes of a volume at most, at the end
 * @param processorsBusy in per cent, by all processes
 */
public record RingMeasurement(
        double readRate,
        double writeRate,
        double acceptedRate,
        Percentiles readNanos,
        RateLog.Dip atTurns,
        double metadata,
        double disturbed,
        Map<SpillReason, Long> spills,
        long late,
        long staged,
        double processorsBusy) {
    public RingMeasurement {
        spills = Map.copyOf(spills);
    }
}
