package io.ecfs.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Divergences of namenodes, found by their continuous comparison of the hashes of their facts. */
final class Divergences {
    private static final int PAGE = NamespaceRequest.ListRepairs.MAX_PAGE;

    private Divergences() {}

    /** @return a line for each that the cluster's history has */
    static List<String> of(EcfsClient client) throws IOException {
        List<String> found = new ArrayList<>();
        List<Incident> page;
        long after = 0;
        do {
            page = Await.result(client.admin().incidents(after, PAGE)).incidents();
            for (Incident incident : page) {
                after = incident.id();
                if (incident.cause().kind() == IncidentCause.Kind.NAMENODE_DIVERGED) {
                    found.add("incident " + incident.id() + ": " + incident.cause());
                }
            }
        } while (page.size() == PAGE);
        return found;
    }
}
