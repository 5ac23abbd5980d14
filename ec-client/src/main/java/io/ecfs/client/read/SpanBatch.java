package io.ecfs.client.read;

import io.ecfs.client.access.CostSnapshot;
import io.ecfs.client.access.ReadPlans;
import java.util.List;
import java.util.Optional;

/**
 * Spans of a joint read that are planned together.
 *
 * @param planned the plan of all blocks; empty when there is none
 * @param costs of the moment
 */
record SpanBatch(List<SpanPlan> spans, Optional<ReadPlans.Planned> planned, CostSnapshot costs) {
    List<ReadPlans.Block> planBlocks() {
        return spans.stream().flatMap(span -> span.block().stream()).toList();
    }
}
