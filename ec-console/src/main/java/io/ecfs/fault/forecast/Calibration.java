package io.ecfs.fault.forecast;

import io.ecfs.advise.Machines;
import io.ecfs.advise.RecoveryTuning;
import io.ecfs.advise.RepairCpu;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.fault.lab.ExperimentResult;
import java.time.Duration;
import java.util.Locale;

/**
 * What this machine can, as the model of a recovery needs it.
 *
 * @param cores of the machine
 * @param cpu that repairs took of them
 */
public record Calibration(MachineSpeed speed, int cores, RepairCpu cpu) {
    private static final double MEGA = 1e6;

    /**
     * From a recovery that was measured.
     *
     * @throws IllegalArgumentException when nothing was rebuilt in it, or no processor time was counted
     */
    static Calibration of(MachineSpeed speed, int cores, ExperimentResult training) {
        if (training.repairedBytes() == 0 || !(training.cpuSeconds() > 0)) {
            throw new IllegalArgumentException("the recovery of " + training.policy() + " rebuilt "
                    + training.repairedBytes() + " bytes in " + training.cpuSeconds()
                    + " processor seconds: repairs cannot be calibrated with it");
        }
        return new Calibration(
                speed,
                cores,
                RepairCpu.measured(
                        training.policy().code(),
                        training.readBytes(),
                        training.repairedBytes(),
                        training.cpuSeconds()));
    }

    /** The slower of both directions: the model has one speed. */
    double diskBytesPerSecond() {
        return Math.min(speed.readBytesPerSecond(), speed.writeBytesPerSecond());
    }

    /** A cluster with a machine like this one for each datanode. */
    public Machines machines(int datanodes) {
        return new Machines(
                datanodes,
                diskBytesPerSecond(),
                speed.loopbackBytesPerSecond(),
                cores,
                speed.accessSeconds(),
                cpu);
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

    /** Of one recovered byte of RS(6,3), in seconds for each GB. */
    public double cpuSecondsPerGigabyte() {
        return cpu.seconds(OneLoss.TRAINING.policy().code(), 6e9, 1e9);
    }

    /** The options of the command that stand for it. Slower cores are fewer cores: those of the option are usual ones. */
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
