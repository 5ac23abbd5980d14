package io.ecfs.code;

import java.util.List;
import java.util.function.ToLongFunction;

/** What repairs of chunks read, each rebuilt by itself, by {@link ErasureCode#plan}. */
public final class RepairReads {
    private RepairReads() {}

    /**
     * Bytes that a repair reads for each byte that it rebuilds when one chunk is lost, on average over the given ones.
     *
     * @param lost at least one chunk of the code; each is lost alone, and all others are there
     */
    public static double perByte(ErasureCode code, ChunkSet lost) {
        return mean(code, lost, index -> all(code).without(index), plan -> plan.bytesRead(code.subChunks()))
                / code.subChunks();
    }

    /**
     * Bytes that repairs read for each byte of these chunks when all of them are lost at once.
     *
     * @param lost at least one chunk of the code
     * @param available chunks left; they determine the lost ones
     */
    public static double perByteTogether(ErasureCode code, ChunkSet lost, ChunkSet available) {
        return mean(code, lost, index -> available, plan -> plan.bytesRead(code.subChunks())) / code.subChunks();
    }

    /**
     * Contiguous runs that a repair reads of all its sources together for each cell that it rebuilds, on average as
     * {@link #perByte}. A code without sub-chunks has one for each source, and may read many cells with it.
     */
    public static double runsPerCell(ErasureCode code, ChunkSet lost) {
        return mean(
                code,
                lost,
                index -> all(code).without(index),
                plan -> plan.reads().values().stream().mapToLong(List::size).sum());
    }

    /** Chunks that a repair reads, on average as {@link #perByte}. */
    public static double sources(ErasureCode code, ChunkSet lost) {
        return mean(
                code,
                lost,
                index -> all(code).without(index),
                plan -> plan.sources().size());
    }

    private interface Left {
        ChunkSet without(int index);
    }

    private static ChunkSet all(ErasureCode code) {
        return ChunkSet.range(0, code.chunks());
    }

    private static double mean(ErasureCode code, ChunkSet lost, Left left, ToLongFunction<RepairPlan> of) {
        if (lost.size() == 0) {
            throw new IllegalArgumentException("no lost chunk to repair");
        }
        long sum = 0;
        for (int index : lost) {
            ChunkSet available = left.without(index);
            if (!(code.plan(ChunkSet.of(index), available) instanceof RepairPlan plan)) {
                throw new IllegalStateException(
                        "chunks " + available + " of " + code.spec() + " do not determine chunk " + index);
            }
            sum = Math.addExact(sum, of.applyAsLong(plan));
        }
        return (double) sum / lost.size();
    }
}
