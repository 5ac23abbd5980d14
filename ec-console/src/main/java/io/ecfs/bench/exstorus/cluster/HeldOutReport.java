package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.exstorus.Figures;
import io.ecfs.bench.exstorus.Numbers;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Writes that the constants were not calibrated with: predicted by the model, and measured, one stripe at a time. */
final class HeldOutReport {
    private static final double MICROS = 1000;
    private static final double PER_CENT = 100;

    private final RealPlan plan;
    private final RealRuns runs;

    HeldOutReport(RealPlan plan, RealRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    Report report() throws IOException {
        double most = Numbers.targets().get("heldout.error");
        MeasuredTable table = new MeasuredTable(
                "heldout: microseconds of a record, one stripe at a time",
                "PREDICTED",
                "MEASURED",
                "ERROR %",
                "PROCESSORS");
        List<Figure> figures = new ArrayList<>();
        double worst = 0;
        double sum = 0;
        for (double gigabits : plan.gigabits()) {
            for (WriteSide side : plan.sides()) {
                for (WriteMix mix : Mixes.heldOut(plan)) {
                    Network network = plan.network(gigabits);
                    WriteCost cost = runs.cost(mix, side, network);
                    WriteRun run = runs.run(mix, side.setting(), 1, Optional.of(network));
                    double error = PER_CENT * (cost.nanos() / run.elapsedNanos() - 1);
                    worst = Math.max(worst, Math.abs(error));
                    sum += Math.abs(error);
                    table.add(
                            OptionalDouble.of(gigabits),
                            mix,
                            side.text(),
                            1,
                            Cells.number(cost.nanos() / MICROS, 0),
                            Cells.number(run.elapsedNanos() / MICROS, 0),
                            String.format(Locale.ROOT, "%+.1f", error),
                            Cells.number(run.processors(), 2));
                    Map<String, Object> params =
                            Figures.params(Figures.CLUSTER, "heldout", gigabits, mix.recordBytes(), side.text());
                    params.put("k", mix.dataChunks());
                    params.put("m", mix.parityChunks());
                    params.put("cell", mix.cellBytes());
                    params.put("measured_us", run.elapsedNanos() / MICROS);
                    figures.add(new Figure("exstorus_predicted", cost.nanos() / MICROS, "us", params));
                }
            }
        }
        return new Report(
                List.of(table.table()),
                List.of("errors: " + Cells.number(sum / table.rows(), 1) + " % on average, " + Cells.number(worst, 1)
                        + " % at most (" + Cells.target("<=", most, 0, worst <= most) + ")"),
                figures);
    }
}
