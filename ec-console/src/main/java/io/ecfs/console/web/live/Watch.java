package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.Health;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import io.ecfs.console.web.history.History;
import io.ecfs.console.web.webhook.Situation;
import io.ecfs.env.Clock;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.LoadReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the cluster on a thread of its own and retains the latest view, the latest events and the samples of the
 * charts. While the namenodes do not answer, the view has the last known state and is marked as disconnected, until a
 * poll succeeds.
 *
 * <pre>
 *   poll: report, loads, events since the last poll, open incidents --> View n --> streams that wait for a newer view
 *                                                                `--> History, EventTail, alerts
 * </pre>
 */
public final class Watch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final int SERIES = 2_000;
    private static final Duration SAMPLE_EVERY = Duration.ofSeconds(2);

    private final EcfsClient client;
    private final Duration refresh;
    private final Clock clock;
    private final Thread thread;
    private final Incidents incidents;
    private final EventTail events = new EventTail();
    private final History history;
    private final Gauges gauges = new Gauges();
    private final Consumer<Situation> alerts;

    @GuardedBy("this")
    private View view = new View(
            0,
            false,
            "not polled yet",
            Optional.empty(),
            List.of(),
            0,
            "{\"connected\":false,\"why\":\"not polled yet\"}");

    private long sampledMillis;

    @GuardedBy("this")
    private boolean closed;

    /**
     * State of the cluster at one poll.
     *
     * @param version grows with every poll
     * @param connected true when the namenodes answered
     * @param why the reason when they did not; otherwise empty
     * @param report the latest one
     * @param open incidents that are not healed, as JSON
     * @param atMillis time of publication, since the epoch
     * @param json the whole view, for browsers
     */
    public record View(
            long version,
            boolean connected,
            String why,
            Optional<ClusterReport> report,
            List<ObjectNode> open,
            long atMillis,
            String json) {
        /**
         * Longer than any poll takes, as calls to namenodes time out: an older view means that this process is stuck.
         */
        private static final long STALE_MILLIS = 60_000;

        /** True when the namenodes answered within {@link #STALE_MILLIS}. */
        public boolean fresh(long nowMillis) {
            return connected && nowMillis - atMillis < STALE_MILLIS;
        }

        /** The verdict on the cluster as of this poll. */
        public Health health() {
            return connected && report.isPresent() ? Health.of(report.get()) : Health.unreachable(why);
        }
    }

    private Watch(EcfsClient client, Duration refresh, Clock clock, Path directory, Consumer<Situation> alerts) {
        this.client = client;
        this.refresh = refresh;
        this.clock = clock;
        this.alerts = alerts;
        this.history = new History(directory, SERIES, clock.epochMillis());
        this.incidents = new Incidents(client);
        this.thread = new Thread(this::run, "console-watch");
        thread.setDaemon(true);
    }

    /**
     * @param directory of the samples of the charts
     * @param alerts gets what each poll found, on the thread that polls
     */
    public static Watch start(
            EcfsClient client, Duration refresh, Clock clock, Path directory, Consumer<Situation> alerts) {
        Watch watch = new Watch(client, refresh, clock, directory, alerts);
        watch.thread.start();
        return watch;
    }

    public EventTail events() {
        return events;
    }

    public History history() {
        return history;
    }

    public synchronized View view() {
        return view;
    }

    /**
     * Waits for a view that is newer.
     *
     * @return empty when none came within {@code patience}, or when there will be none
     */
    public synchronized Optional<View> after(long version, Duration patience) throws InterruptedException {
        long end = clock.nanos() + patience.toNanos();
        while (view.version() <= version && !closed) {
            long left = end - clock.nanos();
            if (left <= 0) {
                return Optional.empty();
            }
            wait(Math.max(1, left / 1_000_000));
        }
        return closed ? Optional.empty() : Optional.of(view);
    }

    /** Waits until the time has passed or the watch is closed. */
    public synchronized void rest(long millis) throws InterruptedException {
        long end = clock.nanos() + millis * 1_000_000;
        for (long left = millis; left > 0 && !closed; left = (end - clock.nanos()) / 1_000_000) {
            wait(left);
        }
    }

    public synchronized boolean closed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        thread.interrupt();
    }

    private void run() {
        try {
            while (!closed()) {
                pollOrReport();
                rest(refresh.toMillis());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void pollOrReport() {
        try {
            poll();
        } catch (IOException | RuntimeException e) {
            if (!closed()) {
                lost(e);
            }
        }
    }

    private void poll() throws IOException {
        ClusterReport report = Await.result(client.admin().report());
        LoadReport loads = Await.result(client.admin().loads());
        events.follow(client);
        incidents.follow();
        long now = clock.epochMillis();
        ObjectNode numbers = gauges.at(now, report, loads, incidents);
        if (now - sampledMillis >= SAMPLE_EVERY.toMillis()) {
            sampledMillis = now;
            history.add(now, gauges.values());
        }
        publish(
                true,
                "",
                Optional.of(report),
                incidents.open(Health.atRisk(report)),
                numbers.set("loads", Json.node(loads)),
                now);
    }

    private void lost(Exception e) {
        View before = view();
        String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (before.connected() || before.version() == 0) {
            LOG.warn("event=cluster_lost reason=\"{}\"", why);
        }
        publish(false, why, before.report(), before.open(), gauges.last(), clock.epochMillis());
    }

    /** For viewers: without the directories of volumes on the datanodes' machines. */
    public static ObjectNode withoutDirectories(ClusterReport report) {
        ObjectNode json = Json.node(report);
        json.get("datanodes")
                .forEach(datanode ->
                        datanode.get("volumes").forEach(volume -> ((ObjectNode) volume).remove("directory")));
        return json;
    }

    private void publish(
            boolean connected,
            String why,
            Optional<ClusterReport> report,
            List<ObjectNode> open,
            ObjectNode numbers,
            long now) {
        ObjectNode json = Json.node();
        json.put("at", Times.iso(now));
        json.put("connected", connected);
        json.put("why", why);
        json.set("report", report.map(Watch::withoutDirectories).orElse(null));
        ArrayNode list = json.putArray("incidents");
        open.forEach(list::add);
        json.set("numbers", numbers);
        json.put("lastEvent", events.last());
        Health health = new View(0, connected, why, report, open, now, "").health();
        json.set("health", Json.node(health));
        synchronized (this) {
            json.put("version", view.version() + 1);
            view = new View(view.version() + 1, connected, why, report, open, now, json.toString());
            notifyAll();
        }
        alert(new Situation(
                report.map(ClusterReport::clusterId).orElse(""),
                health,
                report.map(Health::atRisk).orElse(false),
                incidents.all()));
    }

    /** A bug in the alerts does not end the polls. */
    private void alert(Situation now) {
        try {
            alerts.accept(now);
        } catch (RuntimeException bug) {
            LOG.error("event=alerts_bug", bug);
        }
    }
}
