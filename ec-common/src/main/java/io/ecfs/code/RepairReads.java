package io.ecfs.code;

import java.util.List;
import java.util.function.ToLongFunction;

/** What repairs of single losses read, by {@link ErasureCode#plan}. */
public final class RepairReads {
    private RepairReads() {}

    /**
     * Bytes that a repair reads for each byte that it rebuilds when one chunk is lost, on average over the given ones.
     *
     * @param lost at least one chunk of the code; each is lost alone, and all others are there
     */
    public static double perByte(ErasureCode code, ChunkSet lost) {
        return mean(code, lost, plan -> plan.bytesRead(code.subChunks())) / code.subChunks();
    }

    /**
     * Contiguous runs that a repair reads of all its sources together for each cell that it rebuilds, on average as
     * {@link #perByte}. A code without sub-chunks has one for each source, and may read many cells with it.
     */
    public static double runsPerCell(ErasureCode code, ChunkSet lost) {
        return mean(code, lost, plan -> plan.reads().values().stream()
                .mapToLong(List::size)
                .sum());
    }

    /** Chunks that a repair reads, on average as {@link #perByte}. */
    public static double sources(ErasureCode code, ChunkSet lost) {
        return mean(code, lost, plan -> plan.sources().size());
    }

    private static double mean(ErasureCode code, ChunkSet lost, ToLongFunction<RepairPlan> of) {
        if (lost.size() == 0) {
            throw new IllegalArgumentException("no lost chunk to repair");
        }
        ChunkSet all = ChunkSet.range(0, code.chunks());
        long sum = 0;
        for (int index : lost) {
            if (!(code.plan(ChunkSet.of(index), all.without(index)) instanceof RepairPlan plan)) {
                throw new IllegalStateException(code + " does not repair chunk " + index + " alone");
            }
            sum = Math.addExact(sum, of.applyAsLong(plan));
        }
        return (double) sum / lost.size();
    }
}
