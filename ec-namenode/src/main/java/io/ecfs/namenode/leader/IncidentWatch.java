package io.ecfs.namenode.leader;

import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.IncidentCause.Kind;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.reconstruction.RepairCauses;
import io.ecfs.namenode.ring.ClockSkew;
import io.ecfs.namenode.state.MetadataView;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Detects, on the leader, what begins and what ends: datanodes that die or come back, volumes that fail, incidents that
 * are healed. It compares the present with the incidents in the facts, so that a new leader continues where the last
 * one stopped; repairs record their own events. Owner thread: the namenode's event thread.
 */
public final class IncidentWatch {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final HealthSurvey survey;
    private final RepairCauses causes;
    private final EventRecorder recorder;
    private final Predicate<IncidentCause> underRepair;
    private final BooleanSupplier balancing;
    private final BooleanSupplier moving;
    private final BooleanSupplier converting;
    private final BooleanSupplier undisputed;
    private final ClockSkew clockSkew;
    private final TreeMap<DatanodeId, DatanodeState> states = new TreeMap<>();
    private int unhealed;

    /**
     * @param underRepair whether a chunk that was lost by this cause is being rebuilt
     * @param balancing whether chunks are moved to fill volumes evenly
     * @param moving whether they are moved to where reading them costs less
     * @param converting whether files are rewritten under another policy
     * @param undisputed whether no group is suspected to hold a wrong chunk
     */
    IncidentWatch(
            NamenodeContext context,
            ClusterView cluster,
            HealthSurvey survey,
            EventRecorder recorder,
            Predicate<IncidentCause> underRepair,
            BooleanSupplier balancing,
            BooleanSupplier moving,
            BooleanSupplier converting,
            BooleanSupplier undisputed,
            ClockSkew clockSkew) {
        this.context = context;
        this.cluster = cluster;
        this.survey = survey;
        this.causes = new RepairCauses(context, cluster);
        this.recorder = recorder;
        this.underRepair = underRepair;
        this.balancing = balancing;
        this.moving = moving;
        this.converting = converting;
        this.undisputed = undisputed;
        this.clockSkew = clockSkew;
    }

    /** Incidents that were not healed at the last check. */
    public int unhealed() {
        return unhealed;
    }

    /** Checks everything; decides only on what the log has confirmed. */
    void tick() {
        boolean flushed = recorder.flushed();
        cluster.topology().datanodes().forEach(facts -> check(facts.datanode()));
        if (!flushed) {
            return;
        }
        try (MetadataView view = context.facts().get()) {
            List<Incident> goingOn = view.incidentsGoingOn();
            Set<IncidentCause> known = new HashSet<>();
            goingOn.forEach(incident -> known.add(incident.cause()));
            cluster.topology().datanodes().forEach(facts -> begin(facts, known));
            goingOn.forEach(incident -> end(view, incident));
            unhealed = (int) goingOn.stream()
                    .filter(incident -> incident.healedMillis().isEmpty()
                            && !incident.cause().planned())
                    .count();
        }
    }

    /** Checks the incidents of a cause of which a chunk was placed again: it may have been the last. */
    void repaired(IncidentCause cause) {
        if (recorder.flushed()) {
            try (MetadataView view = context.facts().get()) {
                if (clean(view, cause)) {
                    view.incidentsGoingOn().stream()
                            .filter(incident -> incident.cause().equals(cause))
                            .forEach(incident -> end(view, incident));
                }
            }
        }
    }

    private void check(DatanodeId datanode) {
        DatanodeState now = cluster.state(datanode);
        DatanodeState before = states.put(datanode, now);
        if (before != null && before != now) {
            recorder.note(new ClusterEvent.DatanodeChanged(datanode, before, now));
        }
    }

