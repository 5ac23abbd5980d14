package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.Medium;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.RingRates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One thing changed at a time, k = m = 3, as many reads and writes as the volumes bear. */
final class SweepFigure {
    private static final int K = 3;
    private static final int ROTATIONS = 2;

    private final ErailsSetting setting;
    private final CodeSpec code = RingPlans.code(K, K);
    private final FigureRows rows = new FigureRows(ErailsShown.SWEEP, Map.of("bed", "sim", "k", K, "m", K));
    private final List<List<String>> cells = new ArrayList<>();

    private SweepFigure(ErailsSetting setting) {
        this.setting = setting;
    }

    static Report of(ErailsSetting setting) {
        return new SweepFigure(setting).report();
    }

    private Report report() {
        for (double times : List.of(1.5, 2.0, 4.0, 7.0, 10.0)) {
            run("interference " + Cells.ratio(times), setting.withInterference(times), true);
        }
        for (int seconds : setting.quick() ? List.of(1, 5) : List.of(1, 2, 5, 10, 30, 60)) {
            run("T " + seconds + " s", setting.withTurn(Duration.ofSeconds(seconds)), true);
        }
        for (int writers = 1; writers <= K; writers++) {
            run(writers + " writers", setting.withWriters(writers), true);
        }
        for (Medium medium : Medium.values()) {
            run("medium " + medium.word(), setting.with(medium), true);
        }
        for (double part : List.of(0.5, 0.75, 1.0, 2.0)) {
            run("journal " + Cells.number(part) + " WT", setting.withJournal(Math.round(part * staged())), part >= 2);
        }
        run("a volume failed, 3 writers", setting.withFailed(1), false);
        run("a volume failed, 2 writers", setting.withFailed(1).withWriters(2), true);
        for (int millis : List.of(100, 200, 500)) {
            run("skew " + millis + " ms", setting.withSkew(Duration.ofMillis(millis)), millis < 250);
        }
        Report judged = rows.report();
        Table table = new Table(
                ErailsShown.SWEEP.word() + ": " + ErailsShown.SWEEP.title(),
                List.of(
                        "SETTING",
                        "READS",
                        "P99",
                        "P99.9",
                        "AT TURNS",
                        "WRITES",
                        "SPILLED MiB",
                        "LATE",
                        "NO RING: READS",
                        "P99",
                        "WRITES",
                        "TARGET"),
                cells);
        List<Figure> figures = judged.figures();
        return new Report(
                List.of(table),
                List.of("READS, P99, P99.9 and AT TURNS by those of reads alone on the readers; WRITES by the bound"
                        + " less 2g/(w_r T), or by a third of the reads where fewer are dispatched."
                        + " Targets: reads >= 0.99 and p99 <= 1.05 of reads alone, writes >= 0.95."),
                figures);
    }

    /** Most bytes of a volume that are staged at the bound of writes. */
    private double staged() {
        RingRates rates = RingPlans.rates(setting, code, objectBytes(), code.chunks());
        return rates.mostStaged(
                rates.writes(), RingPlans.turn(setting, code, objectBytes()).toNanos() / 1e9);
    }

    private void run(String what, ErailsSetting changed, boolean judged) {
        long rotation = RingPlans.rotationNanos(changed, code, objectBytes());
        Separation runs = Separation.run(changed, code, load(ROTATIONS * rotation, rotation));
        List<FigureRow> three = List.of(
                SeparationRows.readShare(runs.readShare(), judged).limit(1),
                SeparationRows.p99(runs.p99Ratio(), judged).limit(1),
                SeparationRows.writeShare(runs.writeShare(), judged).limit(1 / RingPlans.unguarded(runs.plan())));
        three.forEach(row -> rows.add(row.with("config", what)));
        boolean met = three.stream().allMatch(FigureRow::met);
        cells.add(List.of(
                what,
                Cells.number(runs.readShare(), 4),
                Cells.number(runs.p99Ratio(), 2),
                Cells.number(runs.p999Ratio(), 2),
                Cells.number(runs.leastAtTurns(), 3),
                Cells.number(runs.writeShare(), 3),
                Cells.number(runs.ring().spilledBytes() / (double) (1 << 20)),
                String.valueOf(runs.ring().late()),
                Cells.number(runs.mixedReadShare(), 3),
                Cells.number(runs.mixedP99Ratio(), 1),
                Cells.number(runs.mixed().writeRate() / runs.writeBound(), 3),
                !judged ? "" : met ? "met" : "SHORT"));
    }

    private long objectBytes() {
        return RingPlans.objectBytes(setting, code);
    }

    private Load load(long mostNanos, long warmNanos) {
        return new Load(
                objectBytes(),
                Load.ENDLESS,
                Load.ENDLESS,
                RingPlans.READS_PER_WRITE,
                Load.Mix.DISPATCH,
                RingPlans.DEPTH,
                RingPlans.DEPTH,
                mostNanos,
                warmNanos);
    }
}
