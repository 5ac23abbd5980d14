package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.exstorus.Numbers;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.layout.EncodingSide;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a write costs its client: processor time of its threads, and bytes that it sends. Without limits, since the
 * network's thread would do some of the client's work and spins.
 */
final class ThinReport {
    private static final long RECORD = 262_144;
    private static final int RUNS_BYTES = 4;

    private final RealPlan plan;
    private final RealRuns runs;

    ThinReport(RealPlan plan, RealRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    Report report() throws IOException {
        WriteMix mix = WriteMix.ofThePaper(RECORD, (int) Math.max(1, RUNS_BYTES * plan.runBytes() / RECORD));
        WriteRun client = runs.run(mix, EncodingSide.CLIENT, plan.window(), Optional.empty());
        WriteRun master = runs.run(mix, EncodingSide.MASTER, plan.window(), Optional.empty());
        MeasuredTable table = new MeasuredTable(
                "thin: what a write costs its client, over loopback without limits",
                "CPU ns/BYTE",
                "SENT BYTES/BYTE",
                "MB/s",
                "PROCESSORS OF ALL");
        List<Figure> figures = new ArrayList<>();
        for (WriteRun run : List.of(client, master)) {
            String side = run.side().text();
            table.add(
                    OptionalDouble.empty(),
                    mix,
                    side,
                    run.window(),
                    Cells.number(run.clientNanosPerByte(), 3),
                    Cells.number(run.clientBytesPerByte(), 3),
                    Cells.number(run.rate(), 1),
                    Cells.number(run.processors(), 2));
            Map<String, Object> params = new LinkedHashMap<>();
            params.put("show", "thin");
            params.put("side", side);
            params.put("record", RECORD);
            params.put("bed", "cluster");
            figures.add(new Figure("exstorus_client_cpu", run.clientNanosPerByte(), "ns/byte", params));
            figures.add(new Figure("exstorus_client_sent", run.clientBytesPerByte(), "ratio", params));
        }
        double cpu = master.clientNanosPerByte() / client.clientNanosPerByte();
        double sent = master.clientBytesPerByte() / client.clientBytesPerByte();
        double mostCpu = Numbers.targets().get("thin.cpu");
        double mostSent = Numbers.targets().get("thin.sent");
        return new Report(
                List.of(table.table()),
                List.of(
                        "processor time of the client with a master, of that without: " + Cells.number(cpu, 2) + " ("
                                + Cells.target("<=", mostCpu, 2, cpu <= mostCpu) + ")",
                        "bytes that it sends: " + Cells.number(sent, 3) + " ("
                                + Cells.target("<=", mostSent, 3, sent <= mostSent) + ")"),
                figures);
    }
}
