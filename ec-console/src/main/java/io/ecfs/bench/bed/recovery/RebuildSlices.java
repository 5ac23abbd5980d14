package io.ecfs.bench.bed.recovery;

import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.transfer.ReadRange;
import io.ecfs.transfer.ReadVisits;
import java.util.ArrayList;
import java.util.List;

/**
 * Slices in which a chunk is rebuilt, as a datanode makes them: a stretch of {@code repair.sliceBytes} of each source,
 * for a code with sub-chunks one cell, of which the plan's sub-chunks are read. Bytes of a tail that are not stored are
 * not read.
 */
final class RebuildSlices {
    /** Of a datanode with the usual {@code store.maxReadBytes}. */
    private static final ReadVisits VISITS = ReadVisits.usual(16L << 20);

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
            List<ReadRange> runs = new ArrayList<>();
            for (SubChunkRange range : ranges) {
                long at = range.from() * subChunk;
                long length = Math.min(range.count() * subChunk, stored - at);
                if (length > 0) {
                    runs.add(new ReadRange(at, at + length));
                }
            }
            if (!runs.isEmpty()) {
                List<ReadRange> visits = VISITS.spans(runs);
                reads.add(new SourceReads(source, bytes(runs), runs.size(), visits.size(), bytes(visits)));
            }
        });
        return new Slice(reads, Math.min(from + coded, layout.chunkBytes(lost)) - from);
    }

    private static long bytes(List<ReadRange> ranges) {
        return ranges.stream().mapToLong(range -> range.to() - range.from()).sum();
    }
}
