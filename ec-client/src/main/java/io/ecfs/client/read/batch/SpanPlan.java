package io.ecfs.client.read.batch;

import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.read.batch.WantedRanges.Piece;
import io.ecfs.code.ChunkSet;
import java.util.Optional;

/**
 * A span of a joint read, and what is planned for it.
 *
 * @param block to the planner; empty for a span that is read as it is
 * @param chosen chunks of the plan; empty when there is none
 * @param spares chunks to ask beyond those
 * @param trace of what becomes of the chunks, for those who want to know
 */
record SpanPlan(
        Piece piece, Optional<ReadPlans.Block> block, Optional<ChunkSet> chosen, ChunkSet spares, SpanTrace trace) {
    /** Nothing is planned. */
    static SpanPlan none(Piece piece) {
        return new SpanPlan(piece, Optional.empty(), Optional.empty(), ChunkSet.empty(), new SpanTrace());
    }
}
