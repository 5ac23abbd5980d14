package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.Bed;
import io.ecfs.bench.bed.BedPlan;
import io.ecfs.bench.report.Figure;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Runs a plan on clusters: every configuration on one of its own, with the same requests. */
public final class ClusterBed {
    private final BedPlan plan;
    private final ClusterSetting setting;
    private final Environment environment;

    public ClusterBed(BedPlan plan, ClusterSetting setting, Environment environment) {
        this.plan = plan;
        this.setting = setting;
        this.environment = environment;
    }

    /** @param figures get every value as soon as it is there */
    public void run(Consumer<Figure> figures, Bed.Progress progress, Readiness.Progress starting) throws IOException {
        List<BedPlan.Run> runs = plan.runs();
        for (int i = 0; i < runs.size(); i++) {
            BedPlan.Run run = runs.get(i);
            double share = (double) i / runs.size();
            new ClusterRun(plan, run, setting, environment)
                    .figures(starting, doing -> progress.begins(share, plan.words(run) + ": " + doing))
                    .forEach(figures);
        }
    }
}
