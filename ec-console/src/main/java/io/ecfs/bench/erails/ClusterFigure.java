package io.ecfs.bench.erails;

import io.ecfs.bench.bed.cluster.ClusterSetting;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.NamingMedia;
import io.ecfs.bench.bed.erails.SlowerMedia;
import io.ecfs.bench.bed.erails.cluster.RingClusterBed;
import io.ecfs.bench.bed.erails.cluster.RingMeasurement;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Report;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Figures 9 and 10 on a real cluster whose devices alone are a model, beside the simulated bed with the same ones. */
public final class ClusterFigure {
    private static final double WITHIN = 0.1;
    private static final int OBJECTS = 600;
    private static final int QUICK_OBJECTS = 200;
    private static final int LEAST_DEPTH = 8;
    private static final int USUAL_SLOWER = 8;

    private final ErailsSetting setting;
    private final ClusterSetting cluster;
    private final Environment environment;

    /** @throws IllegalArgumentException for a setting that only the model knows */
    public ClusterFigure(ErailsSetting given, ClusterSetting cluster, Environment environment) {
        DaemonRuns.requireReal(given);
        this.setting = given.with(new SlowerMedia(given.media(), cluster.slower()));
        this.cluster = cluster;
        this.environment = environment;
    }

    /** @throws IllegalArgumentException for one that exists only in the model */
    public static void require(ErailsShown shown) {
        DaemonRuns.requireReal(shown);
    }

    public Report report(ErailsShown shown, Readiness.Progress starting, Consumer<String> doing) throws IOException {
        require(shown);
        DaemonRuns runs =
                new DaemonRuns(setting, shown, new DaemonRuns.Bounds(readDepth(), Load.ENDLESS, Load.ENDLESS));
        RingClusterBed bed = new RingClusterBed(cluster, environment, starting, doing, Optional.empty());
        RingClusterBed.Measured measured = bed.run(runs.runs(setting.quick() ? QUICK_OBJECTS : OBJECTS));
        doing.accept("simulates");
        ErailsSetting naming = runs.setting()
                .with(new NamingMedia(setting.media(), measured.ring().metadata()));
        return report(
                shown,
                measured,
                Separation.run(runs.setting(), runs.code(), runs.load()),
                Separation.run(naming, runs.code(), runs.load()),
                runs);
    }

    /** Queues are as long in time whatever the rates, since guards are. */
    private int readDepth() {
        return Math.max(LEAST_DEPTH, Math.min(RingPlans.DEPTH, RingPlans.DEPTH * USUAL_SLOWER / cluster.slower()));
    }

    private Report report(
            ErailsShown shown, RingClusterBed.Measured measured, Separation plain, Separation sim, DaemonRuns runs) {
        FigureRows rows = SeparationRows.of(shown, "cluster", setting, Map.of("slower", cluster.slower()));
        RingMeasurement ring = measured.ring();
        RingMeasurement alone = measured.alone();
        RingMeasurement mixed = measured.mixed();
        double readers = Math.min(alone.readRate(), plain.rates().reads());
        double reads = ring.readRate() / readers;
        double writes = ring.writeRate() / plain.writeBound();
        double p99 = ring.readNanos().p99() / alone.readNanos().p99();
        compared(rows, SeparationRows.readShare(reads, false), sim.readShare());
        compared(rows, SeparationRows.writeShare(writes, false), sim.ring().writeRate() / plain.writeBound());
        compared(rows, SeparationRows.p99(p99, false), sim.p99Ratio());
        rate(rows, "reads", ring.readRate(), sim.ring().readRate());
        rate(rows, "reads alone", alone.readRate(), sim.readOnly().readRate());
        rate(rows, "writes", ring.writeRate(), sim.ring().writeRate());
        rows.add(SeparationRows.metadata(ring.metadata())
                .note("simulated writes take as much; without, " + Cells.number(plain.writeShare(), 3)));
        DipRow.of(ring.atTurns(), runs.load().objectBytes(), readers)
                .ifPresent(dip -> rows.add(dip.with("simulated", sim.leastAtTurns())
                        .note(dip.note() + ", simulated " + Cells.number(sim.leastAtTurns(), 3))));
        rows.add(beside(SeparationRows.mixedReadShare(mixed.readRate() / readers), sim.mixedReadShare()));
        rows.add(beside(
                SeparationRows.mixedP99(
                        mixed.readNanos().p99() / alone.readNanos().p99()),
                sim.mixedP99Ratio()));
        rate(rows, "without ring: writes", mixed.writeRate(), sim.mixed().writeRate());
        rows.note("Reads alone also use volumes that have nothing to write; they count as much as readers can read.");
        rows.note("Device " + setting.media().word() + ": reads "
                + Cells.ratio(sim.plan().interference()) + " as slow beside writes; " + runs.note(ring));
        return rows.report();
    }

    /** Ours on the cluster, and its difference from the simulated bed. */
    private static void compared(FigureRows rows, FigureRow row, double simulated) {
        rows.add(beside(row, simulated));
        rows.add(FigureRow.ratio("  by the simulated bed", row.ours() / simulated)
                .with("of", row.name())
                .atLeast(1 - WITHIN)
                .atMost(1 + WITHIN));
    }

    private static void rate(FigureRows rows, String quantity, double ours, double simulated) {
        rows.add(beside(FigureRow.rate(quantity, ours), simulated / FigureRow.MEBI));
    }

    private static FigureRow beside(FigureRow row, double simulated) {
        return row.with("simulated", simulated).note("simulated " + Cells.number(simulated, 3));
    }
}
