package io.ecfs.bench.erails;

import io.ecfs.bench.bed.cluster.ClusterSetting;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.NamingMedia;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.SlowerMedia;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.bench.bed.erails.cluster.RingClusterBed;
import io.ecfs.bench.bed.erails.cluster.RingMeasurement;
import io.ecfs.bench.exstorus.Report;
import io.ecfs.bench.exstorus.Words;
import io.ecfs.bench.report.Cells;
import io.ecfs.code.CodeSpec;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Figures 9 and 10 on a real cluster whose devices alone are a model, beside the simulated bed with the same ones. */
public final class ClusterFigure {
    private static final double READS_PER_WRITE = 3;
    private static final double WITHIN = 0.1;
    /** Least size of a datanode's journal of a volume. */
    private static final long LEAST_JOURNAL = 256L << 20;

    private static final int OBJECTS = 600;
    private static final int QUICK_OBJECTS = 200;
    private static final int LEAST_DEPTH = 8;
    private static final int USUAL_SLOWER = 8;
    private static final double SECOND = 1e9;

    private final ErailsSetting setting;
    private final ClusterSetting cluster;
    private final Environment environment;

    /** @throws IllegalArgumentException for a setting that only the model knows */
    public ClusterFigure(ErailsSetting given, ClusterSetting cluster, Environment environment) {
        if (given.failed() > 0
                || !given.skew().isZero()
                || given.alwaysDecodes()
                || given.guard().isPresent()) {
            throw new IllegalArgumentException(
                    "--failed, --skew, --guard and --always-decode are of --bed sim alone: leave them out");
        }
        this.setting = given.with(new SlowerMedia(given.media(), cluster.slower()));
        this.cluster = cluster;
        this.environment = environment;
    }

    /** @throws IllegalArgumentException for one that exists only in the model */
    public static void require(ErailsShown shown) {
        if (shown.clusterWidth() == 0) {
            throw new IllegalArgumentException(
                    shown.word() + " is of --bed sim alone: with --bed cluster there are fig9 and fig10");
        }
    }

    /** Times of a run, in turns. */
    private record Turns(double warm, double measured) {}

    public Report report(ErailsShown shown, Readiness.Progress starting, Consumer<String> doing) throws IOException {
        require(shown);
        int k = shown.clusterWidth();
        CodeSpec code = RingPlans.code(k, k);
        ErailsSetting journalled = setting.withJournal(Math.max(LEAST_JOURNAL, journal(code)));
        int rotations = setting.quick() ? 1 : 2;
        Load ring = load(code, new Turns(setting.quick() ? 1 : code.chunks(), rotations * code.chunks()));
        Load shorter = load(code, setting.quick() ? new Turns(0.5, 2) : new Turns(1, 3));
        RingPlan plan = RingPlans.array(journalled, code, ring, Windows.FIXED);
        RingClusterBed bed = new RingClusterBed(cluster, environment, starting, doing);
        RingClusterBed.Measured measured = bed.run(new RingClusterBed.Runs(
                Policy.parse("rs-van-" + k + "-" + k + "-64k"),
                plan,
                plan.with(shorter.readOnly()),
                plan.with(shorter),
                setting.quick() ? QUICK_OBJECTS : OBJECTS));
        doing.accept("simulates");
        ErailsSetting naming =
                journalled.with(new NamingMedia(setting.media(), measured.ring().metadata()));
        return report(shown, measured, Separation.run(journalled, code, ring), Separation.run(naming, code, ring));
    }

    private long journal(CodeSpec code) {
        return RingPlans.array(setting, code, load(code, new Turns(0, 1)), Windows.FIXED)
                .journalBytes();
    }

    private Load load(CodeSpec code, Turns turns) {
        long objectBytes = RingPlans.objectBytes(setting, code);
        Load any = new Load(objectBytes, 1, 1, READS_PER_WRITE, setting.mix(), readDepth(), writeDepth(), 1, 0);
        double turn = setting.turn(RingPlans.device(setting, any, code)).toNanos();
        return new Load(
                objectBytes,
                Long.MAX_VALUE / 2,
                Long.MAX_VALUE / 2,
                READS_PER_WRITE,
                setting.mix(),
                readDepth(),
                writeDepth(),
                Math.round((turns.warm + turns.measured) * turn),
                Math.round(turns.warm * turn));
    }

    /** Queues are as long in time whatever the rates, since guards are. */
    private int readDepth() {
        return Math.max(LEAST_DEPTH, Math.min(RingPlans.DEPTH, RingPlans.DEPTH * USUAL_SLOWER / cluster.slower()));
    }

