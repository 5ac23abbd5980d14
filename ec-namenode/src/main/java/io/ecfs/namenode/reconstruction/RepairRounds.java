package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.state.MetadataView;
import java.util.function.Consumer;

/**
 * Rounds of planning, on the leader: {@link RepairPlanner} begins repairs of lost chunks, and when none of those waits
 * for its turn, moves are begun. {@link RepairService} executes both. Owner thread: the namenode's event thread.
 */
public final class RepairRounds {
    private final NamenodeContext context;
    private final HealthSurvey survey;
    private final RepairService repairs;
    private final RepairPlanner planner;
    private final Consumer<MetadataView> moves;

    /** @param moves begins moves where there is room for them */
    public RepairRounds(
            NamenodeContext context,
            ClusterView cluster,
            HealthSurvey survey,
            EventRecorder recorder,
            RepairService repairs,
            Consumer<MetadataView> moves) {
        this.context = context;
        this.survey = survey;
        this.repairs = repairs;
        this.planner = new RepairPlanner(context, cluster, survey, recorder, repairs);
        this.moves = moves;
    }

    public void tick() {
        if (!survey.firstPassDone()) {
            return;
        }
        try (MetadataView view = context.facts().get()) {
            repairs.tick(view);
            if (context.throttles(view).off()) {
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
        try (MetadataView view = context.facts().get()) {
            if (context.throttles(view).atOnce() > repairs.running()) {
                plan(view);
            }
        }
    }

    private void plan(MetadataView view) {
        if (planner.plan(view)) {
            moves.accept(view);
        }
    }
}
