package io.ecfs.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run as one page that needs nothing but itself: charts as inline SVG, then every table. */
public final class HtmlPage {
    private static final String STYLE = """
            body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1200px; padding: 0 1em }
            body { color: #222 }
            h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2em; border-bottom: 1px solid #ccc }
            table { border-collapse: collapse; font-size: 12px; display: block; overflow-x: auto }
            th, td { padding: 2px 10px 2px 0; text-align: left; white-space: nowrap; border-bottom: 1px solid #eee }
            th { color: #666; font-weight: 600 }
            svg { max-width: 100%; height: auto; font-size: 11px }
            p.note { color: #666 }
            """;

    /** Parameter of a figure: points of seconds and mean values of what ended then. */
    public static final String OVER_TIME = "over_time";

    /** Parameter of a figure: points of seconds and MB/s. */
    public static final String RATE_OVER_TIME = "rate_over_time";

    /** Parameter of a figure: points of a value and per cent of what was at most as much. */
    public static final String DISTRIBUTION = "distribution";

    private HtmlPage() {}

    /**
     * Writes the page.
     *
     * @param setting what was measured where, one line each
     */
    public static void write(Path file, List<String> setting, List<Figure> figures) throws IOException {
        write(file, setting, List.of(), figures);
    }

    /**
     * Writes the page, with tables of the bench's own before the charts.
     *
     * @param setting what was measured where, one line each
     */
    public static void write(Path file, List<String> setting, List<Table> tables, List<Figure> figures)
            throws IOException {
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        Files.writeString(file, text(setting, tables, figures));
    }

    static String text(List<String> setting, List<Figure> figures) {
        return text(setting, List.of(), figures);
    }

    private static String text(List<String> setting, List<Table> tables, List<Figure> figures) {
        List<Summary> summaries = Summary.of(figures);
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        page.append("<title>ecfs bench</title><style>\n").append(STYLE).append("</style></head><body>\n");
        page.append("<h1>ecfs bench</h1>\n");
        setting.forEach(line ->
                page.append("<p class=\"note\">").append(HtmlText.escaped(line)).append("</p>\n"));
        tables.forEach(table -> page.append(table(table)));
        plots(page, Plots.ratios(summaries));
        charts(page, summaries.stream().filter(s -> !RatioPlot.has(s)).toList());
        plots(page, Plots.curves("Mean latency over time", "seconds", "ms", true, OVER_TIME, summaries));
        plots(page, Plots.curves("Requests by latency", "ms", "% of requests", false, DISTRIBUTION, summaries));
        plots(page, Plots.rates(summaries));
        steps(page, summaries);
        page.append(table(Tables.figures(summaries)));
        page.append(table(Tables.processes(summaries)));
        page.append(table(Tables.flows(summaries)));
        page.append(table(Tables.steps(summaries)));
        return page.append("</body></html>\n").toString();
    }

    /** One chart of values for each figure, and one of its median latencies where it has any. */
    private static void charts(StringBuilder page, List<Summary> summaries) {
        Map<String, List<Summary>> byName = new LinkedHashMap<>();
        summaries.forEach(s -> byName.computeIfAbsent(s.key().name(), name -> new ArrayList<>())
                .add(s));
        byName.forEach((name, all) -> {
            List<String> policies =
                    all.stream().map(s -> s.key().policy()).distinct().toList();
            page.append("<h2>").append(HtmlText.escaped(name)).append("</h2>\n");
            page.append(Chart.svg(
                    all.get(0).key().unit(),
                    all.stream()
                            .map(s -> new Chart.Bar(
                                    s.key().text(),
                                    s.median(),
                                    s.least(),
                                    s.most(),
                                    policies.indexOf(s.key().policy())))
                            .toList()));
            List<Chart.Bar> latencies = new ArrayList<>();
            for (Summary s : all) {
                s.median("p50_us").ifPresent(p50 -> {
                    double p99 = s.median("p99_us").orElse(p50);
                    latencies.add(new Chart.Bar(
                            s.key().text(),
                            p50,
                            p50,
                            p99,
                            policies.indexOf(s.key().policy())));
                });
            }
            if (!latencies.isEmpty()) {
                page.append("<p class=\"note\">latency: bar to the median, line to the 99th percentile</p>\n");
                page.append(Chart.svg("us", latencies));
            }
        });
    }

    private static void plots(StringBuilder page, List<Plot> plots) {
        plots.forEach(plot -> page.append("<h2>")
                .append(HtmlText.escaped(plot.title()))
                .append("</h2>\n<p class=\"note\">")
                .append(HtmlText.escaped(plot.note()))
                .append("</p>\n")
                .append(plot.svg()));
    }

    private static void steps(StringBuilder page, List<Summary> summaries) {
        for (Summary s : summaries) {
            WriteSteps.of(s.typical()).ifPresent(step -> {
                page.append("<h2>Write time of ")
                        .append(HtmlText.escaped(s.key().name() + " " + s.key().text()))
                        .append("</h2>\n");
                page.append(Chart.stacked(step.seconds().entrySet().stream()
                        .map(part -> part(WriteSteps.word(part.getKey()), part.getValue()))
                        .toList()));
            });
        }
    }

    private static Chart.Bar part(String name, double seconds) {
        return new Chart.Bar(name, seconds, seconds, seconds, 0);
    }

    private static String table(Table table) {
        if (table.rows().isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<h2>" + HtmlText.escaped(table.title()) + "</h2>\n<table><tr>");
        table.heads()
                .forEach(head ->
                        html.append("<th>").append(HtmlText.escaped(head)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : table.rows()) {
            html.append("<tr>");
            row.forEach(
                    cell -> html.append("<td>").append(HtmlText.escaped(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        return html.append("</table>\n").toString();
    }
}
