package io.ecfs.console.view;

import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The five steps of all clients' writes by policy and encoding side, for {@code ecfs admin writes}. */
public final class Writes {
    private static final double MILLIS = 1e6; // nanoseconds
    private static final double SECONDS = 1e9;
    private static final double MEGA = 1e6;

    private Writes() {}

    public static void print(PrintWriter out, WriteReport report) {
        out.println("writes since " + Instant.ofEpochMilli(report.sinceMillis())
                + ", milliseconds a stripe; CO client overhead, MP master process, PC parity calculation,");
        out.println("DD data distribution, SP slave process; stripes overlap, so ELAPSED may be less than their SUM");
        out.println();
        TextTable table = new TextTable(
                "POLICY", "SIDE", "STRIPES", "BYTES", "CO", "MP", "PC", "DD", "SP", "SUM", "ELAPSED", "MB/S");
        for (WriteShare share : report.shares()) {
            table.row(
                    share.policy().name(),
                    share.side().text(),
                    share.stripes(),
                    TextTable.bytes(share.bytes()),
                    millis(share.overhead(), share),
                    millis(share.managing(), share),
                    millis(share.encoding(), share),
                    millis(share.distributing(), share),
                    millis(share.serving(), share),
                    millis(share.steps(), share),
                    millis(share.elapsed(), share),
                    share.elapsed() == 0
                            ? "-"
                            : String.format(Locale.ROOT, "%.0f", share.bytes() / MEGA / (share.elapsed() / SECONDS)));
        }
        out.print(table);
        out.flush();
    }

    private static String millis(long nanos, WriteShare share) {
        return share.stripes() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", nanos / MILLIS / share.stripes());
    }

    /** Writes that came since an earlier report; all of them when the namenode began anew. */
    public static WriteReport since(WriteReport before, WriteReport now) {
        if (before.sinceMillis() != now.sinceMillis()) {
            return now;
        }
        Map<WriteShare.Key, WriteShare> old =
                before.shares().stream().collect(Collectors.toMap(WriteShare::key, Function.identity()));
        return new WriteReport(now.sinceMillis(), WriteShare.added(old, now.shares()));
    }
}
