package io.ecfs.console.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The dashboard for Grafana: an overview, then a panel for each row of the table of metrics, collapsed by daemon. Its
 * file is dist/monitoring/ecfs-dashboard.json.
 */
public final class Dashboard {
    /** The dashboard in the source tree. */
    static final Path FILE = MetricTable.ROOT.resolve("dist/monitoring/ecfs-dashboard.json");

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String CLUSTER = "cluster=~\"$cluster\"";
    private static final int WIDTH = 24;
    private static final int HEIGHT = 7;

    private static final Map<String, String> DAEMONS = Map.of(
            "ecfs_namenode_", "Namenodes",
            "ecfs_datanode_", "Datanodes",
            "ecfs_volume_", "Volumes",
            "ecfs_console_", "Console",
            "ecfs_cluster_", "Cluster, as the console sees it");
    private static final List<String> ORDER =
            List.of("ecfs_namenode_", "ecfs_datanode_", "ecfs_volume_", "ecfs_cluster_", "ecfs_console_");

    /** A query, and the legend of its series. */
    record Query(String expression, String legend) {}

    private final ArrayNode panels = JSON.createArrayNode();
    private int id;
    private int x;
    private int y;

    private Dashboard() {}

    static String json() throws IOException {
        Dashboard board = new Dashboard();
        board.overview();
        for (String prefix : ORDER) {
            board.daemons(prefix);
        }
        ObjectNode all = JSON.createObjectNode();
        all.put("title", "ECFS");
        all.put("uid", "ecfs");
        all.put("schemaVersion", 39);
        all.put("refresh", "30s");
        all.put("editable", true);
        all.putArray("tags").add("ecfs");
        all.putObject("time").put("from", "now-6h").put("to", "now");
        ArrayNode variables = all.putObject("templating").putArray("list");
        variables
                .addObject()
                .put("name", "datasource")
                .put("type", "datasource")
                .put("query", "prometheus");
        variables
                .addObject()
                .put("name", "cluster")
                .put("type", "query")
                .put("query", "label_values(ecfs_namenode_leading, cluster)")
                .put("refresh", 2)
                .put("includeAll", true)
                .put("allValue", ".*")
                .set("datasource", datasource());
        all.set("panels", board.panels);
        return JSON.writeValueAsString(all) + "\n";
    }

    /** All queries, without the variables of Grafana. */
    public static List<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        JSON.readTree(json())
                .findValues("expr")
                .forEach(expression -> expressions.add(
                        expression.asText().replace(CLUSTER, "cluster=~\".*\"").replace("$__rate_interval", "1m")));
        return expressions;
    }

    private void overview() {
        row("Overview");
        stat(
                "Unavailable groups",
                "short",
                "max(ecfs_namenode_groups_by_health{health=\"unavailable\"," + CLUSTER + "})");
        stat(
                "Groups that survive no further loss",
                "short",
                "max(ecfs_namenode_groups_by_tolerance{losses=\"0\"," + CLUSTER + "})");
        stat("Dead datanodes", "short", "max(ecfs_namenode_datanodes_by_state{state=\"dead\"," + CLUSTER + "})");
        stat("Leaders (1)", "short", "sum(ecfs_namenode_leading{" + CLUSTER + "})");
        stat(
                "Free space",
                "percentunit",
                "max(ecfs_namenode_free_bytes{" + CLUSTER + "}) / max(ecfs_namenode_capacity_bytes{" + CLUSTER + "})");
        stat("Open incidents", "short", "max(ecfs_namenode_incidents_unhealed{" + CLUSTER + "})");
        x = 0;
        y += HEIGHT;
        graph(
                "Throughput of datanodes, by kind of caller",
                "Bps",
                List.of(
                        new Query(
                                "sum by (caller) (rate(ecfs_datanode_sent_bytes_total{" + CLUSTER
                                        + "}[$__rate_interval]))",
                                "sent to {{caller}}"),
                        new Query(
                                "sum by (caller) (rate(ecfs_datanode_received_bytes_total{" + CLUSTER
                                        + "}[$__rate_interval]))",
                                "received from {{caller}}")));
        graph(
                "Latency of disks: mean time of a batch's first task",
                "s",
                List.of(new Query(
                        "rate(ecfs_volume_service_seconds_total{" + CLUSTER + "}[$__rate_interval])"
                                + " / rate(ecfs_volume_served_batches_total{" + CLUSTER + "}[$__rate_interval])",
                        "{{instance}} {{path}}")));
        next();
    }

    private void daemons(String prefix) throws IOException {
        row(DAEMONS.get(prefix));
        for (MetricTable.Row row : MetricTable.rows()) {
            List<String> names =
                    row.names().stream().filter(name -> name.startsWith(prefix)).toList();
            if (!names.isEmpty()) {
                graph(
                        title(row.value()),
                        unit(names.get(0)),
                        names.stream().map(Dashboard::query).toList());
            }
        }
        next();
    }

    private static String title(String value) {
        String plain = value.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("`", "");
        return Character.toUpperCase(plain.charAt(0)) + plain.substring(1);
    }

    /** A counter as its rate, a gauge as it is. */
    private static Query query(String name) {
        String selected = name + "{" + CLUSTER + "}";
        return new Query(name.endsWith("_total") ? "rate(" + selected + "[$__rate_interval])" : selected, "");
    }

    private static String unit(String name) {
        if (name.endsWith("_bytes_total") || name.endsWith("_bytes_per_second")) {
            return "Bps";
        }
        if (name.endsWith("_bytes")) {
            return "bytes";
        }
        return name.endsWith("_seconds") ? "s" : name.endsWith("_ratio") ? "percentunit" : "short";
    }

    private void row(String title) {
        ObjectNode row = panels.addObject();
        row.put("id", ++id).put("type", "row").put("title", title).put("collapsed", false);
        place(row, 0, WIDTH, 1);
        x = 0;
        y++;
    }

    private void stat(String title, String unit, String expression) {
        panel("stat", title, unit, List.of(new Query(expression, "")), WIDTH / 6);
    }

    private void graph(String title, String unit, List<Query> queries) {
        panel("timeseries", title, unit, queries, WIDTH / 3);
    }

    private void panel(String type, String title, String unit, List<Query> queries, int width) {
        if (x + width > WIDTH) {
            next();
        }
        ObjectNode panel = panels.addObject();
        panel.put("id", ++id).put("type", type).put("title", title);
        panel.set("datasource", datasource());
        panel.putObject("fieldConfig").putObject("defaults").put("unit", unit);
        ArrayNode targets = panel.putArray("targets");
        for (Query query : queries) {
            ObjectNode target = targets.addObject();
            target.put("refId", String.valueOf((char) ('A' + targets.size() - 1)));
            target.put("expr", query.expression());
            target.put("legendFormat", query.legend().isEmpty() ? "__auto" : query.legend());
        }
        place(panel, x, width, HEIGHT);
        x += width;
    }

    private void next() {
        x = 0;
        y += HEIGHT;
    }

    private void place(ObjectNode panel, int from, int width, int height) {
        panel.putObject("gridPos").put("x", from).put("y", y).put("w", width).put("h", height);
    }

    private static ObjectNode datasource() {
        return JSON.createObjectNode().put("type", "prometheus").put("uid", "${datasource}");
    }
}
