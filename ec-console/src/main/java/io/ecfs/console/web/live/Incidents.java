package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.console.view.IncidentJson;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.Incident;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The incidents that are open, and how many bytes all have repaired and moved so far. Owned by the watch's thread. */
final class Incidents {
    private static final int PAGE = NamespaceRequest.ListRepairs.MAX_PAGE;

    private final EcfsClient client;
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
        if (incident.healedMillis().isEmpty()) {
            open.put(incident.id(), incident);
            return;
        }
        open.remove(incident.id());
        if (incident.cause().planned()) {
            movedByHealed += incident.bytesRepaired();
        } else {
            repairedByHealed += incident.bytesRepaired();
        }
    }

    List<ObjectNode> open() {
        List<ObjectNode> nodes = new ArrayList<>();
        open.values().forEach(incident -> nodes.add(IncidentJson.node(incident)));
        return nodes;
    }

    int count(boolean planned) {
        return (int) open.values().stream()
                .filter(incident -> incident.cause().planned() == planned)
                .count();
    }

    long repairedBytes() {
        return repairedByHealed + openBytes(false);
    }

    long movedBytes() {
        return movedByHealed + openBytes(true);
    }

    private long openBytes(boolean planned) {
        return open.values().stream()
                .filter(incident -> incident.cause().planned() == planned)
                .mapToLong(Incident::bytesRepaired)
                .sum();
    }
}
