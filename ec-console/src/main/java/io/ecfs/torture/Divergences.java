package io.ecfs.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;

/** Divergences of namenodes, found by their continuous comparison of the hashes of their facts. */
final class Divergences {
    private Divergences() {}

    /** @return a line for each that the cluster's history has */
    static List<String> of(EcfsClient client) throws IOException {
        return Await.result(client.admin().allIncidents(0)).stream()
                .filter(incident -> incident.cause().kind() == IncidentCause.Kind.NAMENODE_DIVERGED)
                .map(incident -> "incident " + incident.id() + ": " + incident.cause())
                .toList();
    }
}
