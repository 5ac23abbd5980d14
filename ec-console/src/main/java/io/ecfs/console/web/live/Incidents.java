package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.IncidentJson;
import io.ecfs.console.view.Severity;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The incidents of the cluster's history, those that are open, and how many bytes all have repaired and moved so far.
 * Owned by the watch's thread.
 */
final class Incidents {
    private static final int PAGE = NamespaceRequest.ListRepairs.MAX_PAGE;
    /** As many as a namenode retains by default. */
    private static final int RETAINED = 1000;

    private final EcfsClient client;
    private final TreeMap<Long, Incident> latest = new TreeMap<>();
    private final Map<Long, Incident> open = new TreeMap<>();
    private long last;
    private long repairedByHealed;
    private long movedByHealed;

    Incidents(EcfsClient client) {
        this.client = client;
    }

    /** Asks about those that were open, and for new ones. */
    void follow() throws IOException {
        long after = open.isEmpty() ? last : open.keySet().iterator().next() - 1;
        List<Incident> page;
        do {
            page = Await.result(client.admin().incidents(after, PAGE)).incidents();
            for (Incident incident : page) {
                after = incident.id();
                note(incident);
            }
        } while (page.size() == PAGE);
    }

    private void note(Incident incident) {
        boolean known = incident.id() <= last;
        if (known && !open.containsKey(incident.id())) {
            return; // healed before
        }
        last = Math.max(last, incident.id());
        latest.put(incident.id(), incident);
        if (latest.size() > RETAINED) {
            latest.pollFirstEntry();
        }
        if (incident.healedMillis().isEmpty()) {
            open.put(incident.id(), incident);
            return;
        }
        open.remove(incident.id());
        if (incident.cause().kind() == IncidentCause.Kind.FILES_REWRITTEN) {
            return; // its chunks are new ones
        }
        if (moves(incident)) {
            movedByHealed += incident.bytesRepaired();
        } else if (!incident.cause().planned()) {
            repairedByHealed += incident.bytesRepaired();
        }
    }

    /** The latest and those that are open, by id. */
    List<Incident> all() {
        Map<Long, Incident> all = new TreeMap<>(latest);
        all.putAll(open);
        return List.copyOf(all.values());
    }

    /**
     * Those that are open, with their severity.
     *
     * @param atRisk as {@link io.ecfs.console.view.Health#atRisk}
     */
    List<ObjectNode> open(boolean atRisk) {
        List<ObjectNode> nodes = new ArrayList<>();
        for (Incident incident : open.values()) {
            ObjectNode node = IncidentJson.node(incident);
            node.put("severity", Severity.of(incident.cause(), atRisk).text());
            nodes.add(node);
        }
        return nodes;
    }

    int count(boolean planned) {
        return (int) open.values().stream()
                .filter(incident -> incident.cause().planned() == planned)
                .count();
    }

    long repairedBytes() {
        return repairedByHealed + openBytes(incident -> !incident.cause().planned());
    }

    long movedBytes() {
        return movedByHealed + openBytes(Incidents::moves);
    }

    /** Chunks of rewritten files are new ones, none is moved. */
    private static boolean moves(Incident incident) {
        return incident.cause().planned() && incident.cause().kind() != IncidentCause.Kind.FILES_REWRITTEN;
    }

    private long openBytes(Predicate<Incident> some) {
        return open.values().stream()
                .filter(some)
                .mapToLong(Incident::bytesRepaired)
                .sum();
    }
}
