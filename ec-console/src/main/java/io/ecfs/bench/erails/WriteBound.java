package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingBed;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import java.util.List;
import java.util.Map;

/** Figure 3: user bytes written by what N volumes could write, for each number m of writers and parity chunks. */
final class WriteBound {
    private static final int VOLUMES = 10;
    private static final double WITHIN = 0.03;
    /** As read off the figure, for one writer and more. */
    private static final List<Double> PAPER = List.of(0.09, 0.16, 0.21, 0.24, 0.25, 0.24, 0.21, 0.16, 0.09);

    /** Where it must be quick, requests are as many times larger and fewer: the bound is one of bytes. */
    private static final int QUICK_TIMES = 4;

    private WriteBound() {}

    static Report of(ErailsSetting setting) {
        FigureRows rows = new FigureRows(ErailsShown.FIG3, Map.of("bed", "sim"));
        for (int m = 1; m < VOLUMES; m++) {
            CodeSpec code = RingPlans.code(VOLUMES - m, m);
            RingOutcome outcome = RingBed.run(plan(setting, code));
            double share = outcome.writeRate()
                    / (VOLUMES
                            * RingPlans.rates(setting, code, objectBytes(setting), VOLUMES)
                                    .writeRate());
            double bound = (double) m * (VOLUMES - m) / (VOLUMES * VOLUMES);
            rows.add(FigureRow.ratio("W/(Nw), m = " + m, share)
                    .with("k", VOLUMES - m)
                    .with("m", m)
                    .paper(PAPER.get(m - 1))
                    .limit(bound)
                    .atLeast((1 - WITHIN) * bound)
                    .atMost((1 + WITHIN) * bound)
                    .note("m(N-m)/N^2; section 4 prints kw for mw"));
        }
        return rows.report();
    }

    /** Writes alone; the first rotation, in which journals fill, is not measured. */
    private static RingPlan plan(ErailsSetting given, CodeSpec code) {
        ErailsSetting setting =
                given.turn().isPresent() ? given : given.withTurn(given.media().turn()); // cheap enough when quick
        long rotation = RingPlans.rotationNanos(setting, code, objectBytes(setting));
        return RingPlans.array(setting, code, load(setting, rotation, 2 * rotation), Windows.FIXED);
    }

    private static Load load(ErailsSetting setting, long warmNanos, long mostNanos) {
        return new Load(
                objectBytes(setting),
                0,
                Load.ENDLESS,
                1,
                Load.Mix.DISPATCH,
                RingPlans.DEPTH,
                RingPlans.DEPTH,
                mostNanos,
                warmNanos);
    }

    private static long objectBytes(ErailsSetting setting) {
        return (setting.quick() ? QUICK_TIMES : 1) * ErailsSetting.REQUEST_BYTES;
    }
}
