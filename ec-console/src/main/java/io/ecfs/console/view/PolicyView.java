package io.ecfs.console.view;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.RepairReads;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.Policy;

/**
 * A policy as {@code --json} shows it.
 *
 * @param lossesSurvived any so many chunks may be lost
 * @param repairChunks chunks' worth of bytes that the repair of one data chunk reads, on average
 */
public record PolicyView(
        String name,
        int k,
        int m,
        int cellBytes,
        double overhead,
        int lossesSurvived,
        double repairChunks,
        boolean isDefault) {
    /** @param defaultPolicy that of the cluster */
    public static PolicyView of(Policy p, Policy defaultPolicy) {
        return new PolicyView(
                p.name(),
                p.dataChunks(),
                p.parityChunks(),
                p.cellBytes(),
                p.chunks() / (double) p.dataChunks(),
                p.code().survivedLosses(),
                RepairReads.perByte(ErasureCodes.create(p.code(), Kernels.java()), ChunkSet.range(0, p.dataChunks())),
                p.equals(defaultPolicy));
    }
}
