package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import io.ecfs.fault.record.Phase;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.message.namespace.NamespaceRequest.ListRepairs;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The phases of an incident of a real cluster. When its fault happened is unknown: NOTICE begins with the last
 * heartbeat of a datanode that has not reported since, and is left out otherwise. SETTLING is left out where the
 * history no longer has the repairs of all chunks.
 */
final class IncidentPhases {
    private static final int MOST_CHUNKS = 20_000;

    private IncidentPhases() {}

    /** Repairs of a healed incident; empty when they are too many, or not all are retained. */
    static Optional<List<RepairTrace>> repairs(EcfsClient client, Incident incident) throws IOException {
        if (incident.repaired() > incident.traces() || incident.traces() > MOST_CHUNKS) {
            return Optional.empty();
        }
        List<RepairTrace> all = new ArrayList<>();
        long group = 0;
        int index = 0;
        List<RepairTrace> page;
        do {
            page = Await.result(client.admin().repairs(incident.id(), group, index, ListRepairs.MAX_PAGE))
                    .repairs();
            all.addAll(page);
            if (!page.isEmpty()) {
                group = page.get(page.size() - 1).group().value();
                index = page.get(page.size() - 1).index();
            }
        } while (page.size() == ListRepairs.MAX_PAGE);
        return Optional.of(all);
    }

    /**
     * Phases with their times; the last one of an incident that is not healed has no end.
     *
     * @param heartbeat latest of the incident's datanode
     * @param repairs of a healed incident, all of them or empty
     */
    static ObjectNode json(Incident incident, Optional<Long> heartbeat, Optional<List<RepairTrace>> repairs) {
        ObjectNode json = Json.node();
        ArrayNode phases = json.putArray("phases");
        if (incident.cause().planned()) {
            return json;
        }
        Optional<Long> last = heartbeat.filter(millis -> millis <= incident.detectedMillis());
        PhaseTimes times =
                PhaseTimes.of(last.orElse(incident.detectedMillis()), List.of(incident), repairs.orElse(List.of()));
        long at = times.injectedMillis();
        for (Phase phase : Phase.values()) {
            Long millis = phase == Phase.RECOVERY
                            && repairs.isEmpty()
                            && incident.healedMillis().isPresent()
                    ? Long.valueOf(untilHealed(times))
                    : times.millis().get(phase);
            boolean known = switch (phase) {
                case NOTICE -> last.isPresent();
                case SETTLING -> repairs.isPresent();
                default -> true;
            };
            if (millis != null && known) {
                add(phases, phase, at, Optional.of(at + millis));
            }
            at += millis == null ? 0 : millis;
        }
        if (incident.healedMillis().isEmpty()) {
            add(phases, incident.firstRepairMillis().isEmpty() ? Phase.CHECKING : Phase.RECOVERY, at, Optional.empty());
        }
        return json;
    }

    /** From the first byte read: the last commit in between is not known. */
    private static long untilHealed(PhaseTimes times) {
        return times.millis().getOrDefault(Phase.RECOVERY, 0L) + times.millis().getOrDefault(Phase.SETTLING, 0L);
    }

    private static void add(ArrayNode phases, Phase phase, long from, Optional<Long> to) {
        ObjectNode one = phases.addObject();
        one.put("phase", phase.name());
        one.put("beganAt", Times.iso(from));
        one.put("endedAt", to.map(Times::iso).orElse(null));
    }

    /** Of a dead datanode; empty of other incidents, and when none came to the present leader. */
    static Optional<Long> lastHeartbeat(ClusterReport report, Incident incident) {
        if (incident.cause().kind() != IncidentCause.Kind.DATANODE_DEAD) {
            return Optional.empty();
        }
        return report.datanodes().stream()
                .filter(datanode -> incident.cause().datanode().equals(Optional.of(datanode.id())))
                .map(ClusterReport.Datanode::lastHeartbeatMillis)
                .filter(millis -> millis > 0)
                .findFirst();
    }
}
