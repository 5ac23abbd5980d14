package io.ecfs.console.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.dispatch.FunctionTable;
import io.ecfs.env.real.Poller;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The cluster's history as {@code ecfs admin events} prints it, a page at a time. */
public final class EventLog {
    private static final String INHERITED = "inherited";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private static final FunctionTable<ClusterEvent, Locale, String> TEXTS =
            FunctionTable.<ClusterEvent, Locale, String>of(ClusterEvent.class)
                    .on(
                            ClusterEvent.LeaderChanged.class,
                            (locale, e) -> "namenode " + e.namenode() + " leads, term " + e.term())
                    .on(
                            ClusterEvent.DatanodeChanged.class,
                            (locale, e) -> "datanode " + e.datanode() + ": " + e.from() + " -> " + e.to())
                    .on(
                            ClusterEvent.AdminStateChanged.class,
                            (locale, e) -> "datanode " + e.datanode() + ": " + e.from() + " -> " + e.to()
                                    + Drainage.until(e.untilMillis()) + ", " + e.reason())
                    .on(ClusterEvent.IncidentOpened.class, (locale, e) -> opened(e))
                    .on(
                            ClusterEvent.IncidentHealed.class,
                            (locale, e) -> (e.cause().planned() ? "ends: " : "healed: ")
                                    + e.cause().text())
                    .on(
                            ClusterEvent.CauseGone.class,
                            (locale, e) -> "over: " + e.cause().text())
                    .on(
                            ClusterEvent.RepairPlanned.class,
                            (locale, e) -> "chunk " + e.chunk() + " to be rebuilt on " + e.target() + " of "
                                    + e.datanode() + ": " + e.reason())
                    .on(
                            ClusterEvent.RepairCommitted.class,
                            (locale, e) -> "chunk " + e.chunk() + " rebuilt on " + e.datanode()
                                    + e.work().map(EventLog::text).orElse(""))
                    .on(
                            ClusterEvent.RepairFailed.class,
                            (locale, e) -> "chunk " + e.chunk() + " not rebuilt on " + e.datanode() + ": " + e.reason())
                    .on(
                            ClusterEvent.RepairWaits.class,
                            (locale, e) -> "chunk " + e.index() + " of group " + e.group() + " waits: " + e.reason())
                    .on(
                            ClusterEvent.ChunkMoved.class,
                            (locale, e) -> String.format(
                                    locale,
                                    "chunk %s moved from %s to %s, expected gain %.2f",
                                    e.chunk(),
                                    e.from(),
                                    e.to(),
                                    e.predictedGain()))
                    .on(
                            ClusterEvent.MoveJudged.class,
                            (locale, e) -> String.format(
                                    locale,
                                    "the move of chunk %d of %s from %s to %s gained %.2f, expected %.2f",
                                    e.index(),
                                    e.group(),
                                    e.from(),
                                    e.to(),
                                    e.realisedGain(),
                                    e.predictedGain()))
                    .on(ClusterEvent.ThrottlesChanged.class, (locale, e) -> throttles(e))
                    .on(
                            ClusterEvent.PolicyChanged.class,
                            (locale, e) ->
                                    "policy of " + e.path() + ": " + e.from().orElse(INHERITED) + " -> "
                                            + e.to().orElse(INHERITED) + ", by " + e.who())
                    .on(
                            ClusterEvent.QuotaChanged.class,
                            (locale, e) -> "quota of " + e.path() + ": "
                                    + e.names().map(Object::toString).orElse("unbounded") + " names, "
                                    + e.space().map(TextTable::bytes).orElse("unbounded") + " space, by " + e.who())
                    .on(
                            ClusterEvent.ConversionChanged.class,
                            (locale, e) -> "conversion " + e.job() + " of " + e.path() + " to " + e.policy() + ": "
                                    + e.to() + ", " + e.converted() + " files converted, " + e.failed()
                                    + " failed, by " + e.who())
                    .on(
                            ClusterEvent.GroupRewritten.class,
                            (locale, e) -> "group " + e.group() + " rewritten: " + e.why() + ", "
                                    + TextTable.bytes(e.bytesRead()) + " read, " + TextTable.bytes(e.bytesWritten())
                                    + " written")
                    .on(
                            ClusterEvent.RingChanged.class,
                            (locale, e) -> "ring " + e.ring() + ", epoch " + e.epoch() + ": "
                                    + RingEventText.text(locale, e) + ", by " + e.who())
                    .on(
                            ClusterEvent.DirectoryRingChanged.class,
                            (locale, e) ->
                                    "ring of " + e.path() + ": " + e.from().orElse(INHERITED) + " -> "
                                            + e.to().orElse(INHERITED) + ", by " + e.who())
                    .build();

