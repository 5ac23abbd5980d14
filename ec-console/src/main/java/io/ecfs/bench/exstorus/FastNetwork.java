package io.ecfs.bench.exstorus;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.plan.write.NonNegativeLeastSquares;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Figures 15 and 16: what the paper predicts for 100 G, what its own points give, and ours. Distribution is fitted as a
 * fixed part and one in proportion to 1/B through the paper's three points, once by absolute and once by relative
 * errors, which brackets what they say.
 */
final class FastNetwork {
    private static final long RECORD = PaperRow.LONGEST;
    private static final double PREDICTED = 100;
    private static final double MEASURED_BEST = 40;
    private static final double[] SPEEDS = {1, 10, 40, 100, 400};
    private static final double PER_CENT = 100;

    private final ExstorusPlan plan;
    private final BedRuns runs;
    private final Numbers said = Numbers.ofThePaper();

    FastNetwork(ExstorusPlan plan, BedRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    /** Distribution in seconds of 50,000 records of 128 K: {@code fixed + perGigabit / B}. */
    record Fit(double fixed, double perGigabit) {
        static Fit throughThePaper(boolean relative) {
            List<PaperRow> points = PaperRow.of("table3");
            double[][] rows = new double[points.size()][];
            double[] seconds = new double[points.size()];
            for (int i = 0; i < seconds.length; i++) {
                double measured = points.get(i).seconds().get(WriteStep.DD);
                double weight = relative ? 1 / measured : 1;
                rows[i] = new double[] {weight, weight / points.get(i).gigabits()};
                seconds[i] = weight * measured;
            }
            double[] fitted = NonNegativeLeastSquares.solve(rows, seconds);
            return new Fit(fitted[0], fitted[1]);
        }

        double seconds(double gigabits) {
            return fixed + perGigabit / gigabits;
        }

        String words() {
            return Cells.number(fixed, 1) + " s + " + Cells.number(perGigabit, 0) + " s / B";
        }
    }

    /** The whole write on 100 G that the paper's share of parity calculation implies. */
    double impliedTotal() {
        return PaperRow.of("table3", MEASURED_BEST, RECORD).seconds().get(WriteStep.PC)
                / (said.get("share.fig16.100.PC") / PER_CENT);
    }

    /** The paper's predicted seconds of a step on 100 G, of its share. */
    double implied(WriteStep step) {
        return impliedTotal() * said.get("share.fig16.100." + step) / PER_CENT;
    }

    Report distribution() {
        Fit absolute = Fit.throughThePaper(false);
        Fit relative = Fit.throughThePaper(true);
        List<List<String>> cells = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        List<PaperRow> measured = PaperRow.of("table3");
        for (double gigabits : SPEEDS) {
            WriteCost cost = runs.cost(plan.side(), gigabits, RECORD);
            double ours = runs.serial(cost).steps().get(WriteStep.DD);
            String paper = measured.stream()
                    .filter(row -> row.gigabits() == gigabits)
                    .map(row -> Cells.number(row.seconds().get(WriteStep.DD), 2))
                    .findFirst()
                    .orElse(gigabits == PREDICTED ? Cells.number(implied(WriteStep.DD), 2) + " (predicted)" : "");
            cells.add(List.of(
                    NetworkSpeed.text(gigabits),
                    paper,
                    Cells.number(absolute.seconds(gigabits), 2),
                    Cells.number(relative.seconds(gigabits), 2),
                    Cells.number(ours, 2),
                    Cells.number(ours + BedRuns.hiddenSeconds(cost), 2),
                    Cells.number(Wire.seconds(WriteStep.DD, cost), 2)));
            figures.add(Figures.step(Shown.FIG15, gigabits, RECORD, WriteStep.DD, plan.side(), ours));
        }
        return new Report(
                List.of(new Table(
                        "fig15: data distribution, seconds of 50,000 records of 128 K",
                        List.of("NETWORK", "PAPER", "FIT ABSOLUTE", "FIT RELATIVE", "OURS", "WITH HIDDEN", "LIMIT"),
                        cells)),
                List.of(
                        "fits through the paper's points at 1, 10 and 40 G: " + absolute.words() + " by absolute, "
                                + relative.words() + " by relative errors",
                        "hidden: distribution that passes under the transfer and the master's work, in no step"),
                figures);
    }

    Report shares() {
        PaperRow fastest = PaperRow.of("table3", MEASURED_BEST, RECORD);
        double distribution = (Fit.throughThePaper(false).seconds(PREDICTED)
                        + Fit.throughThePaper(true).seconds(PREDICTED))
                / 2;
        double total = fastest.total() - fastest.seconds().get(WriteStep.DD) + distribution;
        BedRuns.Serial serial = runs.serial(runs.cost(plan.side(), PREDICTED, RECORD));
        Map<WriteStep, Double> ours = serial.steps();
        List<List<String>> cells = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (WriteStep step : WriteStep.values()) {
            double seconds =
                    step == WriteStep.DD ? distribution : fastest.seconds().get(step);
            cells.add(List.of(
                    step.name(),
                    Cells.number(said.find("share.fig16.100." + step), 1),
                    Cells.number(PER_CENT * seconds / total, 1),
                    Cells.number(seconds, 2),
                    Cells.number(PER_CENT * ours.get(step) / serial.sum(), 1),
                    Cells.number(ours.get(step), 2)));
            figures.add(Figures.step(Shown.FIG16, PREDICTED, RECORD, step, plan.side(), ours.get(step)));
        }
        return new Report(
                List.of(new Table(
                        "fig16: 128 K on 100 G, one stripe at a time",
                        List.of("STEP", "PAPER SAYS %", "ITS POINTS %", "ITS POINTS s", "OURS %", "OURS s"),
                        cells)),
                List.of("its points: all steps but DD as on 40 G, which the paper assumes too, and DD of figure 15"),
                figures);
    }
}
