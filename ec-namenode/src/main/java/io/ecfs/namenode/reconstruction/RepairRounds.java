package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.Surroundings;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.state.MetadataView;

/**
 * What is rebuilt next, on the leader: lost chunks as {@link RepairPlanner} finds them, and when none of those waits
 * for its turn, what the {@link MovePolicy} wants elsewhere. {@link RepairService} does it. Owner thread: the
 * namenode's event thread.
 */
public final class RepairRounds {
    private final Surroundings around;
    private final HealthSurvey survey;
    private final RepairService repairs;
    private final RepairPlanner planner;
    private final MovePolicy moves;

    public RepairRounds(
            Surroundings around, HealthSurvey survey, EventRecorder recorder, RepairService repairs, MovePolicy moves) {
        this.around = around;
        this.survey = survey;
        this.repairs = repairs;
        this.planner = new RepairPlanner(around, survey, recorder, repairs);
        this.moves = moves;
    }

    public void tick() {
        if (!survey.firstPassDone()) {
            return;
        }
        try (MetadataView view = around.facts().get()) {
            repairs.tick(view);
            if (around.throttles(view).off()) {
                return;
            }
            planner.noteLost(view);
            plan(view);
        }
    }

    /** Begins repairs where there is room for them. */
    public void planMore() {
        if (!survey.firstPassDone()) {
            return;
        }
        try (MetadataView view = around.facts().get()) {
            if (around.throttles(view).atOnce() > repairs.running()) {
                plan(view);
            }
        }
    }

    private void plan(MetadataView view) {
        if (planner.plan(view)) {
            moves.plan(view, repairs);
        }
    }
}
