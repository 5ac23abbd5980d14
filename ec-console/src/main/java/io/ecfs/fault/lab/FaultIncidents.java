package io.ecfs.fault.lab;

import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause.Kind;
import java.util.Collection;
import java.util.List;

/**
 * Incidents that a fault may be the cause of. Moves for balance or for the cost of reads are none: they go on as long
 * as load does.
 */
record FaultIncidents(List<Incident> incidents) {
    static FaultIncidents among(List<Incident> all) {
        return new FaultIncidents(all.stream().filter(FaultIncidents::ofAFault).toList());
    }

    /** A fault may make a volume read-only, whose chunks move as those of planned causes do. */
    private static boolean ofAFault(Incident incident) {
        return !incident.cause().planned() || incident.cause().kind() == Kind.VOLUME_READ_ONLY;
    }

    /** Whether each of these datanodes has had one, or a volume of it. */
    boolean noticed(Collection<String> datanodes) {
        return datanodes.stream()
                .allMatch(datanode -> incidents.stream()
                        .anyMatch(incident -> incident.cause()
                                .datanode()
                                .filter(id -> id.name().equals(datanode))
                                .isPresent()));
    }

    /** Whether all are healed. */
    boolean over() {
        return incidents.stream().allMatch(incident -> incident.healedMillis().isPresent());
    }

    /** Whether a new loss on any datanode would be a new incident: a cause has at most one that is open. */
    boolean nextOneIsNew() {
        return incidents.stream()
                .allMatch(incident -> incident.healedMillis().isPresent()
                        || incident.cause().datanode().isEmpty());
    }
}
