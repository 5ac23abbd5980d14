package io.ecfs.console.view;

import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.report.LoadReport;
import java.io.PrintWriter;
import java.util.Locale;

/** Load of datanodes, for {@code ecfs admin loads}. */
public final class Loads {
    private static final double PERMILLE_TO_PERCENT = 10.0;
    private static final double MICROS = 1000.0;

    private Loads() {}

    public static void print(PrintWriter out, LoadReport report) {
        out.println(String.format(
                Locale.ROOT,
                "load skew (lambda)  %.1f %%   accesses  %d requests of %d groups in the window",
                report.imbalance(),
                report.sampledRequests(),
                report.sampledGroups()));
        out.println();
        TextTable table =
                new TextTable("DATANODE", "LOAD", "CPU", "READ/S", "WRITTEN/S", "I/O WAIT", "QUEUED", "CHUNKS");
        for (LoadReport.Datanode datanode : report.datanodes()) {
            DatanodeLoad load = datanode.load().orElse(null);
            table.row(
                    datanode.id(),
                    load == null ? "-" : String.format(Locale.ROOT, "%.2f", datanode.share()),
                    load == null || load.cpuPermille() < 0
                            ? "-"
                            : String.format(Locale.ROOT, "%.0f %%", load.cpuPermille() / PERMILLE_TO_PERCENT),
                    load == null ? "-" : TextTable.bytes(load.readBytesPerSecond()),
                    load == null ? "-" : TextTable.bytes(load.writtenBytesPerSecond()),
                    load == null ? "-" : String.format(Locale.ROOT, "%.2f ms", load.waitMicros() / MICROS),
                    datanode.queued(),
                    datanode.chunks());
        }
        out.print(table);
        out.flush();
    }
}
