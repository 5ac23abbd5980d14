package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.exstorus.BedRuns;
import io.ecfs.bench.report.Report;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs a plan on one cluster: one report after the other. */
public final class RealBed {
    private final RealPlan plan;
    private final Environment environment;

    public RealBed(RealPlan plan, Environment environment) {
        this.plan = plan;
        this.environment = environment;
    }

    /**
     * Measures and reports.
     *
     * @param rows file for measured writes to calibrate constants with
     * @param setting of the run, in one line
     * @param reports gets each report as soon as it is there
     * @param doing gets what is measured next
     */
    public void run(
            List<RealShown> shown,
            Optional<Path> rows,
            String setting,
            Consumer<Report> reports,
            Consumer<String> doing,
            Readiness.Progress starting)
            throws IOException {
        boolean wide = rows.isPresent() || shown.contains(RealShown.HELDOUT);
        int datanodes = wide ? Mixes.datanodes() : BedRuns.DATA + BedRuns.PARITY;
        try (WriteCluster cluster = WriteCluster.start(plan, datanodes, environment, starting)) {
            RealRuns runs = new RealRuns(plan, cluster, doing);
            if (rows.isPresent()) {
                reports.accept(new SampleRows(plan, runs).write(rows.get(), setting));
            }
            for (RealShown one : shown) {
                reports.accept(
                        switch (one) {
                            case STEPS -> new StepReport(plan, runs).report();
                            case AUTO -> new AutoReport(plan, runs).report();
                            case HELDOUT -> new HeldOutReport(plan, runs).report();
                            case THIN -> new ThinReport(plan, runs).report();
                        });
            }
        }
    }
}
