package io.ecfs.namenode.history;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import java.util.Optional;
import java.util.Set;

/**
 * Pure functions from an event to its effect on an incident and on one chunk of it: a history is the fold of its
 * events.
 */
final class IncidentFold {
    private static final FunctionTable<ClusterEvent, Sums, Void> OF_INCIDENT =
            FunctionTable.<ClusterEvent, Sums, Void>of(ClusterEvent.class)
                    .run(ClusterEvent.RepairPlanned.class, (sums, planned) -> sums.attempts++)
                    .run(ClusterEvent.RepairCommitted.class, Sums::repaired)
                    .run(ClusterEvent.RepairFailed.class, Sums::failed)
                    .run(ClusterEvent.GroupRewritten.class, Sums::rewritten)
                    .run(
                            ClusterEvent.IncidentHealed.class,
                            (sums, healed) -> sums.healed = Optional.of(sums.healed.orElse(sums.atMillis)))
                    .run(ClusterEvent.CauseGone.class, (sums, gone) -> sums.causeGone = true)
                    .ignore(
                            ClusterEvent.IncidentOpened.class,
                            ClusterEvent.RepairWaits.class,
                            ClusterEvent.LeaderChanged.class,
                            ClusterEvent.DatanodeChanged.class,
                            ClusterEvent.AdminStateChanged.class,
                            ClusterEvent.ChunkMoved.class,
                            ClusterEvent.MoveJudged.class,
                            ClusterEvent.ThrottlesChanged.class,
                            ClusterEvent.PolicyChanged.class,
                            ClusterEvent.QuotaChanged.class,
                            ClusterEvent.ConversionChanged.class,
                            ClusterEvent.RingChanged.class,
                            ClusterEvent.DirectoryRingChanged.class)
                    .build();

    private static final FunctionTable<ClusterEvent, Traced, RepairTrace> OF_CHUNK =
            FunctionTable.<ClusterEvent, Traced, RepairTrace>of(ClusterEvent.class)
                    .on(ClusterEvent.RepairPlanned.class, IncidentFold::planned)
                    .on(ClusterEvent.RepairCommitted.class, IncidentFold::committed)
                    .on(
                            ClusterEvent.RepairFailed.class,
                            (before, failed) -> waiting(before.trace(), failed.reason(), failed.work()))
                    .on(
                            ClusterEvent.RepairWaits.class,
                            (before, waits) -> waiting(before.trace(), waits.reason(), Optional.empty()))
                    .on(
                            Set.of(
                                    ClusterEvent.IncidentOpened.class,
                                    ClusterEvent.IncidentHealed.class,
                                    ClusterEvent.CauseGone.class,
                                    ClusterEvent.LeaderChanged.class,
                                    ClusterEvent.DatanodeChanged.class,
                                    ClusterEvent.AdminStateChanged.class,
                                    ClusterEvent.ChunkMoved.class,
                                    ClusterEvent.MoveJudged.class,
                                    ClusterEvent.ThrottlesChanged.class,
                                    ClusterEvent.PolicyChanged.class,
                                    ClusterEvent.QuotaChanged.class,
                                    ClusterEvent.ConversionChanged.class,
                                    ClusterEvent.RingChanged.class,
                                    ClusterEvent.DirectoryRingChanged.class,
                                    ClusterEvent.GroupRewritten.class),
                            (before, other) -> before.trace())
                    .build();

    /** A trace before an event at this time. */
    private record Traced(RepairTrace trace, long atMillis) {}

    private IncidentFold() {}

    /** The cause that an event belongs to; empty when it belongs to no incident. */
    static Optional<IncidentCause> causeOf(ClusterEvent event) {
        return event instanceof ClusterEvent.OfIncident e ? Optional.of(e.cause()) : Optional.empty();
    }

    /** The incident that an event begins when its cause has none open; its number is 0. Empty: it begins none. */
    static Optional<Incident> beginning(ClusterEvent event) {
        if (!(event instanceof ClusterEvent.Detection e)) {
            return Optional.empty();
        }
        long detected = e instanceof ClusterEvent.IncidentOpened
                ? e.detectedMillis()
                : Math.min(e.detectedMillis(), e.deadMillis());
        return Optional.of(Incident.opened(0, e.cause(), detected, e.deadMillis()));
    }

    /** The chunk that an event is about, as it is before the first one. */
    static Optional<RepairTrace> chunkOf(ClusterEvent event) {
        return event instanceof ClusterEvent.OfChunk e
                ? Optional.of(RepairTrace.detected(e.group(), e.index(), e.firstMillis()))
                : Optional.empty();
    }

    /** The incident after an event of its cause. */
    public static Incident after(Incident incident, ClusterEvent event, long atMillis) {
        Sums sums = new Sums(incident, atMillis);
        OF_INCIDENT.apply(sums, event);
        return sums.incident();
    }

    /** Counts one more traced chunk. */
    static Incident traced(Incident incident) {
        Sums sums = new Sums(incident, 0);
        sums.traces++;
        return sums.incident();
    }

    /** The chunk after an event about it; other events leave it as it is. */
    public static RepairTrace after(RepairTrace trace, ClusterEvent event, long atMillis) {
        return OF_CHUNK.apply(new Traced(trace, atMillis), event);
    }

    private static RepairTrace planned(Traced before, ClusterEvent.RepairPlanned planned) {
        RepairTrace trace = before.trace();
        return new RepairTrace(
                trace.group(),
                trace.index(),
                trace.detectedMillis(),
                Optional.of(trace.checkedMillis().orElse(planned.checkedMillis())),
                Optional.of(before.atMillis()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(planned.datanode()),
                trace.attempts() + 1,
                trace.bytesRead(),
                trace.bytesRepaired(),
                Optional.empty(),
                Optional.empty());
    }

    private static RepairTrace committed(Traced before, ClusterEvent.RepairCommitted committed) {
        RepairTrace trace = before.trace();
        return new RepairTrace(
                trace.group(),
                trace.index(),
                trace.detectedMillis(),
                trace.checkedMillis(),
                trace.plannedMillis(),
                Optional.of(committed.startedMillis()),
                Optional.of(before.atMillis()),
                Optional.of(committed.datanode()),
                trace.attempts(),
                trace.bytesRead() + committed.work().map(RebuildWork::bytesRead).orElse(0L),
                committed.work().map(RebuildWork::bytesRepaired).orElse(0L),
                committed.work(),
                Optional.empty());
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
        final long atMillis;
        Optional<Long> first;
        Optional<Long> healed;
        long read;
        long written;
        long attempts;
        long repaired;
        long failed;
        long traces;
        boolean causeGone;

        Sums(Incident before, long atMillis) {
            this.before = before;
            this.atMillis = atMillis;
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

        void repaired(ClusterEvent.RepairCommitted committed) {
            repaired++;
            read += committed.work().map(RebuildWork::bytesRead).orElse(0L);
            written += committed.work().map(RebuildWork::bytesRepaired).orElse(0L);
            first = Optional.of(
                    first.map(f -> Math.min(f, committed.startedMillis())).orElse(committed.startedMillis()));
        }

        void rewritten(ClusterEvent.GroupRewritten group) {
            attempts += group.chunks();
            repaired += group.chunks();
            read += group.bytesRead();
            written += group.bytesWritten();
            first = Optional.of(first.orElse(atMillis));
        }

        void failed(ClusterEvent.RepairFailed attempt) {
            failed++;
            read += attempt.work().map(RebuildWork::bytesRead).orElse(0L);
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
