package io.ecfs.console.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import java.util.Optional;

/**
 * Incidents and the repair of their chunks as JSON: the keys of {@code ecfs admin timeline --json} and of the console's
 * API. Times are ISO 8601, null for what has not happened.
 */
public final class IncidentJson {
    private IncidentJson() {}

    /** The sums of an incident. */
    public static ObjectNode sums(Incident incident) {
        ObjectNode node = Json.node();
        node.put("id", incident.id());
        node.put("cause", incident.cause().text());
        time(node, "detectedAt", Optional.of(incident.detectedMillis()));
        time(node, "deadAt", Optional.of(incident.deadMillis()));
        time(node, "firstRepairAt", incident.firstRepairMillis());
        time(node, "healedAt", incident.healedMillis());
        seconds(node, "checkingSeconds", incident.checkingMillis());
        seconds(node, "repairSeconds", incident.repairMillis());
        node.put("bytesRead", incident.bytesRead());
        node.put("bytesRepaired", incident.bytesRepaired());
        return node;
    }

    /** The sums, and what else is known of it but its chunks. */
    public static ObjectNode node(Incident incident) {
        ObjectNode node = sums(incident);
        node.put("kind", incident.cause().kind().name());
        node.put("datanode", incident.cause().datanode().map(d -> d.name()).orElse(null));
        node.put("planned", incident.cause().planned());
        node.put("causeGone", incident.causeGone());
        node.put("attempts", incident.attempts());
        node.put("chunksRepaired", incident.repaired());
        node.put("attemptsFailed", incident.failed());
        return node;
    }

    /** One chunk and its repair: when it reached each phase, how long that took the target, bytes by source. */
    public static ObjectNode chunk(RepairTrace trace) {
        ObjectNode node = Json.node();
        node.put("groupId", trace.group().value());
        node.put("index", trace.index());
        node.put("target", trace.datanode().map(d -> d.name()).orElse(null));
        node.put("attempts", trace.attempts());
        time(node, "detectedAt", Optional.of(trace.detectedMillis()));
        time(node, "checkedAt", trace.checkedMillis());
        time(node, "plannedAt", trace.plannedMillis());
        time(node, "startedAt", trace.startedMillis());
        time(node, "readAt", trace.readMillis());
        time(node, "decodedAt", trace.decodedMillis());
        time(node, "verifiedAt", trace.verifiedMillis());
        time(node, "writtenAt", trace.writtenMillis());
        time(node, "committedAt", trace.committedMillis());
        ObjectNode busy = node.putObject("busySeconds");
        busy(busy, "read", trace.work().map(RebuildWork::read));
        busy(busy, "decode", trace.work().map(RebuildWork::decode));
        busy(busy, "verify", trace.work().map(RebuildWork::verify));
        busy(busy, "write", trace.work().map(RebuildWork::write));
        node.put("bytesRead", trace.bytesRead());
        node.put("bytesRepaired", trace.bytesRepaired());
        ArrayNode sources = node.putArray("sources");
        for (RebuildWork.Source source : trace.sources()) {
            ObjectNode one = sources.addObject();
            one.put("index", source.index());
            one.put("datanode", source.datanode().name());
            one.put("bytes", source.bytes());
        }
        node.put("waiting", trace.waiting().orElse(null));
        return node;
    }

    private static void time(ObjectNode node, String name, Optional<Long> millis) {
        node.put(name, millis.map(Times::iso).orElse(null));
    }

    private static void seconds(ObjectNode node, String name, Optional<Long> millis) {
        node.put(name, millis.map(m -> m / 1e3).orElse(null));
    }

    private static void busy(ObjectNode node, String name, Optional<RebuildWork.Phase> phase) {
        node.put(name, phase.map(p -> p.busyMicros() / 1e6).orElse(0.0));
    }
}
