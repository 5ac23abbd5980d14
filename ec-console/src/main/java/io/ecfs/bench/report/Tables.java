package io.ecfs.bench.report;

import io.ecfs.plan.write.WritePart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Tables of the report after a run. */
public final class Tables {
    private static final double MIB = 1 << 20;
    private static final String USER = "cpu_user_s";
    private static final String SYSTEM = "cpu_sys_s";

    private Tables() {}

    /** Every measurement: its value and what it cost in all. */
    public static Table figures(List<Summary> summaries) {
        Table.Builder table = new Table.Builder(
                "Figures: medians of repetitions",
                "FIGURE",
                "PARAMETERS",
                "MEDIAN",
                "UNIT",
                "RANGE",
                "N",
                "P50/P99/P99.9",
                "CPU s/GB",
                "USER s/GB",
                "SYSTEM s/GB",
                "CPU us/op",
                "USER us/op",
                "SYSTEM us/op",
                "SWITCHES/op",
                "LOOPBACK B/B",
                "CLIENT B/B",
                "DATANODES B/B",
                "DISK W/R B/B");
        for (Summary s : summaries) {
            table.row(
                    s.key().name(),
                    s.key().text(),
                    Cells.number(s.median()),
                    s.key().unit(),
                    s.figures().size() == 1 ? "" : Cells.number(s.least()) + ".." + Cells.number(s.most()),
                    s.figures().size(),
                    Cells.latencies(s.median("p50_us"), s.median("p99_us"), s.median("p999_us")),
                    Cells.number(s.median("cpu_s_per_GB")),
                    Cells.number(perGigabyte(s, USER)),
                    Cells.number(perGigabyte(s, SYSTEM)),
                    Cells.number(s.median("cpu_us_per_op")),
                    Cells.number(perOperation(s, USER)),
                    Cells.number(perOperation(s, SYSTEM)),
                    Cells.number(s.median("csw_per_op")),
                    Cells.number(s.median("lo_bytes_per_byte")),
                    Cells.number(s.median("wire_client_bytes_per_byte")),
                    Cells.number(s.median("wire_datanode_bytes_per_byte")),
                    disk(s));
        }
        return table.build();
    }

    /** Resources of each process, in the typical repetition of each measurement. */
    public static Table processes(List<Summary> summaries) {
        Table.Builder table = new Table.Builder(
                "Processes: one repetition of each measurement",
                "FIGURE",
                "PARAMETERS",
                "PROCESS",
                "USER s",
                "SYSTEM s",
                "CPU us/op",
                "CPU s/GB",
                "SWITCHES/op",
                "DISK READ B/B",
                "DISK WRITTEN B/B",
                "RSS PEAK MiB",
                "HEAP PEAK MiB",
                "DIRECT PEAK MiB");
        for (Summary s : summaries) {
            Figure figure = s.typical();
            double operations = figure.number("ops").orElse(0);
            double bytes = figure.number("bytes").orElse(0);
            for (Map<String, Object> process : ProcessGroups.of(members(figure, "processes"))) {
                double cpu = number(process, "cpu_user_s") + number(process, "cpu_sys_s");
                table.row(
                        s.key().name(),
                        s.key().text(),
                        process.get("process"),
                        Cells.number(number(process, "cpu_user_s")),
                        Cells.number(number(process, "cpu_sys_s")),
                        per(cpu * 1e6, operations),
                        per(cpu, bytes / 1e9),
                        per(number(process, "csw"), operations),
                        per(number(process, "disk_read_bytes"), bytes),
                        per(number(process, "disk_written_bytes"), bytes),
                        Cells.number(number(process, "rss_peak_bytes") / MIB),
                        mebibytes(process, "heap_peak_bytes"),
                        mebibytes(process, "direct_peak_bytes"));
            }
        }
        return table.build();
    }

    /** Traffic between daemons and callers, in the typical repetition of each measurement. */
    public static Table flows(List<Summary> summaries) {
        Table.Builder table = new Table.Builder(
                "Bytes on the wire, counted by who answers: one repetition of each measurement",
                "FIGURE",
                "PARAMETERS",
                "FROM",
                "TO",
                "REQUESTS/op",
                "RECEIVED B/B",
                "SENT B/B",
                "RECEIVED B/op",
                "SENT B/op",
                "ms/REQUEST");
        for (Summary s : summaries) {
            Figure figure = s.typical();
            double operations = figure.number("ops").orElse(0);
            double bytes = figure.number("bytes").orElse(0);
            for (Map<String, Object> flow : FlowGroups.of(members(figure, "flows"))) {
                double requests = number(flow, "requests");
                table.row(
                        s.key().name(),
                        s.key().text(),
                        flow.get("caller"),
                        flow.get("daemon"),
                        per(requests, operations),
                        per(number(flow, "received_bytes"), bytes),
                        per(number(flow, "sent_bytes"), bytes),
                        per(number(flow, "received_bytes"), operations),
                        per(number(flow, "sent_bytes"), operations),
                        per(number(flow, "handled_s") * 1000, requests));
            }
        }
        return table.build();
    }

