package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The best plan by looking at all of them: the oracle of small instances. */
public final class ExhaustivePlanner implements JointPlanner {
    @Override
    public Optional<JointPlan> plan(List<BlockNeed> blocks, SiteCosts costs) {
        List<List<ChunkSet>> ways = new ArrayList<>();
        for (BlockNeed block : blocks) {
            List<ChunkSet> some = new ArrayList<>();
            int count = block.candidates().size();
            for (int mask = 1; mask < 1 << count; mask++) {
                ChunkSet chunks = ChunkSet.empty();
                for (int c = 0; c < count; c++) {
                    if ((mask >> c & 1) == 1) {
                        chunks = chunks.with(block.candidates().get(c).index());
                    }
                }
                if (chunks.size() <= Math.max(block.least(), block.direct().size()) && block.satisfiedBy(chunks)) {
                    some.add(chunks);
                }
            }
            ways.add(some);
        }
        return best(blocks, ways, new ArrayList<>(), costs);
    }

    private static Optional<JointPlan> best(
            List<BlockNeed> blocks, List<List<ChunkSet>> ways, List<ChunkSet> chosen, SiteCosts costs) {
        if (chosen.size() == blocks.size()) {
            return Optional.of(new JointPlan(chosen, AccessCost.of(blocks, chosen, costs)));
        }
        Optional<JointPlan> best = Optional.empty();
        for (ChunkSet way : ways.get(chosen.size())) {
            chosen.add(way);
            Optional<JointPlan> plan = best(blocks, ways, chosen, costs);
            chosen.remove(chosen.size() - 1);
            if (plan.isPresent()
                    && (best.isEmpty() || plan.get().cost() < best.get().cost())) {
                best = plan;
            }
        }
        return best;
    }
}
