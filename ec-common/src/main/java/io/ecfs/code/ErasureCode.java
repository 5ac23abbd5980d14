package io.ecfs.code;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A systematic erasure code over the cells of one stripe: k data chunks, m parity chunks, n = k + m.
 *
 * <p>All buffers are direct. The bytes used are those of {@code [position, limit)}; position and limit stay as they
 * are. Buffers of one call have equal remaining sizes (in {@link #repair}: equal for equal numbers of sub-chunks) and
 * must not overlap. A code with {@link #subChunks()} = 1 works on each byte column by itself, so several cells of a
 * chunk that lie behind one another may be given as one buffer of any length, zero included; for the others a buffer is
 * one cell, whose length is a multiple of {@code subChunks()}.
 *
 * <p>A code is immutable and safe for use by many threads at once. It never takes ownership of a buffer and holds none
 * after a call returns.
 */
public interface ErasureCode {

    CodeSpec spec();

    /** k, the number of data chunks; they have the indexes {@code [0, k)}. */
    default int dataChunks() {
        return spec().dataChunks();
    }

    /** m, the number of parity chunks; they have the indexes {@code [k, k + m)}. */
    default int parityChunks() {
        return spec().parityChunks();
    }

    /** n = k + m. */
    default int chunks() {
        return dataChunks() + parityChunks();
    }

    /** alpha: every cell divides into so many sub-chunks, which a repair can read one by one; 1 for scalar codes. */
    default int subChunks() {
        return spec().subChunks();
    }

    /**
     * Computes all parity cells of a stripe.
     *
     * @param data k cells in the order of their chunk indexes
     * @param parity m cells in the order of their chunk indexes; overwritten
     * @throws IllegalArgumentException for a wrong number of buffers, unequal or unaligned lengths, heap buffers, or
     *     read-only parity
     */
    void encode(ByteBuffer[] data, ByteBuffer[] parity);

    /**
     * The cheapest way to compute the lost chunks from the available ones: fewest bytes, then fewest chunks, then the
     * lowest indexes. The same question always has the same answer.
     *
     * @param lost the chunks to compute; may be any data or parity chunks
     * @param available the chunks that may be read; chunks in neither set are left alone
     * @return a plan, or {@link Unrecoverable} when the available chunks do not determine the lost ones
     * @throws IllegalArgumentException for an index that is no chunk of this code, or a chunk both lost and available
     */
    RepairPlanning plan(ChunkSet lost, ChunkSet available);

    /**
     * Computes the cells of the lost chunks of a plan.
     *
     * @param plan a plan of a code with the same {@link #spec()}
     * @param reads for each chunk index in {@code plan.reads()} the sub-chunks the plan asks for, one behind the other
     *     in the plan's order ({@code plan.bytesRead(index, cellBytes)} bytes); with one sub-chunk this is the whole
     *     cell
     * @param outputs for each chunk index in {@code plan.lost()} a whole cell; overwritten
     * @throws IllegalArgumentException if the keys are not exactly the plan's, for unequal or unaligned lengths, heap
     *     buffers, or read-only outputs
     */
    void repair(RepairPlan plan, Map<Integer, ByteBuffer> reads, Map<Integer, ByteBuffer> outputs);

    /**
     * Brings the parity of a stripe up to date with a change in one data cell.
     *
     * @param index the data chunk that changes, in {@code [0, k)}
     * @param delta old cell XOR new cell
     * @param parity all m parity cells in the order of their chunk indexes; changed in place
     */
    void update(int index, ByteBuffer delta, ByteBuffer[] parity);
}
