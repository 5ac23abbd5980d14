package io.ecfs.console.view;

import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.WriteStep;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
        TextTable table = new TextTable(heads());
        report.shares().forEach(share -> table.row(row(share)));
        out.print(table);
        out.flush();
    }

    private static String[] heads() {
        List<String> heads = new ArrayList<>(List.of("POLICY", "SIDE", "STRIPES", "BYTES"));
        for (WriteStep step : WriteStep.values()) {
            heads.add(step.name());
        }
        heads.addAll(List.of("SUM", "ELAPSED", "MB/S"));
        return heads.toArray(String[]::new);
    }

    private static Object[] row(WriteShare share) {
        List<Object> row = new ArrayList<>(
                List.of(share.policy().name(), share.side().text(), share.stripes(), TextTable.bytes(share.bytes())));
        for (WriteStep step : WriteStep.values()) {
            row.add(millis(share.nanos(step), share));
        }
        row.addAll(List.of(millis(share.steps(), share), millis(share.elapsed(), share), rate(share)));
        return row.toArray();
    }

    private static String rate(WriteShare share) {
        return share.elapsed() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.0f", share.bytes() / MEGA / (share.elapsed() / SECONDS));
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
