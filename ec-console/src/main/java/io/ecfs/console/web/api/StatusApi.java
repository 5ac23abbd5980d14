package io.ecfs.console.web.api;

import io.ecfs.console.view.Times;
import io.ecfs.console.web.live.EventStream;
import io.ecfs.console.web.live.Watch;
import io.ecfs.env.Clock;
import io.ecfs.env.real.StatusServer;
import io.ecfs.env.real.StatusServer.Gauge;
import io.ecfs.message.report.ClusterReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for monitoring, as of every daemon: {@code /health} and {@code /metrics}. */
@RestController
final class StatusApi {
    private final Watch watch;
    private final EventStream stream;
    private final Clock clock;

    StatusApi(Watch watch, EventStream stream, Clock clock) {
        this.watch = watch;
        this.stream = stream;
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

    /** Prometheus text format 0.0.4. */
    @GetMapping("/metrics")
    ResponseEntity<byte[]> metrics() {
        Watch.View view = watch.view();
        List<Gauge> gauges = new ArrayList<>();
        gauges.add(gauge(
                "ecfs_console_connected", "1 while the namenodes answer", view.fresh(clock.epochMillis()) ? 1 : 0));
        gauges.add(gauge("ecfs_console_streams", "browsers that watch", stream.open()));
        gauges.add(gauge(
                "ecfs_console_open_incidents",
                "incidents not healed",
                view.open().size()));
        view.report().ifPresent(report -> add(gauges, report));
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("text/plain;version=0.0.4;charset=utf-8"))
                .body(StatusServer.text(gauges).getBytes(StandardCharsets.UTF_8));
    }

    private static void add(List<Gauge> gauges, ClusterReport report) {
        String groups = "ecfs_cluster_groups";
        String help = "groups by health";
        gauges.add(new Gauge(
                groups, help, Map.of("health", "healthy"), report.groups().healthy()));
        gauges.add(new Gauge(
                groups, help, Map.of("health", "degraded"), report.groups().degraded()));
        gauges.add(new Gauge(
                groups, help, Map.of("health", "lost"), report.groups().lost()));
        gauges.add(new Gauge(
                groups, help, Map.of("health", "open"), report.groups().open()));
        for (ClusterReport.DatanodeState state : ClusterReport.DatanodeState.values()) {
            long count =
                    report.datanodes().stream().filter(d -> d.state() == state).count();
            gauges.add(new Gauge("ecfs_cluster_datanodes", "datanodes by state", Map.of("state", state.name()), count));
        }
    }

    private static Gauge gauge(String name, String help, long value) {
        return new Gauge(name, help, Map.of(), value);
    }
}
