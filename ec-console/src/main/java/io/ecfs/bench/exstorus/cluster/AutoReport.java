package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.exstorus.Figures;
import io.ecfs.bench.exstorus.Numbers;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** {@code auto} beside the better of both sides, on files of a few megabytes: it chooses anew for each group. */
final class AutoReport {
    private static final int FILES = 48;
    private static final int QUICK_FILES = 8;
    private static final long FILE_BYTES = 4L << 20;
    private static final double PER_CENT = 100;

    private final RealPlan plan;
    private final RealRuns runs;

    AutoReport(RealPlan plan, RealRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    Report report() throws IOException {
        double most = Numbers.targets().get("auto.loss");
        MeasuredTable table = new MeasuredTable(
                "auto: MB/s of files of 4 MiB, one after the other",
                "CLIENT",
                "MASTER",
                "AUTO",
                "BY MASTER %",
                "LOSES %",
                "TARGET");
        List<Figure> figures = new ArrayList<>();
        for (double gigabits : plan.gigabits()) {
            for (long record : plan.recordSizes()) {
                for (int window : List.of(1, plan.window())) {
                    WriteMix paper = WriteMix.ofThePaper(record, (int) Math.max(1, FILE_BYTES / record));
                    WriteMix mix = new WriteMix(
                            paper.dataChunks(),
                            paper.parityChunks(),
                            paper.cellBytes(),
                            record,
                            paper.records(),
                            plan.quick() ? QUICK_FILES : FILES);
                    Optional<Network> network = Optional.of(plan.network(gigabits));
                    WriteRun client = runs.run(mix, EncodingSide.CLIENT, window, network);
                    WriteRun master = runs.run(mix, EncodingSide.MASTER, window, network);
                    WriteRun auto = runs.run(mix, EncodingSide.AUTO, window, network);
                    double loss = PER_CENT * (1 - auto.rate() / Math.max(client.rate(), master.rate()));
                    table.add(
                            OptionalDouble.of(gigabits),
                            mix,
                            EncodingSide.AUTO.text(),
                            window,
                            Cells.number(client.rate(), 1),
                            Cells.number(master.rate(), 1),
                            Cells.number(auto.rate(), 1),
                            Cells.number(PER_CENT * auto.shareOf(WriteSide.MASTER), 0),
                            Cells.number(loss, 1),
                            Cells.target("<=", most, 0, loss <= most));
                    for (WriteRun run : List.of(client, master, auto)) {
                        Map<String, Object> params = Figures.params(
                                Figures.CLUSTER,
                                "auto",
                                gigabits,
                                record,
                                run.side().text());
                        params.put("window", window);
                        figures.add(new Figure("exstorus_rate", run.rate(), "MB/s", params));
                    }
                }
            }
        }
        return new Report(List.of(table.table()), List.of(), figures);
    }
}