    /** The five steps of each run that wrote; see {@link WriteSteps}. */
    public static Table steps(List<Summary> summaries) {
        List<String> heads = new ArrayList<>(List.of("FIGURE", "PARAMETERS", "STRIPES", "RELAYED"));
        for (WritePart part : WritePart.values()) {
            heads.add(WriteSteps.word(part).toUpperCase(Locale.ROOT));
        }
        Table.Builder table = new Table.Builder(
                "Write time in five steps: milliseconds a stripe, and share", heads.toArray(String[]::new));
        for (Summary s : summaries) {
            WriteSteps.of(s.typical()).ifPresent(steps -> {
                List<Object> row =
                        new ArrayList<>(List.of(s.key().name(), s.key().text(), steps.stripes(), steps.relayed()));
                for (WritePart part : WritePart.values()) {
                    row.add(steps.cell(part));
                }
                table.row(row.toArray());
            });
        }
        return table.build();
    }

    /** Policies side by side, each as a ratio to the first. */
    public static Table policies(List<Summary> summaries) {
        Map<FigureKey, Map<String, Summary>> byWork = new LinkedHashMap<>();
        Set<String> policies = new LinkedHashSet<>();
        for (Summary s : summaries) {
            if (!s.key().policy().isEmpty()) {
                policies.add(s.key().policy());
                byWork.computeIfAbsent(s.key().withoutPolicy(), key -> new LinkedHashMap<>())
                        .put(s.key().policy(), s);
            }
        }
        List<String> heads = new ArrayList<>(List.of("FIGURE", "PARAMETERS", "UNIT"));
        heads.addAll(policies);
        Table.Builder table = new Table.Builder(
                "Policies side by side: medians, and ratio to the first", heads.toArray(String[]::new));
        byWork.forEach((work, of) -> {
            List<Object> row = new ArrayList<>(List.of(work.name(), work.text(), work.unit()));
            Summary first = of.values().iterator().next();
            for (String policy : policies) {
                row.add(Optional.ofNullable(of.get(policy))
                        .map(s -> Cells.number(s.median()) + " (" + Cells.ratio(s.median() / first.median()) + ")")
                        .orElse(""));
            }
            table.row(row.toArray());
        });
        return table.build();
    }

    /** Measurements that both files have. */
    public static Table comparison(Comparison comparison) {
        Table.Builder table = new Table.Builder(
                "Medians of A and B",
                "FIGURE",
                "PARAMETERS",
                "UNIT",
                "A",
                "B",
                "B/A",
                "VERDICT",
                "RANGE A",
                "RANGE B",
                "P50 B/A",
                "P99 B/A",
                "CPU s/GB A",
                "B",
                "B/A",
                "USER s/GB A",
                "B",
                "SYSTEM s/GB A",
                "B",
                "SWITCHES/op A",
                "B");
        for (Comparison.Row row : comparison.rows()) {
            table.row(
                    row.first().key().name(),
                    row.first().key().text(),
                    row.first().key().unit(),
                    Cells.number(row.first().median()),
                    Cells.number(row.second().median()),
                    Cells.ratio(row.ratio()),
                    switch (row.verdict()) {
                        case BETTER -> "better";
                        case WORSE -> "WORSE";
                        case WITHIN_NOISE -> "~";
                        case MEASURED_ONCE -> "n=1";
                    },
                    range(row.first()),
                    range(row.second()),
                    row.ratio("p50_us").map(Cells::ratio).orElse(""),
                    row.ratio("p99_us").map(Cells::ratio).orElse(""),
                    Cells.number(row.first().median("cpu_s_per_GB")),
                    Cells.number(row.second().median("cpu_s_per_GB")),
                    row.ratio("cpu_s_per_GB").map(Cells::ratio).orElse(""),
                    Cells.number(perGigabyte(row.first(), USER)),
                    Cells.number(perGigabyte(row.second(), USER)),
                    Cells.number(perGigabyte(row.first(), SYSTEM)),
                    Cells.number(perGigabyte(row.second(), SYSTEM)),
                    Cells.number(row.first().median("csw_per_op")),
                    Cells.number(row.second().median("csw_per_op")));
        }
        return table.build();
    }

    private static OptionalDouble perGigabyte(Summary s, String cpu) {
        return s.median(cpu, "bytes", 1e9);
    }

    /** In microseconds. */
    private static OptionalDouble perOperation(Summary s, String cpu) {
        return s.median(cpu, "ops", 1e6);
    }

    private static String range(Summary s) {
        return Cells.number(s.least()) + ".." + Cells.number(s.most()) + " n="
                + s.figures().size();
    }

    private static String disk(Summary s) {
        return s.median("disk_written_per_byte").isEmpty()
                ? ""
                : Cells.number(s.median("disk_written_per_byte")) + "/" + Cells.number(s.median("disk_read_per_byte"));
    }

    private static String per(double amount, double units) {
        return units <= 0 ? "" : Cells.number(amount / units);
    }

    private static String mebibytes(Map<String, Object> process, String member) {
        return process.containsKey(member) ? Cells.number(number(process, member) / MIB) : "";
    }

    static double number(Map<String, Object> members, String name) {
        return members.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    /** A parameter that is a list of objects; empty when there is none. */
    @SuppressWarnings("unchecked") // what we wrote there, or JSON objects, whose keys are text
    static List<Map<String, Object>> members(Figure figure, String param) {
        return figure.params().get(param) instanceof List<?> list ? (List<Map<String, Object>>) list : List.of();
    }
}