    private int writeDepth() {
        return readDepth() / 2;
    }

    private Report report(ErailsShown shown, RingClusterBed.Measured measured, Separation plain, Separation sim) {
        int k = shown.clusterWidth();
        FigureRows rows = new FigureRows(
                shown,
                Map.of(
                        "bed",
                        "cluster",
                        "k",
                        k,
                        "m",
                        k,
                        "mix",
                        setting.mix().name().toLowerCase(Locale.ROOT),
                        "slower",
                        cluster.slower()));
        RingMeasurement ring = measured.ring();
        RingMeasurement alone = measured.alone();
        RingMeasurement mixed = measured.mixed();
        double readers = Math.min(alone.readRate(), plain.rates().reads());
        double reads = ring.readRate() / readers;
        double writes = ring.writeRate() / plain.writeBound();
        double p99 = ring.readNanos().p99() / alone.readNanos().p99();
        compared(rows, "reads beside writes, by reads alone", "erails_read_share", reads, sim.readShare());
        compared(
                rows,
                "writes, by the bound less 2g/(w_r T)",
                "erails_write_share",
                writes,
                sim.ring().writeRate() / plain.writeBound());
        compared(rows, "p99 of reads, by reads alone", "erails_read_p99_ratio", p99, sim.p99Ratio());
        rate(rows, "reads", ring.readRate(), sim.ring().readRate());
        rate(rows, "reads alone", alone.readRate(), sim.readOnly().readRate());
        rate(rows, "writes", ring.writeRate(), sim.ring().writeRate());
        rows.add(FigureRow.ratio("names and short files, by bytes of chunks written", ring.metadata())
                .note("simulated writes take as much; without, " + Words.number(plain.writeShare(), 3)));
        if (Double.isFinite(ring.leastAtTurns())) {
            rows.add(beside(
                    FigureRow.ratio(
                            "slowest tenth of a second at turns, by reads alone", ring.leastAtTurns() / readers),
                    sim.leastAtTurns()));
        }
        rows.add(beside(
                FigureRow.ratio("without ring: reads beside writes, by reads alone", mixed.readRate() / readers),
                sim.mixedReadShare()));
        rows.add(beside(
                FigureRow.ratio(
                        "without ring: p99 of reads",
                        mixed.readNanos().p99() / alone.readNanos().p99()),
                sim.mixedP99Ratio()));
        rate(rows, "without ring: writes", mixed.writeRate(), sim.mixed().writeRate());
        rows.note("Reads alone also use volumes that have nothing to write; they count as much as readers can read.");
        rows.note(note(ring, sim.plan()));
        return rows.report();
    }

    /** Ours on the cluster, and its difference from the simulated bed. */
    private static void compared(FigureRows rows, String quantity, String name, double ours, double simulated) {
        rows.add(beside(FigureRow.ratio(quantity, ours).named(name), simulated));
        rows.add(FigureRow.ratio("  by the simulated bed", ours / simulated)
                .with("of", name)
                .atLeast(1 - WITHIN)
                .atMost(1 + WITHIN));
    }

    private static void rate(FigureRows rows, String quantity, double ours, double simulated) {
        rows.add(beside(
                FigureRow.of(quantity, "MB/s", ours / SeparationFigure.MEBI), simulated / SeparationFigure.MEBI));
    }

    private static FigureRow beside(FigureRow row, double simulated) {
        return row.with("simulated", simulated).note("simulated " + Words.number(simulated, 3));
    }

    private String note(RingMeasurement ring, RingPlan plan) {
        List<String> parts = List.of(
                "Device " + setting.media().word() + ": reads " + Cells.ratio(plan.interference())
                        + " as slow beside writes",
                "T " + plan.turn().toMillis() + " ms, "
                        + Cells.number((plan.load().mostNanos() - plan.load().warmNanos()) / SECOND) + " s measured",
                "accepted " + Cells.number(ring.acceptedRate() / SeparationFigure.MEBI) + " MB/s, "
                        + Cells.number(ring.staged() / SeparationFigure.MEBI) + " MiB of a volume staged at the end",
                "of the chunks read " + Cells.number(100 * ring.disturbed()) + " % beside writes",
                "spills " + (ring.spills().isEmpty() ? "none" : ring.spills()) + ", late windows " + ring.late(),
                "processors " + Math.round(ring.processorsBusy()) + " % busy");
        return String.join("; ", parts) + ".";
    }
}