    private final EcfsClient client;
    private final PrintWriter out;
    private final boolean json;
    private long after;

    /** @param after the number of the last event that is not wanted */
    public EventLog(EcfsClient client, PrintWriter out, boolean json, long after) {
        this.client = client;
        this.out = out;
        this.json = json;
        this.after = after;
    }

    /** All that there are now; as JSON one document. */
    public void print() throws IOException {
        out.print(json ? "{\"events\": [" : "");
        String separator = "\n";
        List<HistoryEvent> page;
        do {
            page = next();
            for (HistoryEvent event : page) {
                out.print(json ? separator + line(event) : line(event) + "\n");
                separator = ",\n";
            }
        } while (page.size() == NamespaceRequest.ListEvents.MAX_PAGE);
        out.print(json ? "\n]}\n" : "");
        out.flush();
    }

    /** As they come, one a line, until the time is over, the reader has gone or the thread is interrupted. */
    public void follow(Duration time) throws IOException, InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!out.checkError()) {
            List<HistoryEvent> page = next();
            page.forEach(event -> out.println(line(event)));
            out.flush();
            if (poller.passed(time)) {
                return;
            }
            if (page.size() < NamespaceRequest.ListEvents.MAX_PAGE) {
                poller.pause();
            }
        }
    }

    private List<HistoryEvent> next() throws IOException {
        List<HistoryEvent> page = Await.result(client.admin().events(after, NamespaceRequest.ListEvents.MAX_PAGE))
                .events();
        after = page.isEmpty() ? after : page.get(page.size() - 1).number();
        return page;
    }

    /** An event with its number, time, incident (null for none), and the fields of its kind. */
    public static ObjectNode json(HistoryEvent event) {
        ObjectNode node = Json.node();
        node.put("number", event.number());
        node.put("at", Times.iso(event.atMillis()));
        if (event.incident() > 0) {
            node.put("incident", event.incident());
        } else {
            node.putNull("incident");
        }
        node.setAll(Json.node(event.event()));
        return node;
    }

    private String line(HistoryEvent event) {
        if (json) {
            return json(event).toString();
        }
        String incident = event.incident() == 0 ? "-" : "i" + event.incident();
        return String.format(
                "%-6d %s  %-4s  %s", event.number(), Times.local(event.atMillis()), incident, text(event.event()));
    }

    /** Description of the event, for people. */
    public static String text(ClusterEvent event) {
        return TEXTS.apply(Locale.ROOT, event);
    }

    private static String opened(ClusterEvent.IncidentOpened e) {
        return e.cause().planned()
                ? "begins: " + e.cause().text()
                : "incident: " + e.cause().text() + ", first sign " + Times.local(e.detectedMillis());
    }

    private static String throttles(ClusterEvent.ThrottlesChanged e) {
        String cluster = e.repairsAtOnce()
                .map(value -> "concurrent reconstructions " + throttle(value, Object::toString) + ", ")
                .orElse("");
        String each = e.repairsPerDatanode()
                .map(value -> "per datanode " + throttle(value, Object::toString) + ", ")
                .orElse("");
        String rate = e.repairBytesPerSecond()
                .map(value -> "repair reads per datanode "
                        + throttle(value, bytes -> bytes == 0 ? "without limit" : TextTable.bytes(bytes) + "/s") + ", ")
                .orElse("");
        return "throttles: " + cluster + each + rate + "by " + e.who();
    }

    private static String throttle(long value, Function<Long, String> text) {
        return value == NamespaceRequest.SetThrottles.AS_CONFIGURED ? "as configured" : text.apply(value);
    }

    private static String text(RebuildWork work) {
        return " in " + work.ranMillis() + " ms, " + TextTable.bytes(work.bytesRead()) + " read of "
                + work.sources().size() + " chunks, " + TextTable.bytes(work.bytesRepaired()) + " written";
    }
}
