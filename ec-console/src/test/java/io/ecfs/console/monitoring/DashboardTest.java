package io.ecfs.console.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code -Decfs.dashboard.write=true} writes the file anew. */
class DashboardTest {
    private static final Pattern METRIC = Pattern.compile("\\b(ecfs_\\w+)");

    @Test
    void theFileIsWhatTheTableOfMetricsGives() throws IOException {
        if (Boolean.getBoolean("ecfs.dashboard.write")) {
            Files.writeString(Dashboard.FILE, Dashboard.json());
        }
        assertThat(Dashboard.FILE)
                .as("./ecfs test DashboardTest with -Decfs.dashboard.write=true writes it")
                .hasContent(Dashboard.json());
    }

    @Test
    void everyMetricHasAPanelAndEveryExpressionsMetricExists() throws IOException {
        List<String> drawn = new ArrayList<>();
        for (String expression : Dashboard.expressions()) {
            Matcher metric = METRIC.matcher(expression);
            while (metric.find()) {
                drawn.add(metric.group(1));
            }
        }
        assertThat(drawn).containsAll(MetricTable.names());
        assertThat(MetricTable.names()).containsAll(drawn);
    }

    @Test
    void countersAreDrawnAsRates() throws IOException {
        assertThat(Dashboard.expressions())
                .filteredOn(expression -> expression.contains("_total{"))
                .allMatch(expression -> expression.contains("rate("));
    }
}
