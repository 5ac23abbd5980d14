package io.ecfs.datanode.repair;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.layout.Policy;
import java.util.List;

/**
 * Costs of the reads of a repair, so that the cheapest plan is run: a code with sub-chunks may read few bytes in many
 * runs, or k whole chunks.
 *
 * <p>A run costs 11 us of CPU at both ends together, beside its bytes: 27 runs of 12 KiB in one message take 540 us,
 * one of as many bytes takes 250 us (two cores, loopback, page cache; docs/benchmarks.md). A byte costs 1 ns, what it
 * needs on a link of 10 Gbit/s; the two ends need half of that. So a run costs as much as {@value #RUN_BYTES} bytes. A
 * run is read with the whole checksum windows that cover it.
 */
final class ReadCost {
    /** What a run costs, in bytes. */
    static final int RUN_BYTES = 11_000;

    private ReadCost() {}

    /**
     * Cost of the reads of a plan, in bytes.
     *
     * @param cellBytes that the plan is applied to, at a multiple of the checksum window
     */
    static long of(RepairPlan plan, int cellBytes) {
        int subChunkBytes = cellBytes / plan.subChunks();
        long cost = 0;
        for (List<SubChunkRange> runs : plan.reads().values()) {
            for (SubChunkRange run : runs) {
                cost += RUN_BYTES + windowBytes((long) run.from() * subChunkBytes, (long) run.to() * subChunkBytes);
            }
        }
        return cost;
    }

    private static long windowBytes(long from, long to) {
        long window = Policy.CHECKSUM_WINDOW_BYTES;
        return (to + window - 1) / window * window - from / window * window;
    }

    /**
     * The chunks to compute a lost one from: all that are available, where the code's own plan costs least; otherwise
     * as few whole ones as suffice.
     */
    static ChunkSet cheapest(ErasureCode code, int lost, ChunkSet available, int cellBytes) {
        if (code.subChunks() == 1
                || !(code.plan(ChunkSet.of(lost), available) instanceof RepairPlan own)
                || own.sources().stream().allMatch(own::readsWhole)) {
            return available;
        }
        int k = code.spec().dataChunks();
        ChunkSet some = ChunkSet.of(own.reads().keySet().stream().limit(k).toList());
        boolean cheaper = code.plan(ChunkSet.of(lost), some) instanceof RepairPlan whole
                && of(whole, cellBytes) < of(own, cellBytes);
        return cheaper ? some : available;
    }
}
