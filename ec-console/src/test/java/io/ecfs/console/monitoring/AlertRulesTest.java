package io.ecfs.console.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules in the archive, with Prometheus' and Alertmanager's own tools. */
class AlertRulesTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Path DIRECTORY = MetricTable.ROOT.resolve("dist/monitoring");
    private static final Path RULES = DIRECTORY.resolve("ecfs-alerts.yml");
    private static final Path TESTS =
            MetricTable.ROOT.resolve("ec-console/src/test/resources/monitoring/alerts-test.yml");
    private static final Pattern METRIC = Pattern.compile("\\b(ecfs_\\w+)");

    private static Map<String, JsonNode> alerts() throws IOException {
        Map<String, JsonNode> alerts = new TreeMap<>();
        for (JsonNode group : YAML.readTree(RULES.toFile()).get("groups")) {
            for (JsonNode rule : group.get("rules")) {
                if (rule.has("alert")) {
                    alerts.put(rule.get("alert").asText(), rule);
                }
            }
        }
        return alerts;
    }

    @Test
    void promtoolAcceptsTheRules() throws Exception {
        assertThat(Tool.run("", "promtool", "check", "rules", RULES.toString()))
                .matches(result -> result.status() == 0 && result.output().contains("SUCCESS"));
    }

    @Test
    void promtoolAcceptsTheConfiguration() throws Exception {
        String file = DIRECTORY.resolve("prometheus.yml").toString();
        assertThat(Tool.run("", "promtool", "check", "config", file))
                .extracting(Tool.Result::status)
                .isEqualTo(0);
    }

    @Test
    void amtoolAcceptsTheConfiguration() throws Exception {
        String file = DIRECTORY.resolve("alertmanager.yml").toString();
        assertThat(Tool.run("", "amtool", "check-config", file))
                .extracting(Tool.Result::status)
                .isEqualTo(0);
    }

    @Test
    void theRulesPassTheirOwnTests() throws Exception {
        assertThat(Tool.run("", "promtool", "test", "rules", TESTS.toString()))
                .matches(result -> result.status() == 0 && result.output().contains("SUCCESS"));
    }

    @Test
    void everyAlertIsTestedQuietAndFiring() throws IOException {
        Map<String, Integer> tested = new TreeMap<>();
        for (JsonNode test : YAML.readTree(TESTS.toFile()).get("tests")) {
            for (JsonNode moment : test.get("alert_rule_test")) {
                tested.merge(
                        moment.get("alertname").asText(),
                        moment.get("exp_alerts").isEmpty() ? 1 : 2,
                        Integer::sum);
            }
        }
        assertThat(tested)
                .isEqualTo(alerts().keySet().stream().collect(TreeMap::new, (all, a) -> all.put(a, 3), Map::putAll));
    }

    @Test
    void everyAlertHasARunbookInTheDocumentation() throws IOException {
        String page = Files.readString(MetricTable.ROOT.resolve("docs/deploy.md"));
        alerts().forEach((name, rule) -> {
            String anchor = name.toLowerCase(Locale.ROOT);
            assertThat(rule.at("/annotations/runbook_url").asText()).isEqualTo("docs/deploy.md#" + anchor);
            assertThat(page)
                    .contains("| <a id=\"" + anchor + "\"></a>`" + name + "` | "
                            + rule.at("/labels/severity").asText() + " | ");
        });
    }

    @Test
    void theRulesNameOnlyMetricsThatExist() throws IOException {
        List<String> named = new ArrayList<>();
        alerts().values().forEach(rule -> {
            Matcher metric = METRIC.matcher(rule.get("expr").asText());
            while (metric.find()) {
                named.add(metric.group(1));
            }
        });
        assertThat(MetricTable.names()).containsAll(named);
    }
}
