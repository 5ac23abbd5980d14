package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.kernel.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Construction of one code: the reads of its repairs, and the schedules of all its operations. Immutable, pure, and
 * slow: callers cache the results.
 */
interface Construction {
    /**
     * The cheapest reads from which the lost chunks can be computed: fewest bytes, then fewest chunks, then the lowest
     * indexes.
     *
     * @param lost at least one chunk
     * @return by chunk index; empty when the available chunks do not determine the lost ones
     */
    Optional<Map<Integer, List<SubChunkRange>>> reads(ChunkSet lost, ChunkSet available);

    /** Inputs: k cells of alpha regions. Outputs: m such cells. */
    Schedule encode();

    /** Inputs: what the plan reads of each source, ascending by chunk. Outputs: the lost cells, ascending by chunk. */
    Schedule repair(RepairPlan plan);

    /** Input: the change of one data cell. Outputs: the m parity cells, which are changed. */
    Schedule update(int index);
}
