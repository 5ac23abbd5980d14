package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.bed.write.WriteBedResult;
import io.ecfs.bench.exstorus.Figures;
import io.ecfs.bench.exstorus.Numbers;
import io.ecfs.bench.exstorus.PaperRow;
import io.ecfs.bench.exstorus.Wire;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The paper's records on the cluster: five steps, one stripe at a time, and rates, beside the paper and the bed. */
final class StepReport {
    private static final double NANOS = 1e9;
    private static final double PER_CENT = 100;

    private final RealPlan plan;
    private final RealRuns runs;
    private final Numbers targets = Numbers.targets();
    private final MeasuredTable steps = new MeasuredTable(
            "seconds of 50,000 records, one stripe at a time", "STEP", "PAPER", "BED", "CLUSTER", "DIFFERENCE %");
    private final MeasuredTable rates = new MeasuredTable(
            "MB/s by stripes under way",
            "PAPER",
            "BED",
            "CLUSTER",
            "DIFFERENCE %",
            "LIMIT",
            "OF LIMIT %",
            "PROCESSORS",
            "LATE us",
            "TARGET");
    private final List<Figure> figures = new ArrayList<>();
    private double worst;

    StepReport(RealPlan plan, RealRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    Report report() throws IOException {
        for (double gigabits : plan.gigabits()) {
            for (long record : plan.recordSizes()) {
                for (WriteSide side : plan.sides()) {
                    add(gigabits, record, side);
                }
            }
        }
        double most = targets.get("bed.difference");
        return new Report(
                List.of(steps.table(), rates.table()),
                List.of("bed beside cluster: the largest difference of a rate is " + Cells.number(worst, 1) + " % ("
                        + Cells.target("<=", most, 0, worst <= most) + ")"),
                figures);
    }

    private void add(double gigabits, long record, WriteSide side) throws IOException {
        WriteMix mix = WriteMix.ofThePaper(record, plan.records(record));
        Network network = plan.network(gigabits);
        WriteRun serial = runs.run(mix, side.setting(), 1, Optional.of(network));
        WriteBedResult bed = runs.virtual(mix, side, 1, network);
        Optional<PaperRow> paper = side == WriteSide.MASTER ? paper(gigabits, record) : Optional.empty();
        double scale = PaperRow.RECORDS / NANOS;
        for (WriteStep step : WriteStep.values()) {
            double seconds = serial.nanos(step) * scale;
            double virtual = bed.stepSeconds().get(step) * PaperRow.RECORDS / mix.records();
            Optional<Double> theirs = paper.map(row -> row.seconds().get(step));
            step(gigabits, mix, side, step.name(), theirs, virtual, seconds);
            figures.add(Figures.step(Figures.CLUSTER, "steps", gigabits, record, step, side, seconds));
        }
        step(
                gigabits,
                mix,
                side,
                "sum",
                paper.map(PaperRow::total),
                bed.sumSeconds() * PaperRow.RECORDS / mix.records(),
                serial.sumNanos() * scale);
        step(
                gigabits,
                mix,
                side,
                "elapsed",
                Optional.empty(),
                bed.seconds() * PaperRow.RECORDS / mix.records(),
                serial.elapsedNanos() * scale);
        rate(gigabits, mix, side, serial, bed, paper);
        if (plan.window() > 1) {
            rate(
                    gigabits,
                    mix,
                    side,
                    runs.run(mix, side.setting(), plan.window(), Optional.of(network)),
                    runs.virtual(mix, side, plan.window(), network),
                    paper);
        }
    }

    private static Optional<PaperRow> paper(double gigabits, long record) {
        return PaperRow.all().stream()
                .filter(row -> row.gigabits() == gigabits && row.recordBytes() == record)
                .findFirst();
    }

    private void step(
            double gigabits,
            WriteMix mix,
            WriteSide side,
            String step,
            Optional<Double> paper,
            double bed,
            double cluster) {
        steps.add(
                OptionalDouble.of(gigabits),
                mix,
                side.text(),
                1,
                step,
                paper.map(seconds -> Cells.number(seconds, 2)).orElse(""),
                Cells.number(bed, 2),
                Cells.number(cluster, 2),
                difference(bed, cluster));
    }

    /** By how much the bed is above what was measured. */
    private static String difference(double bed, double cluster) {
        return cluster == 0 ? "" : String.format(Locale.ROOT, "%+.1f", PER_CENT * (bed / cluster - 1));
    }

    private void rate(
            double gigabits, WriteMix mix, WriteSide side, WriteRun run, WriteBedResult bed, Optional<PaperRow> paper) {
        double limit = Wire.rate(mix.shape(side), gigabits);
        worst = Math.max(worst, PER_CENT * Math.abs(bed.rate() / run.rate() - 1));
        rates.add(
                OptionalDouble.of(gigabits),
                mix,
                side.text(),
                run.window(),
                paper.map(row -> Cells.number(row.rate(), 1)).orElse(""),
                Cells.number(bed.rate(), 1),
                Cells.number(run.rate(), 1),
                difference(bed.rate(), run.rate()),
                Cells.number(limit, 1),
                Cells.number(PER_CENT * run.rate() / limit, 1),
                Cells.number(run.processors(), 2),
                Cells.number(run.late().median(), 0) + ", "
                        + Cells.number(run.late().oneInHundred(), 0),
                target(gigabits, run, limit));
        figures.add(
                Figures.rate(Figures.CLUSTER, "steps", gigabits, mix.recordBytes(), side, run.window(), run.rate()));
    }

    private String target(double gigabits, WriteRun run, double limit) {
        String speed = NetworkSpeed.text(gigabits).replace("g", "");
        String serial = "serial.ms." + speed + "." + run.mix().recordBytes();
        if (run.window() == 1) {
            return run.side() == EncodingSide.MASTER && targets.find(serial).isPresent()
                    ? Cells.target("ms <=", targets.get(serial), 2, run.elapsedNanos() / 1e6 <= targets.get(serial))
                    : "";
        }
        return targets.find("bound.share." + speed).isPresent() && run.mix().recordBytes() == PaperRow.LONGEST
                ? Cells.target(
                        ">=",
                        targets.get("bound.share." + speed) * limit,
                        1,
                        run.rate() >= targets.get("bound.share." + speed) * limit)
                : "";
    }
}
