package io.ecfs.code;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads of a repair, and the chunks that they yield. A value: two plans are equal when they read the same to compute
 * the same, and a plan may be run by any code object of the same {@link #spec()}.
 *
 * <p>A plan is in sub-chunks of a cell and applies to every cell of the chunks alike; byte counts follow from the cell
 * size that the caller has.
 */
public final class RepairPlan implements RepairPlanning {
    private final CodeSpec spec;
    private final ChunkSet lost;
    private final SortedMap<Integer, List<SubChunkRange>> reads;
    private final ChunkSet sources;
    private final int subChunks;
    /** By chunk index. */
    private final int[] subChunksRead;

    private final int hash;

    /**
     * @param reads for each chunk to read the sub-chunk ranges, ascending and apart from one another
     * @param subChunks alpha of the code
     */
    public RepairPlan(CodeSpec spec, ChunkSet lost, Map<Integer, List<SubChunkRange>> reads, int subChunks) {
        this.spec = Objects.requireNonNull(spec, "spec");
        this.lost = Objects.requireNonNull(lost, "lost");
        this.subChunks = subChunks;
        TreeMap<Integer, List<SubChunkRange>> copy = new TreeMap<>();
        reads.forEach((index, ranges) -> copy.put(index, checked(index, List.copyOf(ranges), subChunks)));
        this.reads = Collections.unmodifiableSortedMap(copy);
        this.sources = ChunkSet.of(copy.keySet());
        if (!sources.intersection(lost).isEmpty()) {
            throw new IllegalArgumentException("a plan cannot read what is lost: reads " + sources + ", lost " + lost);
        }
        this.subChunksRead = new int[copy.isEmpty() ? 0 : copy.lastKey() + 1];
        copy.forEach((index, ranges) -> subChunksRead[index] =
                ranges.stream().mapToInt(SubChunkRange::count).sum());
        this.hash = Objects.hash(spec, lost, copy);
    }

    private static List<SubChunkRange> checked(int index, List<SubChunkRange> ranges, int subChunks) {
        int end = -1;
        for (SubChunkRange range : ranges) {
            if (range.from() <= end || range.to() > subChunks) {
                throw new IllegalArgumentException("ranges " + ranges + " of chunk " + index
                        + " must be ascending, apart and within " + subChunks + " sub-chunks");
            }
            end = range.to();
        }
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("nothing to read of chunk " + index);
        }
        return ranges;
    }

    public CodeSpec spec() {
        return spec;
    }

    /** The chunks that the plan computes. */
    public ChunkSet lost() {
        return lost;
    }

    /** The chunks that the plan reads. */
    public ChunkSet sources() {
        return sources;
    }

    /** By chunk index, ascending: the sub-chunk ranges to read of each cell, ascending. Unmodifiable. */
    public SortedMap<Integer, List<SubChunkRange>> reads() {
        return reads;
    }

    /** alpha of the code: a cell has this many sub-chunks. */
    public int subChunks() {
        return subChunks;
    }

    /** Returns whether the plan reads all of the given source chunk. */
    public boolean readsWhole(int index) {
        return subChunksRead(index) == subChunks;
    }

    /** Bytes to read of all chunks together for each cell of {@code cellBytes} bytes. */
    public long bytesRead(long cellBytes) {
        long total = 0;
        for (int index : reads.keySet()) {
            total = Math.addExact(total, bytesRead(index, cellBytes));
        }
        return total;
    }

    /** Bytes to read of one source chunk for each cell of {@code cellBytes} bytes; 0 for a chunk that is no source. */
    public long bytesRead(int index, long cellBytes) {
        if (cellBytes < 0 || cellBytes % subChunks != 0) {
            throw new IllegalArgumentException(
                    "cells of " + cellBytes + " bytes do not divide into " + subChunks + " sub-chunks for " + spec);
        }
        return Math.multiplyExact(cellBytes / subChunks, (long) subChunksRead(index));
    }

    private int subChunksRead(int index) {
        return index >= 0 && index < subChunksRead.length ? subChunksRead[index] : 0;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof RepairPlan that
                && hash == that.hash
                && subChunks == that.subChunks
                && spec.equals(that.spec)
                && lost.equals(that.lost)
                && reads.equals(that.reads);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "RepairPlan[" + spec + " computes " + lost + " from " + (subChunks == 1 ? sources : reads) + "]";
    }
}
