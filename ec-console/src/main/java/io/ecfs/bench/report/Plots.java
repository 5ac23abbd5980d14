package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pictures of the results of one run, alike in the page of a bench and in the console. */
public final class Plots {
    private static final String CONFIG = "config";
    private static final String POLICY = "policy";

    private Plots() {}

    /** Ratios beside the paper's, its rules', the limit and the target: one for each figure of the paper. */
    public static List<Plot> ratios(List<Summary> summaries) {
        return RatioPlot.of(summaries);
    }

    /** Rates over time of what has them. */
    public static List<Plot> rates(List<Summary> summaries) {
        return curves("Rate over time", "seconds", "MB/s", true, HtmlPage.RATE_OVER_TIME, summaries);
    }

    /** One for each group of figures that differ in configuration, or else in policy, alone and have such points. */
    static List<Plot> curves(
            String title, String horizontal, String vertical, boolean fromZero, String param, List<Summary> summaries) {
        Map<String, List<Curves.Series>> charts = new LinkedHashMap<>();
        for (Summary summary : summaries) {
            List<double[]> points = summary.typical().points(param);
            if (!points.isEmpty()) {
                FigureKey key = summary.key();
                String apart = key.params().containsKey(CONFIG) ? CONFIG : POLICY;
                charts.computeIfAbsent(key.textWithout(apart), setting -> new ArrayList<>())
                        .add(new Curves.Series(key.params().getOrDefault(apart, key.text()), points));
            }
        }
        return charts.entrySet().stream()
                .map(chart -> new Plot(
                        title,
                        chart.getKey(),
                        Curves.svg(title + " of " + chart.getKey(), horizontal, vertical, fromZero, chart.getValue())))
                .toList();
    }
}
