package io.ecfs.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Scores as JMH writes them with {@code -rf json}. */
final class JmhResults {
    private JmhResults() {}

    /** @throws IllegalArgumentException for what is no such list */
    static List<Figure> figures(JsonNode results) {
        List<Figure> figures = new ArrayList<>();
        for (JsonNode result : results) {
            JsonNode metric = result.path("primaryMetric");
            String benchmark = result.path("benchmark").asText();
            if (benchmark.isEmpty() || !metric.path("score").isNumber()) {
                throw new IllegalArgumentException("an entry without 'benchmark' and 'primaryMetric.score'");
            }
            Map<String, Object> params = new LinkedHashMap<>();
            params.put("mode", result.path("mode").asText());
            result.path("params")
                    .properties()
                    .forEach(
                            param -> params.put(param.getKey(), param.getValue().asText()));
            figures.add(new Figure(
                    shortened(benchmark),
                    metric.get("score").asDouble(),
                    metric.path("scoreUnit").asText(),
                    params));
        }
        return figures;
    }

    /** Class and method of {@code io.ecfs.jmh.Class.method}. */
    private static String shortened(String benchmark) {
        int method = benchmark.lastIndexOf('.');
        return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    }
}
