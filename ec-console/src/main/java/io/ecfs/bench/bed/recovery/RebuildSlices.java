package io.ecfs.bench.bed.recovery;

import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * Slices in which a chunk is rebuilt, as a datanode makes them: a stretch of {@code repair.sliceBytes} of each source,
 * for a code with sub-chunks one cell, of which the plan's sub-chunks are read. Bytes of a tail that are not stored are
 * not read.
 */
final class RebuildSlices {
    /** @param repairedBytes of the chunk that are stored */
    record Slice(List<SourceReads> reads, long repairedBytes) {
        long readBytes() {
            return reads.stream().mapToLong(SourceReads::bytes).sum();
        }
    }

    private RebuildSlices() {}

    static List<Slice> of(GroupLayout layout, RepairPlan plan, int lost, int sliceBytes) {
        Policy policy = layout.policy();
        boolean vector = plan.subChunks() > 1;
        List<Slice> slices = new ArrayList<>();
        long full = layout.fullStripeChunkBytes();
        long most = vector ? policy.cellBytes() : sliceBytes;
        for (long at = 0; at < full; at += most) {
            slices.add(slice(layout, plan, lost, at, Math.min(most, full - at)));
        }
        long tail = layout.chunkBytes(lost) - full;
        for (long at = 0; at < tail; at += most) {
            slices.add(slice(layout, plan, lost, full + at, Math.min(most, layout.tailCellBytes() - at)));
        }
        return slices;
    }

    /** @param coded bytes of the slice as the code sees it */
    private static Slice slice(GroupLayout layout, RepairPlan plan, int lost, long from, long coded) {
        long subChunk = coded / plan.subChunks();
        List<SourceReads> reads = new ArrayList<>();
        plan.reads().forEach((source, ranges) -> {
            long stored = Math.min(from + coded, layout.chunkBytes(source)) - from;
            long bytes = 0;
            int runs = 0;
            long begin = -1;
            long end = 0;
            for (SubChunkRange range : ranges) {
                long at = range.from() * subChunk;
                long length = Math.min(range.count() * subChunk, stored - at);
                if (length > 0) {
                    bytes += length;
                    runs++;
                    begin = begin < 0 ? at : begin;
                    end = at + length;
                }
            }
            if (runs > 0) {
                reads.add(new SourceReads(source, bytes, runs, end - begin));
            }
        });
        return new Slice(reads, Math.min(from + coded, layout.chunkBytes(lost)) - from);
    }
}
