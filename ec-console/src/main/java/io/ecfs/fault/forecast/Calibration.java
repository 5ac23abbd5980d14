package io.ecfs.fault.forecast;

import io.ecfs.advise.Machines;
import io.ecfs.advise.RecoveryTuning;
import io.ecfs.advise.RepairCpu;
import io.ecfs.code.CodeSpec;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.fault.lab.ExperimentResult;
import java.time.Duration;
import java.util.Locale;

/**
 * What this machine can, as the model of a recovery needs it.
 *
 * @param cores of the machine
 * @param cpu that repairs took of them, for each byte
 * @param freshSeconds of a core that each datanode took once beside that: its first repairs are interpreted, and
 *     compiled meanwhile
 */
public record Calibration(MachineSpeed speed, int cores, RepairCpu cpu, double freshSeconds) {
    private static final double MEGA = 1e6;

    /** Code and bytes for a GB that are shown. */
    private static final CodeSpec SHOWN = CodeSpec.rs(6, 3);

    private static final double GIGA = 1e9;

    /**
     * From two recoveries of equal clusters: seconds that grow with the bytes are theirs, and the rest is what fresh
     * daemons take.
     *
     * @param datanodesLeft in both
     * @throws IllegalArgumentException when the larger one did not rebuild more, or in no more processor time
     */
    static Calibration of(
            MachineSpeed speed, int cores, ExperimentResult small, ExperimentResult large, int datanodesLeft) {
        double more = usualSeconds(large) - usualSeconds(small);
        double slope = (large.cpuSeconds() - small.cpuSeconds()) / more;
        if (!(more > 0) || !(slope > 0)) {
            throw new IllegalArgumentException("recoveries of " + small.repairedBytes() + " and "
                    + large.repairedBytes() + " bytes took " + small.cpuSeconds() + " and " + large.cpuSeconds()
                    + " processor seconds: repairs cannot be calibrated with them; try again on an idle machine");
        }
        double fresh = (small.cpuSeconds() - slope * usualSeconds(small)) / datanodesLeft;
        return fresh >= 0
                ? new Calibration(speed, cores, new RepairCpu(slope), fresh)
                : new Calibration(speed, cores, new RepairCpu(large.cpuSeconds() / usualSeconds(large)), 0);
    }

    private static double usualSeconds(ExperimentResult result) {
        return RepairCpu.USUAL.seconds(
                result.policy().code(), (double) result.readBytes(), (double) result.repairedBytes());
    }

    /** The slower of both directions: the model has one speed. */
    double diskBytesPerSecond() {
        return Math.min(speed.readBytesPerSecond(), speed.writeBytesPerSecond());
    }

    /** A cluster with a machine like this one for each datanode. */
    public Machines machines(int datanodes) {
        return new Machines(
                datanodes, diskBytesPerSecond(), speed.loopbackBytesPerSecond(), cores, speed.accessSeconds(), cpu);
    }

    /**
     * The datanodes that are left of a cluster on this machine, as one, beside the lost one: what they share is as busy
     * whoever of them uses it, so that there is no busiest of them (no skew).
     */
    Machines shared() {
        return machines(2);
    }

    /** The tuning for {@link #shared}, from the death of a datanode on: so many targets are one. */
    static RecoveryTuning shared(RecoveryTuning ofCluster, int datanodesLeft) {
        return new RecoveryTuning(
                Duration.ZERO,
                Duration.ZERO,
                ofCluster.atOnce(),
                Math.multiplyExact(ofCluster.perDatanode(), datanodesLeft));
    }

    /** Of each GB that is rebuilt with RS(6,3). */
    public double cpuSecondsPerGigabyte() {
        return cpu.seconds(SHOWN, SHOWN.dataChunks() * GIGA, GIGA);
    }

    /** The options of the command that stand for it. Slower cores are fewer: those of the option are usual ones. */
    public String options() {
        return String.format(
                Locale.ROOT,
                "--disk %.0fMB/s --access %dus --net %.1fGbit --cores %.2f",
                Math.max(1, diskBytesPerSecond() / MEGA),
                Math.max(1, Math.round(speed.accessSeconds() * MEGA)),
                Math.max(0.1, speed.loopbackBytesPerSecond() / NetworkSpeed.BYTES_OF_GIGABIT),
                Math.max(0.01, cores / cpu.scale()));
    }
}
