package io.ecfs.bench.bed;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Summary;
import io.ecfs.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The configurations beside each other, as the paper shows them: medians of the repetitions. */
public final class BedTable {
    private BedTable() {}

    public static Table of(List<Figure> figures) {
        Map<String, Map<String, Summary>> rows = rows(figures);
        List<List<String>> cells = new ArrayList<>();
        for (Map<String, Summary> row : rows.values()) {
            Summary mean = row.get("latency_mean");
            Map<String, String> params = mean.key().params();
            double ofEc = rows.values().stream()
                    .map(other -> other.get("latency_mean"))
                    .filter(other -> other.key().params().get("failed").equals(params.get("failed"))
                            && other.key().params().get("config").equals(Configuration.EC.word()))
                    .mapToDouble(other -> mean.median() / other.median())
                    .findFirst()
                    .orElse(Double.NaN);
            cells.add(List.of(
                    params.get("config"),
                    params.get("failed"),
                    number(mean.median(), 1),
                    Double.isNaN(ofEc) ? "" : number(ofEc, 2),
                    number(row.get("latency_p50").median(), 1),
                    number(row.get("latency_p99").median(), 1),
                    number(row.get("lambda").median(), 1),
                    row.containsKey("plan_cache_hit")
                            ? number(row.get("plan_cache_hit").median(), 1)
                            : "",
                    number(mean.median("visits_per_request"), 2),
                    number(mean.median("requests_per_s"), 0),
                    number(mean.median("moves"), 0)));
        }
        return new Table(
                "Configurations: medians of repetitions",
                List.of(
                        "CONFIG",
                        "FAILED",
                        "MEAN ms",
                        "OF EC",
                        "P50 ms",
                        "P99 ms",
                        "LAMBDA %",
                        "PLANS KEPT %",
                        "VISITS/REQUEST",
                        "REQUESTS/s",
                        "MOVES"),
                cells);
    }

    /** Planning times, a line for each configuration with timed planning. */
    public static List<String> planning(List<Figure> figures) {
        return rows(figures).entrySet().stream()
                .filter(row -> row.getValue().containsKey("planner_cpu_at_1000_requests_s"))
                .map(row -> row.getKey() + " failed: " + planning(row.getValue()))
                .toList();
    }

    /** Memory of statistics, a line for each configuration that has some. */
    public static List<String> statistics(List<Figure> figures) {
        return rows(figures).entrySet().stream()
                .filter(row -> row.getValue().containsKey("statistics_of_stored"))
                .map(row -> row.getKey() + " failed: statistics take "
                        + number(row.getValue().get("statistics_of_stored").median(), 4) + " % of what is stored")
                .toList();
    }

    private static String planning(Map<String, Summary> row) {
        return "planning of 10 blocks takes "
                + number(row.get("planning_10_blocks_p50").median(), 0) + " us (median), "
                + number(row.get("planning_10_blocks_p99").median(), 0) + " us (p99); 1,000 requests a second take "
                + number(row.get("planner_cpu_at_1000_requests_s").median(), 2) + " % of a processor";
    }

    /**
     * Summaries of each configuration, by the names of figures; rows are named by it and by the number of failed sites.
     */
    public static Map<String, Map<String, Summary>> rows(List<Figure> figures) {
        Map<String, Map<String, Summary>> rows = new LinkedHashMap<>();
        for (Summary summary : Summary.of(figures)) {
            rows.computeIfAbsent(row(summary), row -> new LinkedHashMap<>())
                    .put(summary.key().name(), summary);
        }
        return rows;
    }

    private static String row(Summary summary) {
        return summary.key().params().get("config") + " "
                + summary.key().params().get("failed");
    }

    private static String number(OptionalDouble value, int decimals) {
        return value.isEmpty() ? "" : number(value.getAsDouble(), decimals);
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
