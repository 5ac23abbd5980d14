package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.Comparison;
import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.KohFigure;
import io.ecfs.bench.koh.KohFigures;
import io.ecfs.bench.koh.KohGoal;
import io.ecfs.bench.koh.KohPlan;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Quantity;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Tables and lines of {@code --json} of a run; names and parameters of the lines are an interface. */
public final class KohReport {
    private KohReport() {}

    /** Lines of one stage in one repetition. */
    static List<Figure> figures(KohPlan plan, KohSetting setting, Outcome outcome) {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("figure", String.join(" ", words(plan, outcome.stage())));
        what.put("dns", setting.datanodes());
        if (setting.updates().synced()) {
            what.put("sync", true);
        }
        what.put("spare", setting.updates().spare());
        if (setting.updates().age() > 0 && isAged(outcome.stage())) {
            what.put("age", setting.updates().age());
        }
        Map<String, Object> all = new LinkedHashMap<>(what);
        all.putAll(outcome.params());
        what.putAll(Outcome.what(outcome.stage()));
        what.put("rep", outcome.repetition());
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure("koh_rate", outcome.ours().get(Quantity.THROUGHPUT), "MB/s", all));
        add(figures, "koh_latency_p50", outcome, Quantity.LATENCY, what);
        add(figures, "koh_written_per_byte", outcome, Quantity.WRITTEN, what);
        add(figures, "koh_read_per_byte", outcome, Quantity.READ, what);
        add(figures, "koh_network_per_byte", outcome, Quantity.NETWORK, what);
        return figures;
    }

    private static boolean isAged(KohStage stage) {
        return stage instanceof KohStage.Requests requests
                && requests.series().kind() == IoKind.WRITE
                && requests.state() == ImageState.OVERWRITE;
    }

    private static void add(
            List<Figure> figures, String name, Outcome outcome, Quantity quantity, Map<String, Object> what) {
        Double value = outcome.ours().get(quantity);
        if (value != null) {
            figures.add(new Figure(name, value, quantity.unit(), what));
        }
    }

    /** The figures that a stage is measured for. */
    private static List<String> words(KohPlan plan, KohStage stage) {
        return plan.figures().stream()
                .filter(figure -> plan.stages(figure).contains(stage))
                .map(KohFigure::word)
                .toList();
    }

    /** A line for each ratio that was measured. */
    static List<Figure> ratios(KohPlan plan, KohResults results) {
        List<Figure> figures = new ArrayList<>();
        for (KohFigure figure : plan.figures()) {
            for (KohGoal goal : figure.goals()) {
                results.ours(figure, goal).ifPresent(ratio -> figures.add(ratio(figure, goal, ratio, results)));
            }
        }
        return figures;
    }

    private static Figure ratio(KohFigure figure, KohGoal goal, double ratio, KohResults results) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("figure", figure.word());
        params.put("title", figure.title());
        params.put("quantity", goal.text());
        params.put("of", results.of().name());
        params.put("to", results.to(goal.compared()));
        params.putAll(goal.params());
        results.rules(figure, goal).ifPresent(rules -> params.put("rules", rules));
        if (goal.hasTarget()) {
            params.put("met", goal.judge(ratio).met());
            params.put("short_by", goal.judge(ratio).shortBy());
        }
        String unit = goal.compared() == Comparison.ALONE ? goal.quantity().unit() : "ratio";
        return new Figure("koh_ratio", ratio, unit, params);
    }

    /** The ratios of each figure, then what was measured. */
    public static List<Table> tables(KohPlan plan, KohResults results) {
        List<Table> tables = new ArrayList<>();
        for (KohFigure figure : plan.figures()) {
            tables.add(
                    KohFigures.table(figure, goal -> results.rules(figure, goal), goal -> results.ours(figure, goal)));
        }
        tables.add(measured(results));
        return tables;
    }

    /** Medians of each stage. */
    private static Table measured(KohResults results) {
        List<List<String>> rows = new ArrayList<>();
        for (KohStage stage : results.stages()) {
            rows.add(List.of(
                    stage.text(),
                    stage.policy().name(),
                    Cells.number(results.ours(stage, Quantity.THROUGHPUT)),
                    Cells.number(param(results, stage, "requests_per_s")),
                    Cells.latencies(param(results, stage, "p50_us"), param(results, stage, "p99_us")),
                    Cells.number(results.ours(stage, Quantity.CPU)),
                    Cells.number(results.ours(stage, Quantity.SWITCHES)),
                    Cells.number(results.ours(stage, Quantity.READ)),
                    Cells.number(results.ours(stage, Quantity.WRITTEN)),
                    Cells.number(param(results, stage, "wire_client_bytes_per_byte")),
                    Cells.number(param(results, stage, "wire_datanode_bytes_per_byte")),
                    Cells.number(results.ours(stage, Quantity.LATE)),
                    Cells.number(results.rules(stage, Quantity.READ)),
                    Cells.number(results.rules(stage, Quantity.WRITTEN)),
                    Cells.number(results.rules(stage, Quantity.NETWORK))));
        }
        return new Table(
                "measured; bytes for each requested byte, of volumes and on the wire; RULES are those of Ceph for the"
                        + " same requests",
                List.of(
                        "REQUESTS",
                        "POLICY",
                        "MB/s",
                        "OP/s",
                        "P50/P99",
                        "CPU us/OP",
                        "SWITCHES/OP",
                        "READ",
                        "WRITTEN",
                        "CLIENT NET",
                        "DATANODE NET",
                        "LATE",
                        "RULES READ",
                        "RULES WRITTEN",
                        "RULES NET"),
                rows);
    }

    private static OptionalDouble param(KohResults results, KohStage stage, String name) {
        return results.median(
                stage,
                outcome -> outcome.params().get(name) instanceof Number number ? (Double) number.doubleValue() : null);
    }
}
