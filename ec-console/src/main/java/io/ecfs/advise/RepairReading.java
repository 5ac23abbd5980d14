package io.ecfs.advise;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairReads;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.Policy;

/**
 * What the repair of a single lost chunk reads, on average over the chunks of a group.
 *
 * @param perByte bytes for each byte of the chunk
 * @param sources chunks
 * @param runsPerCell contiguous runs of all sources together for each cell; codes without sub-chunks read several cells
 *     in one
 */
record RepairReading(double perByte, double sources, double runsPerCell) {
    /** {@code repair.sliceBytes}: read in one run by codes without sub-chunks. */
    private static final double SLICE_BYTES = 1 << 20;

    static RepairReading of(CodeSpec spec) {
        ErasureCode code = ErasureCodes.create(spec, Kernels.java());
        ChunkSet all = ChunkSet.range(0, code.chunks());
        return new RepairReading(
                RepairReads.perByte(code, all), RepairReads.sources(code, all), RepairReads.runsPerCell(code, all));
    }

    /** Runs of all sources together. */
    double runs(Policy policy, double chunkBytes) {
        return policy.code().subChunks() > 1
                ? runsPerCell * Math.max(1, Math.ceil(chunkBytes / policy.cellBytes()))
                : sources * Math.max(1, Math.ceil(chunkBytes / SLICE_BYTES));
    }
}
