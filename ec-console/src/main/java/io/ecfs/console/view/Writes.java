package io.ecfs.console.view;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.RelayLoad;
import io.ecfs.message.report.RelayFallbacks;
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

/**
 * The five steps of all clients' writes by policy and encoding side, fallbacks and masters, for {@code ecfs admin
 * writes}.
 */
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
        report.fallbacks().ifPresent(fallbacks -> printFallbacks(out, fallbacks));
        report.masters().ifPresent(masters -> printMasters(out, masters));
        out.flush();
    }

    private static void printFallbacks(PrintWriter out, List<RelayFallbacks> fallbacks) {
        out.println();
        if (fallbacks.isEmpty()) {
            out.println("no client encoded a group after all because its master would or could not");
            return;
        }
        out.println("groups that clients encoded after all, by the failure of their master");
        TextTable table = new TextTable("FALLBACK", "GROUPS");
        fallbacks.forEach(fallback -> table.row(TextTable.words(fallback.reason()), fallback.groups()));
        out.print(table);
    }

    private static void printMasters(PrintWriter out, List<WriteReport.Master> masters) {
        List<WriteReport.Master> used = masters.stream()
                .filter(master -> master.load().relays() > 0 || master.load().refused() > 0)
                .toList();
        out.println();
        if (used.isEmpty()) {
            out.println("none of " + masters.size() + " datanodes relays at present or refused to");
            return;
        }
        out.println("masters among " + masters.size() + " datanodes: groups that each relays, memory of their stripes"
                + " under way, refusals (BUSY)");
        TextTable table = new TextTable("MASTER", "RELAYS", "BYTES", "REFUSED");
        used.forEach(master -> table.row(
                master.datanode(),
                master.load().relays(),
                TextTable.bytes(master.load().bytes()),
                master.load().refused()));
        out.print(table);
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
        return new WriteReport(
                now.sinceMillis(),
                WriteShare.added(old, now.shares()),
                now.fallbacks()
                        .map(fallbacks ->
                                RelayFallbacks.added(before.fallbacks().orElse(List.of()), fallbacks)),
                now.masters().map(masters -> since(before.masters().orElse(List.of()), masters)));
    }

    private static List<WriteReport.Master> since(List<WriteReport.Master> before, List<WriteReport.Master> now) {
        Map<DatanodeId, RelayLoad> old =
                before.stream().collect(Collectors.toMap(WriteReport.Master::datanode, WriteReport.Master::load));
        return now.stream()
                .map(master -> new WriteReport.Master(
                        master.datanode(),
                        master.load().since(old.getOrDefault(master.datanode(), new RelayLoad(0, 0, 0)))))
                .toList();
    }
}
