package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingBed;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.RingRates;
import java.util.List;
import java.util.Map;

/** Writers by demand, with reads and writes held in proportion: reads beside R* = (n - qW/w) r. */
final class AdaptiveFigure {
    private static final int K = 3;
    private static final List<Integer> PERCENT = List.of(75, 90, 95, 97, 99);
    private static final double LEAST = 0.95;

    private AdaptiveFigure() {}

    static Report of(ErailsSetting setting) {
        CodeSpec code = RingPlans.code(K, K);
        FigureRows rows = new FigureRows(ErailsShown.ADAPTIVE, Map.of("bed", "sim", "k", K, "m", K));
        for (int percent : PERCENT) {
            double readsPerWrite = percent / (100.0 - percent);
            Load load = SeparationFigure.held(setting, code, readsPerWrite, RingPlans.objectBytes(setting, code));
            RingRates rates = RingPlans.rates(setting, code, load.objectBytes(), code.chunks());
            double limit = limit(rates, readsPerWrite);
            RingPlan plan = RingPlans.array(setting, code, load, Windows.RETURNING);
            RingOutcome returning = RingBed.run(plan);
            RingOutcome chosen = RingBed.run(plan.with(Windows.CHOSEN));
            RingOutcome fixed = RingBed.run(plan.with(Windows.FIXED));
            String mix = percent + "/" + (100 - percent);
            rows.add(FigureRow.ratio("reads at " + mix + " by R*", returning.readRate() / limit)
                    .named("erails_adaptive_share")
                    .with("mix", mix)
                    .limit(1)
                    .atLeast(LEAST)
                    .note("w_r " + returning.writers() + "; R* " + Math.round(limit / FigureRow.MEBI) + " MB/s"));
            rows.add(FigureRow.ratio(
                            "reads at " + mix + " by the paper's most, 3r", returning.readRate() / rates.reads())
                    .with("mix", mix)
                    .paper(1)
                    .limit(limit / rates.reads()));
            rows.add(FigureRow.ratio("  writers chosen, whole windows", chosen.readRate() / limit)
                    .with("mix", mix)
                    .note("w_r " + chosen.writers()));
            rows.add(
                    FigureRow.ratio("  fixed writers", fixed.readRate() / limit).with("mix", mix));
        }
        rows.note("R* counts on volumes that read as soon as nothing is staged, as those of a datanode do, and on"
                + " clients that know it at once: real ones find it out by a read. In the lines below windows last to"
                + " their turn. Where the bound of writes allows fewer reads than R*, it stands for it.");
        return rows.report();
    }

    /** R = (n - q R/(readsPerWrite w)) r, and no more than what the writes allow. */
    static double limit(RingRates rates, double readsPerWrite) {
        double all = rates.volumes() * rates.readRate();
        double beside = all / (1 + rates.storedPerByte() * rates.readRate() / (readsPerWrite * rates.writeRate()));
        return Math.min(beside, readsPerWrite * rates.writes());
    }
}
