package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.CodingTimes;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingBed;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import java.util.List;
import java.util.Map;

/** Figure 6: reads of 128 KB from k of 2k volumes, all data chunks computed each time or not at all. */
final class ReadFigure {
    private static final List<Integer> WIDTHS = List.of(2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 20);
    private static final List<Integer> QUICK_WIDTHS = List.of(3, 5, 9, 16);
    private static final Map<Integer, Double> PAPER = Map.of(3, 820.0, 5, 1360.0, 9, 1780.0);
    private static final int FREE_TO = 16;
    private static final double FREE = 0.99;
    private static final long REQUESTS = 60_000;
    private static final long QUICK_REQUESTS = 8_000;
    private static final long MOST_NANOS = 1_000_000_000_000L;

    private ReadFigure() {}

    static Report of(ErailsSetting setting) {
        FigureRows rows = new FigureRows(ErailsShown.FIG6, Map.of("bed", "sim"));
        double before = 0;
        for (int k : setting.quick() ? QUICK_WIDTHS : WIDTHS) {
            CodeSpec code = RingPlans.code(k, k);
            Load load = new Load(
                    RingPlans.objectBytes(setting, code),
                    setting.quick() ? QUICK_REQUESTS : REQUESTS,
                    0,
                    1,
                    Load.Mix.DISPATCH,
                    RingPlans.DEPTH,
                    RingPlans.DEPTH,
                    MOST_NANOS,
                    0);
            ErailsSetting decoding = setting.alwaysDecoding();
            RingOutcome with = RingBed.run(RingPlans.array(decoding, code, load, Windows.FIXED));
            RingOutcome without =
                    RingBed.run(RingPlans.array(decoding.withCoding(CodingTimes.none()), code, load, Windows.FIXED));
            double limit = k
                    * RingPlans.rates(setting, code, load.objectBytes(), 2 * k).readRate()
                    / FigureRow.MEBI;
            FigureRow rate = FigureRow.rate("reads with decoding, k = " + k, with.readRate())
                    .with("k", k)
                    .with("m", k)
                    .limit(limit)
                    .atLeast(before);
            before = with.readRate() / FigureRow.MEBI;
            rows.add(PAPER.containsKey(k) ? rate.paper(PAPER.get(k)) : rate);
            FigureRow free = FigureRow.ratio("with decoding by without, k = " + k, with.readRate() / without.readRate())
                    .with("k", k)
                    .with("m", k)
                    .limit(1)
                    .note("cores busy " + Math.round(100 * with.cpuShare()) + " %");
            rows.add(k <= FREE_TO ? free.atLeast(FREE) : free);
        }
        rows.note("The target of a rate is that of the row before: no fall. Of the cores only coding is modelled; the"
                + " paper's rates beyond k = 6 are bound by its machine, of which there is no model.");
        return rows.report();
    }
}
