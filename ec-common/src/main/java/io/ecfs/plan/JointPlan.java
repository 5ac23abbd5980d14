package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.List;

/**
 * The chunks to read for each block of a request.
 *
 * @param chunks for each block, in the order of the request
 * @param cost by {@link AccessCost}
 */
public record JointPlan(List<ChunkSet> chunks, double cost) {
    public JointPlan {
        chunks = List.copyOf(chunks);
        if (!(cost >= 0)) {
            throw new IllegalArgumentException("a plan that costs " + cost);
        }
    }
}
