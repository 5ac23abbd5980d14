package io.ecfs.client.solver;

import io.ecfs.plan.JointPlanner;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Factory of exact planners. */
public final class ExactPlanner {
    private static final Logger LOG = LoggerFactory.getLogger(ExactPlanner.class);

    private ExactPlanner() {}

    /**
     * Loads the solver, which takes most of a second the first time. Where there is none, the planner that is returned
     * finds no plan, and the log says so.
     *
     * @param timeLimit of one plan; the best that was found by then counts
     * @return for one thread at a time
     */
    public static JointPlanner open(Duration timeLimit) {
        try {
            JointPlanner planner = ScipPlanner.load(timeLimit);
            LOG.info("event=exact_planner_ready solver=SCIP limitMillis={}", timeLimit.toMillis());
            return planner;
        } catch (LinkageError | RuntimeException e) {
            // Absent, built for another machine, or no place for its library: all mean that there is none here.
            LOG.info(
                    "event=exact_planner_absent planner=greedy reason=\"{}\" hint=\"ortools-java and"
                            + " ortools-linux-x86-64 on the class path give exact plans\"",
                    e.toString().lines().findFirst().orElse(""));
            return (blocks, costs) -> Optional.empty();
        }
    }
}
