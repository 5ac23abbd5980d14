package io.ecfs.bench.bed.recovery;

import io.ecfs.fault.record.Phase;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a run showed.
 *
 * @param seconds of each phase, by the namenode's history
 * @param bytesLost of chunks on the datanodes that died
 * @param bytesRead of sources, also by attempts that failed
 * @param bytesRepaired of chunks that took their places
 * @param chunksLost on the datanodes that died
 * @param chunksRepaired that took their places
 * @param attemptsFailed to rebuild a chunk
 * @param groupsByLosses at place i the number of groups of which i chunks were lost; place 0 those that lost none
 * @param busiestTarget bytes written by the target that wrote most, of the mean of all datanodes left
 * @param busiestSource time that the busiest disk worked in RECOVERY, of the mean of all datanodes left
 * @param use mean share of RECOVERY that the disks, the links (the busier direction) and the cores left worked
 * @param busiest the same of the busiest of each
 * @param events of virtual time, a measure of what the run cost
 */
public record RecoveryResult(
        Map<Phase, Double> seconds,
        long bytesLost,
        long bytesRead,
        long bytesRepaired,
        long chunksLost,
        long chunksRepaired,
        long attemptsFailed,
        List<Integer> groupsByLosses,
        double busiestTarget,
        double busiestSource,
        Use use,
        Use busiest,
        long events) {
    private static final double MEGA = 1e6;

    /** Shares of time. */
    public record Use(double disk, double net, double cpu) {}

    public RecoveryResult {
        seconds = Collections.unmodifiableMap(new EnumMap<>(seconds));
        groupsByLosses = List.copyOf(groupsByLosses);
    }

    public double seconds(Phase phase) {
        return seconds.get(phase);
    }

    /** From the deaths until all is healed. */
    public double totalSeconds() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Rebuilt MB (10^6 bytes) for each second of RECOVERY. */
    public double rate() {
        return bytesRepaired / MEGA / seconds(Phase.RECOVERY);
    }

    /** Of the time from the first suspicion, what the study counts as checking: grace and checking. */
    public double checkedShare() {
        return (seconds(Phase.GRACE) + seconds(Phase.CHECKING)) / (totalSeconds() - notice());
    }

    /** CHECKING alone, of the time from the first suspicion without the grace. */
    public double checkingShare() {
        return seconds(Phase.CHECKING) / (totalSeconds() - notice() - seconds(Phase.GRACE));
    }

    private double notice() {
        return seconds(Phase.NOTICE);
    }
}
