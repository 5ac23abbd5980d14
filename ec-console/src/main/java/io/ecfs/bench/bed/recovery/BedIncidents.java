package io.ecfs.bench.bed.recovery;

import io.ecfs.error.EcfsException;
import io.ecfs.fault.record.Phase;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.sim.time.SimulationFailure;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The incidents of the datanodes that died, as the namenode's history tells of them. */
final class BedIncidents {
    private static final double MILLIS = 1e3;
    private static final int PAGE = NamespaceRequest.ListIncidents.MAX_PAGE;

    private final BedNamenode namenode;
    private final List<IncidentCause> causes;
    private final Map<IncidentCause, Incident> incidents =
            new TreeMap<>(Comparator.comparing(cause -> cause.datanode().orElseThrow()));
    private long lastCommitMillis;
    private int tracesRead;

    BedIncidents(BedNamenode namenode, List<DatanodeId> victims) {
        this.namenode = namenode;
        this.causes = victims.stream().map(IncidentCause::dead).toList();
    }

    /** Asks for their present state. */
    void look() {
        var unused = namenode.ask(new NamespaceRequest.ListIncidents(0, PAGE)).whenComplete((reply, failure) -> {
            if (failure != null) {
                throw failed(failure);
            }
            ((NamespaceReply.Incidents) reply)
                    .incidents().stream()
                            .filter(incident -> causes.contains(incident.cause()))
                            .forEach(incident -> incidents.put(incident.cause(), incident));
        });
    }

    private static SimulationFailure failed(Throwable failure) {
        return new SimulationFailure("the history cannot be read", EcfsException.of(failure));
    }

    /** All began and all are over. A datanode that had nothing is healed at once. */
    boolean healed() {
        return incidents.size() == causes.size()
                && incidents.values().stream()
                        .allMatch(incident -> incident.healedMillis().isPresent());
    }

    /** Asks for the moments of all commits. */
    void readTraces() {
        incidents.values().forEach(incident -> readTraces(incident.id(), 0, 0));
    }

    private void readTraces(long incident, long afterGroup, int afterIndex) {
        int limit = NamespaceRequest.ListRepairs.MAX_PAGE;
        var unused = namenode.ask(new NamespaceRequest.ListRepairs(incident, afterGroup, afterIndex, limit))
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        throw failed(failure);
                    }
                    List<RepairTrace> page = ((NamespaceReply.Repairs) reply).repairs();
                    for (RepairTrace trace : page) {
                        lastCommitMillis = Math.max(
                                lastCommitMillis, trace.committedMillis().orElse(0L));
                    }
                    if (page.size() < limit) {
                        tracesRead++;
                    } else {
                        RepairTrace last = page.get(limit - 1);
                        readTraces(incident, last.group().value(), last.index());
                    }
                });
    }

    /** The answer to {@link #readTraces} is there. */
    boolean complete() {
        return tracesRead == causes.size();
    }

    RecoveryResult result(long injectedMillis, BedLoss loss, MachineUse use, long events) {
        long suspected = incidents.values().stream()
                .mapToLong(Incident::detectedMillis)
                .min()
                .orElseThrow();
        long dead = incidents.values().stream()
                .mapToLong(Incident::deadMillis)
                .min()
                .orElseThrow();
        long first = incidents.values().stream()
                .flatMap(incident -> incident.firstRepairMillis().stream())
                .mapToLong(Long::longValue)
                .min()
                .orElseThrow();
        long healed = incidents.values().stream()
                .mapToLong(incident -> incident.healedMillis().orElseThrow())
                .max()
                .orElseThrow();
        Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
        seconds.put(Phase.NOTICE, (suspected - injectedMillis) / MILLIS);
        seconds.put(Phase.GRACE, (dead - suspected) / MILLIS);
        seconds.put(Phase.CHECKING, (first - dead) / MILLIS);
        seconds.put(Phase.RECOVERY, (lastCommitMillis - first) / MILLIS);
        seconds.put(Phase.SETTLING, (healed - lastCommitMillis) / MILLIS);
        double recovery = seconds.get(Phase.RECOVERY);
        return new RecoveryResult(
                seconds,
                loss.bytes(),
                sum(Incident::bytesRead),
                sum(Incident::bytesRepaired),
                loss.chunks(),
                sum(Incident::repaired),
                sum(Incident::failed),
                loss.groupsByLosses(),
                use.busiestTarget(),
                use.busiestDisk(),
                use.meanOf(recovery),
                use.mostOf(recovery),
                events);
    }

    private long sum(ToLongFunction<Incident> of) {
        return incidents.values().stream().mapToLong(of).sum();
    }
}
