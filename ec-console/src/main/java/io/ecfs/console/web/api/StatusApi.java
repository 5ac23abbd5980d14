package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import io.ecfs.console.web.live.EventStream;
import io.ecfs.console.web.live.Watch;
import io.ecfs.console.web.webhook.Webhooks;
import io.ecfs.env.Clock;
import io.ecfs.env.real.Metric;
import io.ecfs.env.real.StatusServer;
import io.ecfs.message.report.ClusterReport;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for monitoring, as of every daemon: {@code /health} and {@code /metrics}. */
@RestController
final class StatusApi {
    private static final double PERCENT = 100;

    private final Watch watch;
    private final EventStream stream;
    private final Webhooks webhooks;
    private final Clock clock;

    StatusApi(Watch watch, EventStream stream, Webhooks webhooks, Clock clock) {
        this.watch = watch;
        this.stream = stream;
        this.webhooks = webhooks;
        this.clock = clock;
    }

    /** 200 while the namenodes answer, otherwise 503; one line. */
    @GetMapping("/health")
    ResponseEntity<byte[]> health() {
        Watch.View view = watch.view();
        boolean fresh = view.fresh(clock.epochMillis());
        String why = view.connected() ? "the last poll was at " + Times.iso(view.atMillis()) : view.why();
        String text = fresh ? "console: ok\n" : "console: no answer from the cluster: " + why + "\n";
        return ResponseEntity.status(fresh ? 200 : 503)
                .contentType(MediaType.TEXT_PLAIN)
                .body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Prometheus text format 0.0.4; with {@code ?former=false} without the names of the release before. */
    @GetMapping("/metrics")
    ResponseEntity<byte[]> metrics(HttpServletRequest request) throws IOException {
        Watch.View view = watch.view();
        List<Metric> metrics = new ArrayList<>();
        metrics.add(gauge(
                "ecfs_console_connected", "1 while the namenodes answer", view.fresh(clock.epochMillis()) ? 1 : 0));
        metrics.add(gauge("ecfs_console_streams", "Browsers that watch", stream.open()));
        metrics.add(gauge(
                "ecfs_console_open_incidents",
                "Incidents not healed",
                view.open().size()));
        metrics.addAll(webhooks.metrics());
        if (view.report().isPresent()) {
            groups(metrics, view.report().get());
            daemons(metrics, view.report().get());
            numbers(metrics, Json.parse(view.json().getBytes(StandardCharsets.UTF_8)));
        }
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("text/plain;version=0.0.4;charset=utf-8"))
                .body(Metric.text(metrics, StatusServer.formerNames(request.getQueryString()))
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static void groups(List<Metric> metrics, ClusterReport report) {
        ClusterReport.Groups groups = report.groups();
        health(metrics, "healthy", "healthy", groups.healthy());
        health(metrics, "degraded", "degraded", groups.degraded());
        health(metrics, "unavailable", "lost", groups.lost());
        health(metrics, "open", "open", groups.open());
        metrics.add(gauge("ecfs_cluster_safe_mode", "1 while no writes are taken", report.safeMode() ? 1 : 0));
    }

    private static void health(List<Metric> metrics, String health, String former, long count) {
        metrics.add(
                Metric.gauge("ecfs_cluster_groups_by_health", "Block groups by health", Map.of("health", health), count)
                        .formerly("ecfs_cluster_groups", Map.of("health", former), count));
    }

    private static void daemons(List<Metric> metrics, ClusterReport report) {
        for (ClusterReport.DatanodeState state : ClusterReport.DatanodeState.values()) {
            long count =
                    report.datanodes().stream().filter(d -> d.state() == state).count();
            metrics.add(Metric.gauge(
                            "ecfs_cluster_datanodes_by_state",
                            "Datanodes by state",
                            Map.of("state", state.name().toLowerCase(Locale.ROOT)),
                            count)
                    .formerly("ecfs_cluster_datanodes", Map.of("state", state.name()), count));
        }
        for (ClusterReport.Role role : ClusterReport.Role.values()) {
            long count =
                    report.namenodes().stream().filter(n -> n.role() == role).count();
            metrics.add(Metric.gauge(
                    "ecfs_cluster_namenodes",
                    "Namenodes by role",
                    Map.of("role", role.name().toLowerCase(Locale.ROOT)),
                    count));
        }
    }

    /** Sums and rates of the latest poll; without what dead datanodes had. */
    private static void numbers(List<Metric> metrics, JsonNode view) {
        JsonNode numbers = view.path("numbers");
        metrics.add(gauge(
                "ecfs_cluster_capacity_bytes",
                "Size of all volumes",
                numbers.path("capacityBytes").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_used_bytes",
                "Used on all volumes",
                numbers.path("usedBytes").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_free_bytes",
                "Free on all volumes",
                numbers.path("freeBytes").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_chunks",
                "Chunks on all volumes",
                numbers.path("chunks").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_read_bytes_per_second",
                "Bytes of chunks that datanodes sent in a second, as they last reported",
                numbers.path("readBytesPerSecond").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_written_bytes_per_second",
                "Bytes of chunks that datanodes received in a second, as they last reported",
                numbers.path("writtenBytesPerSecond").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_repaired_bytes_per_second",
                "Bytes of chunks rebuilt in a second",
                numbers.path("repairedBytesPerSecond").asDouble()));
        metrics.add(gauge(
                "ecfs_cluster_load_skew_ratio",
                "Load skew of the bytes read: (max - avg) / avg over the datanodes",
                numbers.path("imbalancePercent").asDouble() / PERCENT));
    }

    private static Metric gauge(String name, String help, double value) {
        return Metric.gauge(name, help, Map.of(), value);
    }
}