    private void begin(DatanodeFacts facts, Set<IncidentCause> known) {
        DatanodeId datanode = facts.datanode();
        DatanodeState state = cluster.state(datanode);
        IncidentCause dead = IncidentCause.dead(datanode);
        // One that is in maintenance or has left may be silent.
        boolean may = facts.inMaintenance() || facts.adminState().state() == AdminState.State.DECOMMISSIONED;
        if (state == DatanodeState.DEAD && !may && !known.contains(dead)) {
            recorder.note(new ClusterEvent.IncidentOpened(
                    dead,
                    context.epochOf(cluster.table().suspectedAtMillis(datanode)),
                    context.epochOf(causes.deadMillis(facts))));
        } else if (state == DatanodeState.HEALTHY) {
            IncidentCause clockOff = IncidentCause.ringClockOff(datanode);
            if (clockSkew.isOff(datanode) && !known.contains(clockOff)) {
                long now = context.epochMillis();
                recorder.note(new ClusterEvent.IncidentOpened(clockOff, now, now));
            }
            for (VolumeId volume : facts.volumes().values()) {
                IncidentCause readOnly = IncidentCause.onVolume(Kind.VOLUME_READ_ONLY, datanode, volume);
                if (cluster.readOnly(volume) && !known.contains(readOnly)) {
                    long now = context.epochMillis();
                    recorder.note(new ClusterEvent.IncidentOpened(readOnly, now, now));
                }
                IncidentCause failed = IncidentCause.onVolume(Kind.VOLUME_FAILED, datanode, volume);
                // A volume that was removed and has nothing left is no incident.
                if (causes.failed(volume) && !known.contains(failed) && survey.damaged(volume)) {
                    long now = context.epochMillis();
                    recorder.note(new ClusterEvent.IncidentOpened(failed, now, now));
                }
            }
        }
    }

    private void end(MetadataView view, Incident incident) {
        IncidentCause cause = incident.cause();
        if (!incident.causeGone() && gone(cause)) {
            recorder.note(new ClusterEvent.CauseGone(cause));
        }
        if (incident.healedMillis().isEmpty() && clean(view, cause)) {
            recorder.note(new ClusterEvent.IncidentHealed(cause));
        }
    }

    private boolean gone(IncidentCause cause) {
        Optional<DatanodeState> state = cause.datanode().map(cluster::state);
        if (cause.kind() == Kind.VOLUME_READ_ONLY) {
            return state.equals(Optional.of(DatanodeState.HEALTHY))
                    && cause.volume().filter(cluster::readOnly).isEmpty();
        }
        if (cause.kind() == Kind.RING_CLOCK_OFF) {
            return cause.datanode().filter(clockSkew::isRight).isPresent();
        }
        if (cause.kind() == Kind.VOLUME_LEAVING) {
            return cause.volume().filter(cluster.rings().now()::leaves).isEmpty();
        }
        return state.equals(Optional.of(DatanodeState.HEALTHY))
                && cause.volume().filter(causes::failed).isEmpty();
    }

    private boolean clean(MetadataView view, IncidentCause cause) {
        Optional<AdminState.State> adminState = cause.datanode()
                .flatMap(view::datanode)
                .map(facts -> facts.adminState().state());
        if (underRepair.test(cause) || cause.kind() == Kind.NAMENODE_DIVERGED) {
            return false; // the latter ends when the namenodes are compared again
        } else if (cause.kind() == Kind.DATANODE_LEAVING) {
            return !adminState.equals(Optional.of(AdminState.State.DECOMMISSIONING)); // the log itself records its end
        } else if (cause.kind() == Kind.VOLUME_READ_ONLY || cause.kind() == Kind.VOLUME_LEAVING) {
            return view.chunksOn(cause.volume().orElseThrow(), Optional.empty(), 1)
                            .isEmpty()
                    || gone(cause);
        } else if (cause.kind() == Kind.RING_CLOCK_OFF) {
            return gone(cause);
        } else if (cause.kind() == Kind.VOLUMES_UNEVEN) {
            return !balancing.getAsBoolean();
        } else if (cause.kind() == Kind.READS_COSTLY) {
            return !moving.getAsBoolean();
        } else if (cause.kind() == Kind.FILES_REWRITTEN) {
            return !converting.getAsBoolean();
        } else if (cause.kind() == Kind.GROUPS_DISPUTED) {
            return undisputed.getAsBoolean();
        } else if (cause.kind() == Kind.DATANODE_RESTING
                && !adminState.equals(Optional.of(AdminState.State.IN_MAINTENANCE))) {
            return true;
        } else if (cause.volume().isPresent()) {
            return survey.clean(cause.volume().get());
        }
        return cause.datanode()
                .map(datanode -> cluster.topology().datanode(datanode).stream()
                        .flatMap(facts -> facts.volumes().values().stream())
                        .allMatch(survey::clean))
                .orElseGet(survey::complete);
    }
}
