package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.exstorus.Report;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.HtmlPage;
import io.ecfs.code.CodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures 9 and 10: three reads for each write, with the ring and without. */
final class SeparationFigure {
    static final double LEAST_READ_SHARE = 0.99;
    static final double LEAST_WRITE_SHARE = 0.95;
    static final double MOST_P99 = 1.05;

    static final double MEBI = 1 << 20;
    private static final double MOST_P999 = 1.2;
    private static final double NO_DIP = 0.97;
    private static final double READS_PER_WRITE = 3;
    /** Of the paper's requests: enough for a few turns of two seconds. */
    private static final int QUICK_PART = 5;

    private static final int POINTS = 400;
    private static final long MOST_NANOS = Duration.ofHours(3).toNanos();
    private static final int WARM_ROTATIONS = 3;

    private final ErailsShown shown;
    private final int k;
    private final long requests;
    private final double paperRate;
    private final double paperReadOnly;

    private SeparationFigure(ErailsShown shown, int k, long requests, double paperRate, double paperReadOnly) {
        this.shown = shown;
        this.k = k;
        this.requests = requests;
        this.paperRate = paperRate;
        this.paperReadOnly = paperReadOnly;
    }

    static Report fig9(ErailsSetting setting) {
        return new SeparationFigure(ErailsShown.FIG9, 3, 500_000, 800, 820).report(setting);
    }

    static Report fig10(ErailsSetting setting) {
        return new SeparationFigure(ErailsShown.FIG10, 5, 300_000, 1300, 1360).report(setting);
    }

    private Report report(ErailsSetting setting) {
        CodeSpec code = RingPlans.code(k, k);
        Load load = load(setting, code);
        Separation runs = Separation.run(setting, code, load);
        boolean held = setting.mix() == Load.Mix.COMPLETED;
        FigureRows rows = new FigureRows(
                shown,
                Map.of("bed", "sim", "k", k, "m", k, "mix", setting.mix().name().toLowerCase(Locale.ROOT)));
        double most = runs.mostReadShare();
        FigureRow share = FigureRow.ratio("reads beside writes, by reads alone", runs.readShare())
                .named("erails_read_share")
                .limit(most)
                .atLeast((held ? LEAST_WRITE_SHARE : LEAST_READ_SHARE) * most);
        rows.add(held ? share.note("held at three reads a write: writes bound reads") : share.paper(paperShare()));
        rows.add(FigureRow.ratio("p99 of reads, by reads alone", runs.p99Ratio())
                .named("erails_read_p99_ratio")
                .limit(1)
                .atMost(MOST_P99));
        rows.add(FigureRow.ratio("p99.9 of reads, by reads alone", runs.p999Ratio())
                .limit(1)
                .atMost(MOST_P999));
        DipRow.of(runs.ring().atTurns(), load.objectBytes(), runs.readOnly().readRate())
                .ifPresent(dip -> rows.add(held ? dip : dip.limit(1).atLeast(NO_DIP)));
        rows.add(FigureRow.ratio("writes, by the bound less 2g/(w_r T)", runs.writeShare())
                .named("erails_write_share")
                .limit(1 / RingPlans.unguarded(runs.plan()))
                .atLeast(LEAST_WRITE_SHARE)
                .note("reads before a turn are drained in less than g"));
        FigureRow rate = FigureRow.of("reads", "MB/s", runs.ring().readRate() / MEBI)
                .limit(runs.rates().reads() / MEBI);
        rows.add(held ? rate : rate.paper(paperRate));
        rows.add(FigureRow.of("reads alone", "MB/s", runs.readOnly().readRate() / MEBI)
                .paper(paperReadOnly)
                .limit(runs.rates().reads() / MEBI));
        rows.add(FigureRow.of("writes", "MB/s", runs.ring().writeRate() / MEBI)
                .limit(runs.rates().writes() / MEBI));
        rows.add(FigureRow.ratio(
                "without ring: reads beside writes, by reads alone on half the volumes", runs.mixedReadShare()));
        rows.add(FigureRow.ratio("without ring: p99 of reads", runs.mixedP99Ratio()));
        rows.add(FigureRow.ratio("without ring: p99.9 of reads", runs.mixedP999Ratio()));
        rows.add(FigureRow.of("without ring: writes", "MB/s", runs.mixed().writeRate() / MEBI));
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
                + Cells.number(runs.ring().mostStaged() / MEBI)
                + " MiB of a volume staged at most, of "
                + Cells.number(runs.plan().journalBytes() / MEBI)
                + "; late windows " + runs.ring().late() + ", spilled "
                + Cells.number(runs.ring().spilledBytes() / MEBI) + " MiB; data chunks computed "
                + Cells.number(runs.ring().decoded()) + ", cores busy "
                + Math.round(100 * runs.ring().cpuShare()) + " %; run of "
                + Cells.number(runs.ring().seconds()) + " s.";
    }

    private static void curves(FigureRows rows, String config, RingOutcome outcome) {
        double scale = ErailsSetting.REQUEST_BYTES / MEBI;
        rows.curve(
                "erails_reads",
                "MB/s",
                outcome.readRate() / MEBI,
                Map.of(
                        "config",
                        config,
                        HtmlPage.RATE_OVER_TIME,
                        scaled(outcome.reads().points(POINTS), scale)));
        rows.curve(
                "erails_writes",
                "MB/s",
                outcome.writeRate() / MEBI,
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
        long reads = Math.round(requests * READS_PER_WRITE / (1 + READS_PER_WRITE)) / part;
        Load open = new Load(
                RingPlans.objectBytes(setting, code),
                reads,
                Math.round(reads / READS_PER_WRITE),
                READS_PER_WRITE,
                Load.Mix.DISPATCH,
                RingPlans.DEPTH,
                RingPlans.DEPTH,
                MOST_NANOS,
                0);
        if (setting.mix() == Load.Mix.DISPATCH) {
            return open;
        }
        return held(setting, code, READS_PER_WRITE, open.objectBytes());
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
