package io.ecfs.namenode.history;

import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import java.util.Optional;

/**
 * Pure functions from an event to its effect on an incident and on one chunk of it: a history is the fold of its
 * events.
 */
public final class IncidentFold {
    private IncidentFold() {}

    /** The cause that an event belongs to; empty when it belongs to no incident. */
    static Optional<IncidentCause> causeOf(ClusterEvent event) {
        return event instanceof ClusterEvent.OfIncident e ? Optional.of(e.cause()) : Optional.empty();
    }

    /** The incident that an event begins when its cause has none open; its number is 0. Empty: it begins none. */
    static Optional<Incident> beginning(ClusterEvent event) {
        if (event instanceof ClusterEvent.IncidentOpened e) {
            return Optional.of(Incident.opened(0, e.cause(), e.detectedMillis(), e.deadMillis()));
        } else if (event instanceof ClusterEvent.RepairPlanned e) {
            long detected = Math.min(e.detectedMillis(), e.deadMillis());
            return Optional.of(Incident.opened(0, e.cause(), detected, e.deadMillis()));
        } else if (event instanceof ClusterEvent.RepairWaits e) {
            long detected = Math.min(e.detectedMillis(), e.deadMillis());
            return Optional.of(Incident.opened(0, e.cause(), detected, e.deadMillis()));
        }
        return Optional.empty();
    }

    /** The chunk that an event is about, as it is before the first one. */
    static Optional<RepairTrace> chunkOf(ClusterEvent event) {
        if (event instanceof ClusterEvent.RepairPlanned e) {
            return Optional.of(RepairTrace.detected(e.chunk().group(), e.chunk().index(), e.detectedMillis()));
        } else if (event instanceof ClusterEvent.RepairWaits e) {
            return Optional.of(RepairTrace.detected(e.group(), e.index(), e.detectedMillis()));
        } else if (event instanceof ClusterEvent.RepairCommitted e) {
            return Optional.of(RepairTrace.detected(e.chunk().group(), e.chunk().index(), e.startedMillis()));
        } else if (event instanceof ClusterEvent.RepairFailed e) {
            return Optional.of(RepairTrace.detected(e.chunk().group(), e.chunk().index(), 0));
        }
        return Optional.empty();
    }

    /** The incident after an event of its cause. */
    public static Incident after(Incident incident, ClusterEvent event, long atMillis) {
        Sums sums = new Sums(incident);
        if (event instanceof ClusterEvent.RepairPlanned) {
            sums.attempts++;
        } else if (event instanceof ClusterEvent.RepairCommitted committed) {
            sums.repaired++;
            sums.read += committed.work().map(RebuildWork::bytesRead).orElse(0L);
            sums.written += committed.work().map(RebuildWork::bytesRepaired).orElse(0L);
            sums.first = Optional.of(
                    sums.first.map(f -> Math.min(f, committed.startedMillis())).orElse(committed.startedMillis()));
        } else if (event instanceof ClusterEvent.RepairFailed failed) {
            sums.failed++;
            sums.read += failed.work().map(RebuildWork::bytesRead).orElse(0L);
        } else if (event instanceof ClusterEvent.IncidentHealed) {
            sums.healed = Optional.of(sums.healed.orElse(atMillis));
        } else if (event instanceof ClusterEvent.CauseGone) {
            sums.causeGone = true;
        }
        return sums.incident();
    }

    /** Counts one more traced chunk. */
    static Incident traced(Incident incident) {
        Sums sums = new Sums(incident);
        sums.traces++;
        return sums.incident();
    }

    /** The chunk after an event about it; other events leave it as it is. */
    public static RepairTrace after(RepairTrace trace, ClusterEvent event, long atMillis) {
        if (event instanceof ClusterEvent.RepairPlanned planned) {
            return new RepairTrace(
                    trace.group(),
                    trace.index(),
                    trace.detectedMillis(),
                    Optional.of(trace.checkedMillis().orElse(planned.checkedMillis())),
                    Optional.of(atMillis),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(planned.datanode()),
                    trace.attempts() + 1,
                    trace.bytesRead(),
                    trace.bytesRepaired(),
                    Optional.empty(),
                    Optional.empty());
        } else if (event instanceof ClusterEvent.RepairCommitted committed) {
            return new RepairTrace(
                    trace.group(),
                    trace.index(),
                    trace.detectedMillis(),
                    trace.checkedMillis(),
                    trace.plannedMillis(),
                    Optional.of(committed.startedMillis()),
                    Optional.of(atMillis),
                    Optional.of(committed.datanode()),
                    trace.attempts(),
                    trace.bytesRead()
                            + committed.work().map(RebuildWork::bytesRead).orElse(0L),
                    committed.work().map(RebuildWork::bytesRepaired).orElse(0L),
                    committed.work(),
                    Optional.empty());
        } else if (event instanceof ClusterEvent.RepairFailed failed) {
            return waiting(trace, failed.reason(), failed.work());
        } else if (event instanceof ClusterEvent.RepairWaits waits) {
            return waiting(trace, waits.reason(), Optional.empty());
        }
        return trace;
    }

    private static RepairTrace waiting(RepairTrace trace, String reason, Optional<RebuildWork> work) {
        return new RepairTrace(
                trace.group(),
                trace.index(),
                trace.detectedMillis(),
                trace.checkedMillis(),
                trace.plannedMillis(),
                trace.startedMillis(),
                trace.committedMillis(),
                trace.datanode(),
                trace.attempts(),
                trace.bytesRead() + work.map(RebuildWork::bytesRead).orElse(0L),
                trace.bytesRepaired(),
                work.or(trace::work),
                Optional.of(reason));
    }

    /** An incident in the making. */
    private static final class Sums {
        final Incident before;
        Optional<Long> first;
        Optional<Long> healed;
        long read;
        long written;
        long attempts;
        long repaired;
        long failed;
        long traces;
        boolean causeGone;

        Sums(Incident before) {
            this.before = before;
            first = before.firstRepairMillis();
            healed = before.healedMillis();
            read = before.bytesRead();
            written = before.bytesRepaired();
            attempts = before.attempts();
            repaired = before.repaired();
            failed = before.failed();
            traces = before.traces();
            causeGone = before.causeGone();
        }

        Incident incident() {
            return new Incident(
                    before.id(),
                    before.cause(),
                    before.detectedMillis(),
                    before.deadMillis(),
                    first,
                    healed,
                    read,
                    written,
                    attempts,
                    repaired,
                    failed,
                    traces,
                    causeGone);
        }
    }
}
