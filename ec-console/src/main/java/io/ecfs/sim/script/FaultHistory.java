package io.ecfs.sim.script;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which incidents of the namenodes' history each fault opened: an incident belongs to the last fault before it that
 * hurt what it is about.
 */
final class FaultHistory {
    private final PlacementFacts facts;
    private final List<ScriptedFault> faults;

    FaultHistory(PlacementFacts facts, List<ScriptedFault> faults) {
        this.facts = facts;
        this.faults = faults;
    }

    List<Incident> incidents(ScriptedFault fault) {
        return facts.facts(view -> incidents(view, fault));
    }

    private List<Incident> incidents(MetadataView view, ScriptedFault fault) {
        return view.incidents(0, Integer.MAX_VALUE).stream()
                .filter(incident -> cause(incident).equals(Optional.of(fault)))
                .toList();
    }

    private Optional<ScriptedFault> cause(Incident incident) {
        return faults.stream()
                .filter(fault -> fault.state() != ScriptedFault.State.WAITING)
                .filter(fault -> fault.injectedEpochMillis() <= incident.detectedMillis())
                .filter(fault -> hurts(fault, incident.cause()))
                .reduce((one, other) -> other.injectedNanos() > one.injectedNanos() ? other : one);
    }

    private boolean hurts(ScriptedFault fault, IncidentCause cause) {
        return switch (cause.kind()) {
            case DATANODE_DEAD ->
                cause.datanode()
                        .filter(dead -> fault.volumes().stream()
                                .anyMatch(volume -> volume.datanode().equals(dead.name())))
                        .isPresent();
            case VOLUME_FAILED, VOLUME_READ_ONLY, CHUNKS_CORRUPT, CHUNKS_MISSING ->
                cause.volume()
                        .flatMap(facts::volume)
                        .filter(fault.volumes()::contains)
                        .isPresent();
            case GROUPS_DISPUTED -> fault.kind() == FaultKind.FORGE || fault.kind() == FaultKind.SWAP;
            case CHUNKS_ABSENT,
                    DATANODE_LEAVING,
                    DATANODE_RESTING,
                    VOLUMES_UNEVEN,
                    READS_COSTLY,
                    VOLUME_LEAVING,
                    RING_CLOCK_OFF,
                    FILES_REWRITTEN,
                    NAMENODE_DIVERGED -> false;
        };
    }

    /** The phases of all faults together. */
    PhaseTimes phases() {
        ScriptedFault first = faults.stream()
                .filter(fault -> fault.kind().takesChunksAway())
                .findFirst()
                .orElse(faults.get(0));
        return facts.facts(view -> phases(
                view,
                first,
                view.incidents(0, Integer.MAX_VALUE).stream()
                        .filter(incident -> !incident.cause().planned())
                        .toList()));
    }

    private static PhaseTimes phases(MetadataView view, ScriptedFault fault, List<Incident> incidents) {
        List<RepairTrace> repairs = new ArrayList<>();
        incidents.forEach(incident -> repairs.addAll(view.repairs(incident.id(), 0, 0, Integer.MAX_VALUE)));
        return PhaseTimes.of(fault.injectedEpochMillis(), incidents, repairs);
    }

    SimulatedOutcome.Fault outcome(ScriptedFault fault) {
        return facts.facts(view -> {
            List<Incident> incidents = incidents(view, fault);
            return new SimulatedOutcome.Fault(
                    fault.kind(),
                    fault.victims(),
                    Duration.ofNanos(fault.injectedNanos()).toMillis(),
                    Duration.ofNanos(fault.undoneNanos()).toMillis(),
                    fault.rebuilt(),
                    healed(fault, incidents),
                    phases(view, fault, incidents),
                    incidents.size(),
                    incidents.stream().mapToLong(Incident::bytesRead).sum(),
                    incidents.stream().mapToLong(Incident::bytesRepaired).sum(),
                    incidents.stream().mapToLong(Incident::repaired).sum());
        });
    }

    /** All processes share the clock of the world. */
    private static OptionalLong healed(ScriptedFault fault, List<Incident> incidents) {
        OptionalLong last = incidents.stream()
                .flatMap(incident -> incident.healedMillis().stream())
                .mapToLong(Long::longValue)
                .max();
        long beganMillis = fault.injectedEpochMillis()
                - Duration.ofNanos(fault.injectedNanos()).toMillis();
        return last.isPresent() ? OptionalLong.of(last.getAsLong() - beganMillis) : last;
    }
}
