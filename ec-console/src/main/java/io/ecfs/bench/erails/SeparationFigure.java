package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.HtmlPage;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Figures 9 and 10: three reads for each write, with the ring and without. */
final class SeparationFigure {
    private static final double MOST_P999 = 1.2;
    private static final double NO_DIP = 0.97;
    /** Of the paper's requests: enough for a few turns of two seconds. */
    private static final int QUICK_PART = 5;

    private static final int POINTS = 400;
    private static final long MOST_NANOS = Duration.ofHours(3).toNanos();
    private static final int WARM_ROTATIONS = 3;

    private final ErailsShown shown;
    private final long requests;
    private final double paperRate;
    private final double paperReadOnly;

    private SeparationFigure(ErailsShown shown, long requests, double paperRate, double paperReadOnly) {
        this.shown = shown;
        this.requests = requests;
        this.paperRate = paperRate;
        this.paperReadOnly = paperReadOnly;
    }

    static Report fig9(ErailsSetting setting) {
        return new SeparationFigure(ErailsShown.FIG9, 500_000, 800, 820).report(setting);
    }

    static Report fig10(ErailsSetting setting) {
        return new SeparationFigure(ErailsShown.FIG10, 300_000, 1300, 1360).report(setting);
    }

    private Report report(ErailsSetting setting) {
        CodeSpec code = RingPlans.code(shown.clusterWidth(), shown.clusterWidth());
        Load load = load(setting, code);
        Separation runs = Separation.run(setting, code, load);
        boolean held = setting.mix() == Load.Mix.COMPLETED;
        FigureRows rows = SeparationRows.of(shown, "sim", setting, Map.of());
        double most = runs.mostReadShare();
        FigureRow share = SeparationRows.readShare(runs.readShare(), false)
                .limit(most)
                .atLeast((held ? SeparationRows.LEAST_WRITE_SHARE : SeparationRows.LEAST_READ_SHARE) * most);
        rows.add(held ? share.note("held at three reads a write: writes bound reads") : share.paper(paperShare()));
        rows.add(SeparationRows.p99(runs.p99Ratio(), true).limit(1));
        rows.add(FigureRow.ratio("p99.9 of reads, by reads alone", runs.p999Ratio())
                .limit(1)
                .atMost(MOST_P999));
        DipRow.of(runs.ring().atTurns(), load.objectBytes(), runs.readOnly().readRate())
                .ifPresent(dip -> rows.add(held ? dip : dip.limit(1).atLeast(NO_DIP)));
        rows.add(SeparationRows.writeShare(runs.writeShare(), true)
                .limit(1 / RingPlans.unguarded(runs.plan()))
                .note("reads before a turn are drained in less than g"));
        FigureRow rate = FigureRow.rate("reads", runs.ring().readRate())
                .limit(runs.rates().reads() / FigureRow.MEBI);
        rows.add(held ? rate : rate.paper(paperRate));
        rows.add(FigureRow.rate("reads alone", runs.readOnly().readRate())
                .paper(paperReadOnly)
                .limit(runs.rates().reads() / FigureRow.MEBI));
        rows.add(FigureRow.rate("writes", runs.ring().writeRate())
                .limit(runs.rates().writes() / FigureRow.MEBI));
        rows.add(FigureRow.ratio(
                "without ring: reads beside writes, by reads alone on half the volumes", runs.mixedReadShare()));
        rows.add(SeparationRows.mixedP99(runs.mixedP99Ratio()));
        rows.add(FigureRow.ratio("without ring: p99.9 of reads", runs.mixedP999Ratio()));
        rows.add(FigureRow.rate("without ring: writes", runs.mixed().writeRate()));
        curves(rows, "ring", runs.ring());
        curves(rows, "without ring", runs.mixed());
        rows.note(note(setting, runs));
        return rows.report();
    }

    private double paperShare() {
        return paperRate / paperReadOnly;
    }

    private String note(ErailsSetting setting, Separation runs) {
        return "Device " + setting.media().word() + ": reads "
                + Cells.ratio(runs.plan().interference())
                + " as slow beside writes; T " + runs.plan().turn().toMillis() + " ms, guard "
                + runs.plan().guard().toMillis() + " ms; "
                + Cells.number(runs.ring().mostStaged() / FigureRow.MEBI)
                + " MiB of a volume staged at most, of "
                + Cells.number(runs.plan().journalBytes() / FigureRow.MEBI)
                + "; late windows " + runs.ring().late() + ", spilled "
                + Cells.number(runs.ring().spilledBytes() / FigureRow.MEBI) + " MiB; data chunks computed "
                + Cells.number(runs.ring().decoded()) + ", cores busy "
                + Math.round(100 * runs.ring().cpuShare()) + " %; run of "
                + Cells.number(runs.ring().seconds()) + " s.";
    }

    private static void curves(FigureRows rows, String config, RingOutcome outcome) {
        double scale = ErailsSetting.REQUEST_BYTES / FigureRow.MEBI;
        rows.curve(
                "erails_reads",
                "MB/s",
                outcome.readRate() / FigureRow.MEBI,
                Map.of(
                        "config",
                        config,
                        HtmlPage.RATE_OVER_TIME,
                        scaled(outcome.reads().points(POINTS), scale)));
        rows.curve(
                "erails_writes",
                "MB/s",
                outcome.writeRate() / FigureRow.MEBI,
                Map.of(
                        "config",
                        config,
                        HtmlPage.RATE_OVER_TIME,
                        scaled(outcome.writes().points(POINTS), scale)));
    }

    private static List<List<Double>> scaled(List<List<Double>> points, double scale) {
        return points.stream()
                .map(point -> List.of(point.get(0), point.get(1) * scale))
                .toList();
    }

    /** Open: as many as the paper's. Held: until journals are as full as they get, then for two rotations. */
    private Load load(ErailsSetting setting, CodeSpec code) {
        long part = setting.quick() ? QUICK_PART : 1;
        long reads = Math.round(requests * RingPlans.READS_PER_WRITE / (1 + RingPlans.READS_PER_WRITE)) / part;
        Load open = new Load(
                RingPlans.objectBytes(setting, code),
                reads,
                Math.round(reads / RingPlans.READS_PER_WRITE),
                RingPlans.READS_PER_WRITE,
                Load.Mix.DISPATCH,
                RingPlans.DEPTH,
                RingPlans.DEPTH,
                MOST_NANOS,
                0);
        if (setting.mix() == Load.Mix.DISPATCH) {
            return open;
        }
        return held(setting, code, RingPlans.READS_PER_WRITE, open.objectBytes());
    }

    /** Endless requests of which the proportion is held. */
    static Load held(ErailsSetting setting, CodeSpec code, double readsPerWrite, long objectBytes) {
        long rotation = RingPlans.rotationNanos(setting, code, objectBytes);
        return new Load(
                objectBytes,
                Load.ENDLESS,
                Load.ENDLESS,
                readsPerWrite,
                Load.Mix.COMPLETED,
                2 * RingPlans.DEPTH,
                2 * RingPlans.DEPTH,
                (WARM_ROTATIONS + 2) * rotation,
                WARM_ROTATIONS * rotation);
    }
}
