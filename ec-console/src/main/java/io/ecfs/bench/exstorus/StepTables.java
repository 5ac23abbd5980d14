package io.ecfs.bench.exstorus;

import io.ecfs.bench.bed.write.WriteBedResult;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.console.forecast.WritePresets;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;
import java.util.ArrayList;
import java.util.List;

/** Tables 1 to 3 and figures 9, 11 and 13: seconds or times of the five steps, and the rates that follow. */
final class StepTables {
    private static final List<String> HEADS =
            List.of("NETWORK", "RECORD", "STEP", "PAPER", "MODEL", "OURS", "LIMIT", "TARGET");

    /** Distribution under the transfer and the master's work: the time of no step. */
    private static final String HIDDEN = "DD hidden";

    private static final double NANOS = 1e9;
    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;

    private final ExstorusPlan plan;
    private final BedRuns runs;
    private final Numbers targets = Numbers.targets();
    private final WriteConstants paper = WritePresets.PAPER.constants();

    StepTables(ExstorusPlan plan, BedRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    /**
     * Rows of the paper beside ours.
     *
     * @param unit {@code s} for 50,000 records, {@code us} for one
     */
    Report of(Shown shown, List<PaperRow> rows, String unit) {
        double scale = unit.equals("s") ? 1 : MICROS / PaperRow.RECORDS;
        int decimals = unit.equals("s") ? 2 : 1;
        List<List<String>> cells = new ArrayList<>();
        List<List<String>> rates = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (PaperRow row : rows) {
            WriteCost cost = runs.cost(plan.side(), row.gigabits(), row.recordBytes());
            BedRuns.Serial ours = runs.serial(cost);
            Rows table = new Rows(row, scale, decimals, cells);
            double predicted = 0;
            for (WriteStep step : WriteStep.values()) {
                double seconds = ours.steps().get(step);
                double model = model(row, step);
                predicted += model;
                table.add(step.name(), row.seconds().get(step), model, seconds, Wire.seconds(step, cost), "");
                figures.add(Figures.step(shown, row.gigabits(), row.recordBytes(), step, plan.side(), seconds));
                note(row, step, notes);
            }
            double limit = Wire.seconds(cost);
            String target = serialTarget(row, ours.elapsed(), scale, decimals);
            table.add("sum", row.total(), predicted, ours.sum(), limit, "");
            table.add("elapsed", row.total(), predicted, ours.elapsed(), limit, target);
            figures.add(Figures.elapsed(shown, row.gigabits(), row.recordBytes(), plan.side(), ours.elapsed()));
            double hidden = BedRuns.hiddenSeconds(cost);
            if (hidden > 0) {
                table.add(HIDDEN, 0, 0, hidden, 0, "");
            }
            rate(shown, row, cost, ours.elapsed(), rates, figures);
        }
        String title = shown.word() + ": "
                + (unit.equals("s") ? "seconds of 50,000 records" : "microseconds of a record")
                + ", one stripe at a time, encoded by the " + plan.side().text();
        return new Report(
                List.of(
                        new Table(title, HEADS, cells),
                        new Table(
                                shown.word() + ": MB/s; OURS with " + plan.window() + " stripes under way",
                                List.of("NETWORK", "RECORD", "PAPER", "OURS SERIAL", "OURS", "LIMIT", "TARGET"),
                                rates)),
                notes,
                figures);
    }

    /**
     * Rows of one record on one network.
     *
     * @param scale of seconds
     */
    private record Rows(PaperRow row, double scale, int decimals, List<List<String>> cells) {
        /** Seconds; 0 of the paper, the model and the limit is an empty cell. */
        void add(String step, double paper, double model, double ours, double limit, String target) {
            cells.add(List.of(
                    NetworkSpeed.text(row.gigabits()),
                    Cells.kibibytes(row.recordBytes()),
                    step,
                    unlessZero(paper),
                    unlessZero(model),
                    text(ours),
                    unlessZero(limit),
                    target));
        }

        private String unlessZero(double seconds) {
            return seconds == 0 ? "" : text(seconds);
        }

        private String text(double seconds) {
            return Cells.number(seconds * scale, decimals);
        }
    }

    /** The paper's constants in the cost model. */
    private double model(PaperRow row, WriteStep step) {
        return new WriteCost(
                                paper,
                                WriteShape.ofOneStripe(
                                        WriteSide.MASTER, BedRuns.DATA, BedRuns.PARITY, row.recordBytes()),
                                Network.ofGigabits(row.gigabits(), 0))
                        .nanos(step)
                * PaperRow.RECORDS
                / NANOS;
    }

    private void note(PaperRow row, WriteStep step, List<String> notes) {
        double error = model(row, step) / row.seconds().get(step) - 1;
        double allowed = 0.15;
        if (Math.abs(error) > allowed) {
            notes.add("the model misses " + step + " of " + Cells.kibibytes(row.recordBytes()) + " on "
                    + NetworkSpeed.text(row.gigabits()) + " by " + Cells.number(100 * error, 0)
                    + " %: straight lines are fitted from 16 K on");
        }
    }

    private String serialTarget(PaperRow row, double elapsed, double scale, int decimals) {
        String key = "serial.ms." + (long) row.gigabits() + "." + row.recordBytes();
        if (plan.side() == WriteSide.CLIENT || targets.find(key).isEmpty()) {
            return "";
        }
        double seconds = targets.get(key) / MILLIS * PaperRow.RECORDS;
        return Cells.target("<=", seconds * scale, decimals, elapsed <= seconds);
    }

    private void rate(
            Shown shown,
            PaperRow row,
            WriteCost cost,
            double serialSeconds,
            List<List<String>> rates,
            List<Figure> figures) {
        double megabytes = PaperRow.RECORDS * row.recordBytes() / MICROS;
        WriteBedResult piped = runs.run(cost, plan.window());
        double limit = Wire.rate(cost.shape(), row.gigabits());
        figures.add(Figures.rate(shown, row.gigabits(), row.recordBytes(), plan.side(), 1, megabytes / serialSeconds));
        figures.add(Figures.rate(shown, row.gigabits(), row.recordBytes(), plan.side(), plan.window(), piped.rate()));
        rates.add(List.of(
                NetworkSpeed.text(row.gigabits()),
                Cells.kibibytes(row.recordBytes()),
                Cells.number(row.rate(), 1),
                Cells.number(megabytes / serialSeconds, 1),
                Cells.number(piped.rate(), 1),
                Cells.number(limit, 1),
                rateTarget(row, piped.rate(), limit)));
    }

    private String rateTarget(PaperRow row, double rate, double limit) {
        String speed = String.valueOf((long) row.gigabits());
        if (targets.find("shared.us." + row.recordBytes()).isPresent()) {
            double most = targets.get("shared.us." + row.recordBytes());
            double wanted = row.recordBytes() / most;
            return Math.min(wanted, limit) == wanted ? Cells.target(">=", wanted, 1, rate >= wanted) : "";
        }
        if (row.recordBytes() < PaperRow.LONGEST) {
            return "";
        }
        if (targets.find("bound.share." + speed).isPresent()) {
            double wanted = targets.get("bound.share." + speed) * limit;
            return Cells.target(">=", wanted, 1, rate >= wanted);
        }
        double wanted = targets.get("times." + speed) * row.rate();
        return Cells.target(">=", wanted, 1, rate >= wanted);
    }
}
