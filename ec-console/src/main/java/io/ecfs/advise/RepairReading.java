package io.ecfs.advise;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.RepairReads;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.Policy;
import io.ecfs.transfer.ReadRange;
import io.ecfs.transfer.ReadVisits;
import java.util.ArrayList;
import java.util.List;

/**
 * What the repair of a single lost chunk reads, on average over the chunks of a group.
 *
 * @param perByte bytes for each byte of the chunk
 * @param sources chunks
 * @param runs of sub-chunks, contiguous ones, that the repair of each chunk reads in a cell of each of its sources;
 *     codes without sub-chunks read several cells in one
 * @param chunks of a group
 */
record RepairReading(double perByte, double sources, List<List<SubChunkRange>> runs, int chunks) {
    /** {@code repair.sliceBytes}: read in one run by codes without sub-chunks. */
    private static final double SLICE_BYTES = 1 << 20;

    RepairReading {
        runs = List.copyOf(runs);
    }

    static RepairReading of(CodeSpec spec) {
        ErasureCode code = ErasureCodes.create(spec, Kernels.java());
        ChunkSet all = ChunkSet.range(0, code.chunks());
        List<List<SubChunkRange>> runs = new ArrayList<>();
        for (int lost : all) {
            if (code.plan(ChunkSet.of(lost), all.without(lost)) instanceof RepairPlan plan) {
                runs.addAll(plan.reads().values());
            }
        }
        return new RepairReading(RepairReads.perByte(code, all), RepairReads.sources(code, all), runs, code.chunks());
    }

    /**
     * What the disks of all sources together do for a chunk: neighbouring runs are read at once.
     *
     * @param bytes for each byte of the chunk, those between runs too
     */
    record DiskReads(double accesses, double bytes) {}

    DiskReads onDisks(Policy policy, double chunkBytes) {
        if (policy.code().subChunks() == 1) {
            return new DiskReads(sources * Math.max(1, Math.ceil(chunkBytes / SLICE_BYTES)), perByte);
        }
        double cells = Math.max(1, Math.ceil(chunkBytes / policy.cellBytes()));
        long subChunk = policy.cellBytes() / policy.code().subChunks();
        ReadVisits visits = ReadVisits.usual(policy.cellBytes());
        double accesses = 0;
        double bytes = 0;
        for (List<SubChunkRange> ofSource : runs) {
            for (ReadRange span : visits.spans(ofSource.stream()
                    .map(run -> new ReadRange(run.from() * subChunk, run.to() * subChunk))
                    .toList())) {
                accesses++;
                bytes += (double) (span.to() - span.from());
            }
        }
        return new DiskReads(cells * accesses / chunks, bytes / chunks / policy.cellBytes());
    }
}
