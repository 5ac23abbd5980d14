package io.ecfs.bench.bed.recovery;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How much the machines that are left worked.
 *
 * @param left at least one
 */
record MachineUse(List<BedDatanode> left, DatanodeHardware hardware) {
    private static final double NANOS = 1e9;

    private double mean(ToDoubleFunction<BedDatanode> of) {
        return left.stream().mapToDouble(of).average().orElseThrow();
    }

    private double most(ToDoubleFunction<BedDatanode> of) {
        return left.stream().mapToDouble(of).max().orElseThrow();
    }

    private double cores(BedDatanode one) {
        return (double) one.cpuNanos() / hardware.cores();
    }

    RecoveryResult.Use meanOf(double seconds) {
        return new RecoveryResult.Use(
                mean(BedDatanode::diskNanos) / NANOS / seconds,
                mean(BedDatanode::linkNanos) / NANOS / seconds,
                mean(this::cores) / NANOS / seconds);
    }

    RecoveryResult.Use mostOf(double seconds) {
        return new RecoveryResult.Use(
                most(BedDatanode::diskNanos) / NANOS / seconds,
                most(BedDatanode::linkNanos) / NANOS / seconds,
                most(this::cores) / NANOS / seconds);
    }

    double busiestTarget() {
        return most(BedDatanode::writtenBytes) / mean(BedDatanode::writtenBytes);
    }

    double busiestDisk() {
        return most(BedDatanode::diskNanos) / mean(BedDatanode::diskNanos);
    }
}
