package io.ecfs.plan;

import java.util.List;
import java.util.Optional;

/** Chooses chunks for several blocks together. */
@FunctionalInterface
public interface JointPlanner {
    /**
     * @return empty when some block has too few candidates, and only then; or when the planner gives up, if it says
     *     that it may
     */
    Optional<JointPlan> plan(List<BlockNeed> blocks, SiteCosts costs);
}
