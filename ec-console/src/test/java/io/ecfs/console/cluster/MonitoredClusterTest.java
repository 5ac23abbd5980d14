package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.console.monitoring.Dashboard;
import io.ecfs.console.monitoring.MetricTable;
import io.ecfs.console.monitoring.Tool;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Prometheus of Debian's scrapes a cluster and its console, by the configuration that {@code ecfs up} writes. */
@Tag("soak")
class MonitoredClusterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Enough for a volume to tell how long they take. */
    private static final int READS = 10;

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(ecfs_\\w+)[{ ]");
    private static final Pattern DEPRECATED = Pattern.compile("(?m)^# HELP (ecfs_\\w+) Deprecated: ");

    @TempDir
    private static Path directory;

    private static TestJournals journals;
    private static WatchedCluster watched;
    private static Process prometheus;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Path program = Tool.path("prometheus");
        journals = new TestJournals();
        watched = WatchedCluster.start(directory, journals.overrides());
        for (int i = 0; i < READS; i++) {
            watched.cluster.read("/d/large");
        }
        port = freePort();
        String scrapes = Files.readString(directory.resolve("cluster/conf/prometheus.yml"))
                .replace(
                        watched.cluster.plan().consoleAddress().toString(),
                        watched.console.address().toString());
        Path configuration = directory.resolve("prometheus.yml");
        Path rules = MetricTable.ROOT.resolve("dist/monitoring/ecfs-alerts.yml");
        Files.writeString(
                configuration,
                "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [\"" + rules + "\"]\n" + scrapes);
        prometheus = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(new File(directory.resolve("prometheus.log").toString()))
                .start();
        Awaitility.await("all targets to be scraped twice")
                .atMost(TestCluster.PATIENCE)
                .ignoreExceptions()
                .until(() -> query("count_over_time(up[1m]) >= 3").size()
                                == watched.cluster.plan().ids().count() + 1
                        && query("up == 1").size()
                                == watched.cluster.plan().ids().count());
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        if (prometheus != null) {
            prometheus.destroy();
            prometheus.waitFor();
        }
        if (watched != null) {
            watched.close();
        }
        if (journals != null) {
            journals.close();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String get(String uri) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                HTTP.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static JsonNode query(String expression) throws IOException, InterruptedException {
        return JSON.readTree(get("http://127.0.0.1:" + port + "/api/v1/query?query="
                        + URLEncoder.encode(expression, StandardCharsets.UTF_8)))
                .at("/data/result");
    }

    private static List<String> firing() throws IOException, InterruptedException {
        List<String> firing = new ArrayList<>();
        for (JsonNode alert : JSON.readTree(get("http://127.0.0.1:" + port + "/api/v1/alerts"))
                .at("/data/alerts")) {
            if (alert.get("state").asText().equals("firing")) {
                firing.add(alert.at("/labels/alertname").asText());
            }
        }
        return firing;
    }

    /** Of the namenode, all datanodes that live, and the console. */
    private static List<String> scrapes(String query) throws IOException, InterruptedException {
        List<String> scrapes = new ArrayList<>();
        for (String id : watched.cluster.plan().ids().toList()) {
            if (!id.equals(watched.dead)) {
                scrapes.add(get("http://" + watched.cluster.plan().statusAddress(id) + "/metrics" + query));
            }
        }
        scrapes.add(get("http://" + watched.console.address() + "/metrics" + query));
        return scrapes;
    }

    private static Set<String> matches(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        Set<String> found = new TreeSet<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void promtoolFindsNothingWrongInTheMetrics() throws Exception {
        for (String scrape : scrapes("?former=false")) {
            assertThat(Tool.run(scrape, "promtool", "check", "metrics")).isEqualTo(new Tool.Result(0, ""));
        }
    }

    @Test
    void theDaemonsServeWhatTheDocumentationLists() throws Exception {
        Set<String> served = matches(SAMPLE, String.join("", scrapes("?former=false")));
        assertThat(served).containsExactlyInAnyOrderElementsOf(MetricTable.names());
    }

    @Test
    void formerNamesAreServedAndDeprecated() throws Exception {
        String all = String.join("", scrapes(""));
        assertThat(matches(DEPRECATED, all)).containsExactlyInAnyOrderElementsOf(MetricTable.formerNames());
    }

    @Test
    void everyExpressionOfTheDashboardHasSeries() throws Exception {
        for (String expression : Dashboard.expressions()) {
            Awaitility.await(expression)
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> !query(expression).isEmpty());
        }
    }

    /** The cluster lost a datanode and healed before. */
    @Test
    void aDeadDatanodeFiresItsAlertAndAReturnEndsIt() throws Exception {
        Awaitility.await("the alert").atMost(TestCluster.PATIENCE).until(() -> firing().contains("EcfsDatanodeDead"));
        watched.cluster.start(watched.dead);
        Awaitility.await("its end").atMost(TestCluster.PATIENCE).until(() -> !firing().contains("EcfsDatanodeDead"));
        watched.cluster.stop(watched.dead);
        Awaitility.await("the alert again")
                .atMost(TestCluster.PATIENCE)
                .until(() -> firing().contains("EcfsDatanodeDead"));
    }
}
