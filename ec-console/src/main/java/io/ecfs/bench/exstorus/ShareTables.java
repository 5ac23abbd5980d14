package io.ecfs.bench.exstorus;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.plan.write.WriteStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures 10, 12 and 14: the steps' shares of a write, one stripe at a time. */
final class ShareTables {
    private final ExstorusPlan plan;
    private final BedRuns runs;
    private final Numbers said = Numbers.ofThePaper();

    ShareTables(ExstorusPlan plan, BedRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    Report of(Shown shown, List<PaperRow> rows) {
        List<List<String>> cells = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (PaperRow row : rows) {
            BedRuns.Serial serial = runs.serial(runs.cost(plan.side(), row.gigabits(), row.recordBytes()));
            Map<WriteStep, Double> ours = serial.steps();
            for (WriteStep step : WriteStep.values()) {
                cells.add(List.of(
                        NetworkSpeed.text(row.gigabits()),
                        Cells.kibibytes(row.recordBytes()),
                        step.name(),
                        Cells.number(said.find(key(shown, row, step)), 1),
                        Cells.number(row.share(step), 1),
                        Cells.number(100 * ours.get(step) / serial.sum(), 1)));
                figures.add(Figures.step(shown, row.gigabits(), row.recordBytes(), step, plan.side(), ours.get(step)));
            }
        }
        return new Report(
                List.of(new Table(
                        shown.word() + ": per cent of a write, one stripe at a time, encoded by the "
                                + plan.side().text(),
                        List.of("NETWORK", "RECORD", "STEP", "PAPER SAYS", "ITS TABLE", "OURS"),
                        cells)),
                List.of(),
                figures);
    }

    /** Figure 14 varies the network, the others the record. */
    private static String key(Shown shown, PaperRow row, WriteStep step) {
        return "share." + shown.word() + "."
                + (shown == Shown.FIG14 ? (long) row.gigabits() : row.recordBytes())
                + "." + step;
    }
}
