package io.ecfs.fault.lab;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The incidents that the cluster's history has had since an experiment began, and whether all is well again. */
final class Healing {
    private static final int PAGE = 100;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final EcfsClient client;
    private final long before;
    private long lostGroups;

    /** @param client of a cluster of which nothing is hurt yet */
    Healing(EcfsClient client) throws IOException {
        this.client = client;
        this.before = last(incidents(0), 0);
    }

    private static long last(List<Incident> incidents, long otherwise) {
        return incidents.isEmpty()
                ? otherwise
                : incidents.get(incidents.size() - 1).id();
    }

    /** Number of the last incident so far: what comes behind it was opened from now on. */
    long lastIncident() throws IOException {
        return last(incidents(before), before);
    }

    /** Unplanned incidents since then. */
    List<Incident> incidents() throws IOException {
        return incidents(before).stream()
                .filter(incident -> !incident.cause().planned())
                .toList();
    }

    private List<Incident> incidents(long after) throws IOException {
        return Await.result(client.admin().allIncidents(after));
    }

    /** Repairs of these incidents, as many as the history retains. */
    List<RepairTrace> repairs(Collection<Incident> of) throws IOException {
        List<RepairTrace> all = new ArrayList<>();
        for (Incident incident : of) {
            long group = 0;
            int index = 0;
            List<RepairTrace> page;
            do {
                page = Await.result(client.admin().repairs(incident.id(), group, index, PAGE))
                        .repairs();
                all.addAll(page);
                if (!page.isEmpty()) {
                    group = page.get(page.size() - 1).group().value();
                    index = page.get(page.size() - 1).index();
                }
            } while (page.size() == PAGE);
        }
        return all;
    }

    /**
     * Whether each of these datanodes has had an incident, or a volume of it, and nothing is missing any more.
     *
     * @param after number of the last incident before they were hurt
     */
    boolean healed(Collection<String> datanodes, long after) throws IOException {
        FaultIncidents since = FaultIncidents.among(incidents(after));
        return since.noticed(datanodes) && since.over() && groupsWhole();
    }

    /** Whether groups and datanodes are all there, and the next loss would be an incident of its own. */
    boolean readyForNext() throws IOException {
        return whole() && FaultIncidents.among(incidents(before)).nextOneIsNew();
    }

    private boolean groupsWhole() throws IOException {
        return groupsWhole(report());
    }

    private boolean groupsWhole(ClusterReport report) {
        ClusterReport.Groups groups = report.groups();
        lostGroups = Math.max(lostGroups, groups.lost());
        return groups.degraded() == 0 && groups.lost() == 0;
    }

    private ClusterReport report() throws IOException {
        return Await.result(client.admin().report());
    }

    /** Notes groups that are lost now. */
    void watch() throws IOException {
        groupsWhole();
    }

    /** Whether groups and datanodes are all there. */
    boolean whole() throws IOException {
        ClusterReport report = report();
        return groupsWhole(report)
                && report.datanodes().stream()
                        .allMatch(datanode -> datanode.state() == ClusterReport.DatanodeState.HEALTHY)
                && report.namenodes().stream().allMatch(namenode -> namenode.role() != ClusterReport.Role.UNREACHABLE);
    }

    /** @throws EcfsException {@code TIMEOUT} when groups or datanodes are still missing after {@link #PATIENCE} */
    void awaitWhole() throws IOException, InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!whole()) {
            if (poller.passed(PATIENCE)) {
                throw new EcfsException(
                        ErrorCode.TIMEOUT,
                        "chunks of groups, datanodes or namenodes are still missing after " + PATIENCE.toMinutes()
                                + " minutes without a fault");
            }
            poller.pause();
        }
    }

    /** Most groups that were seen lost at a time. */
    long lostGroups() {
        return lostGroups;
    }

    /** The recovery timeline. */
    PhaseTimes phases(long injectedMillis) throws IOException {
        List<Incident> since = incidents();
        return PhaseTimes.of(injectedMillis, since, repairs(since));
    }

    /** Repairs in the log, of incidents behind this one that a fault may be the cause of. */
    List<RepairTrace> ordered(long after) throws IOException {
        return repairs(FaultIncidents.among(incidents(after)).incidents()).stream()
                .filter(repair -> repair.plannedMillis().isPresent())
                .toList();
    }
}
