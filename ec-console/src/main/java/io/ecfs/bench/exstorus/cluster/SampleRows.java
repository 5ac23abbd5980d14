package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.SampleFile;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Calibration;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures the mixes that constants are calibrated with, one stripe at a time, and writes them to a file. */
final class SampleRows {
    private static final double PER_CENT = 100;

    private final RealPlan plan;
    private final RealRuns runs;

    SampleRows(RealPlan plan, RealRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    /** @param setting the first line, a comment */
    Report write(Path file, String setting) throws IOException {
        List<WriteSample> samples = new ArrayList<>();
        List<String> lines = new ArrayList<>(List.of("# " + setting, SampleFile.HEAD));
        double busiest = 0;
        for (WriteSide side : plan.sides()) {
            for (double gigabits : plan.gigabits()) {
                for (WriteMix mix : Mixes.calibrated(plan)) {
                    WriteRun run = runs.run(mix, side.setting(), 1, Optional.of(plan.network(gigabits)));
                    Map<WritePart, Double> parts = run.parts();
                    if (side == WriteSide.CLIENT) {
                        parts.keySet().removeIf(WritePart::ofMasterOnly);
                    }
                    WriteSample sample = new WriteSample(mix.shape(side), plan.network(gigabits), parts);
                    samples.add(sample);
                    lines.add(SampleFile.line(sample));
                    busiest = Math.max(busiest, run.processors());
                }
            }
        }
        Files.write(file, lines);
        Calibration calibration = Calibration.of(samples, plan.constants());
        List<List<String>> cells = new ArrayList<>();
        calibration
                .worst()
                .forEach((part, error) -> cells.add(
                        List.of(part.name().toLowerCase(java.util.Locale.ROOT), Cells.number(PER_CENT * error, 0))));
        return new Report(
                List.of(new Table(
                        samples.size() + " rows in " + file + ": what constants of them miss their parts by",
                        List.of("PART", "AT MOST %"),
                        cells)),
                List.of("processors at work: at most " + Cells.number(busiest, 2) + " on average of a run"),
                List.of());
    }
}
