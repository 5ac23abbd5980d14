package io.ecfs.namenode.metrics;

import io.ecfs.env.real.StatusServer.Gauge;
import io.ecfs.message.AdminState;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.reconstruction.RepairTotals;
import io.ecfs.namenode.scrub.ParityScrubber;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A moment of a namenode in numbers, for monitoring. What only the leader knows is 0 elsewhere.
 * @param damageKnown all reported damage is in its index: it could lead at once
 * @param appliedIndex last log entry in this namenode's state
 * @param mover and the statistics that it has
 */
public record NamenodeGauges(
        boolean leading,
        boolean safeMode,
        boolean damageKnown,
        long term,
        long appliedIndex,
        long datanodes,
        long healthyDatanodes,
        long healthyGroups,
        long degradedGroups,
        long lostGroups,
        long openGroups,
        long suspectedDatanodes,
        long deadDatanodes,
        long repairsRunning,
        long repairsWaiting,
        long incidentsUnhealed,
        long chunksRepaired,
        long repairsFailed,
        long repairBytesRead,
        long repairBytesRepaired,
        long datanodesDecommissioning,
        long datanodesDecommissioned,
        long datanodesInMaintenance,
        long drainChunksLeft,
        long movesWaiting,
        long movesFailing,
        long movesRunning,
        long balancing,
        long balancedBytes,
        long volumesFailed,
        long volumesReadOnly,
        long volumesFull,
        long parityChecked,
        long parityWrong,
        long parityUnclear,
        MoverGauges mover) {

    public static NamenodeGauges of(
            NamenodeContext context,
            ClusterView cluster,
            HealthSurvey survey,
            Optional<Leader> leader,
            MetadataLog log) {
        long applied;
        try (var view = context.facts().get()) {
            applied = view.applied().index();
        }
        HealthSurvey.Counts counts = leader.map(l -> l.survey.counts()).orElse(new HealthSurvey.Counts(0, 0, 0, 0));
        RepairTotals repairs = leader.map(l -> l.repairs.totals()).orElseGet(RepairTotals::new);
        ParityScrubber.Totals parity = leader.map(l -> l.parity.totals()).orElse(new ParityScrubber.Totals(0, 0, 0));
        return new NamenodeGauges(
                leader.isPresent(),
                leader.map(l -> l.safeMode.on()).orElse(false),
                survey.caughtUp(),
                log.leadership().term(),
                applied,
                cluster.topology().datanodes().size(),
                cluster.healthyDatanodes(),
                counts.healthy(),
                counts.degraded(),
                counts.lost(),
                counts.open(),
                cluster.datanodes(DatanodeState.SUSPECTED),
                cluster.datanodes(DatanodeState.DEAD),
                leader.map(l -> l.repairs.running()).orElse(0),
                leader.map(l -> l.repairs.delays().waiting()).orElse(0),
                leader.map(l -> l.incidents.unhealed()).orElse(0),
                repairs.committed(),
                repairs.failed(),
                repairs.bytesRead(),
                repairs.bytesRepaired(),
                cluster.datanodes(AdminState.State.DECOMMISSIONING),
                cluster.datanodes(AdminState.State.DECOMMISSIONED),
                cluster.datanodes(AdminState.State.IN_MAINTENANCE),
                leader.map(l -> l.drains.chunksLeft()).orElse(0L),
                leader.map(l -> l.moves.waiting()).orElse(0),
                leader.map(l -> l.moves.failed()).orElse(0),
                leader.map(l -> l.repairs.moving()).orElse(0),
                leader.filter(l -> l.moves.balance().going()).isPresent() ? 1 : 0,
                leader.map(l -> l.moves.balance().bytesMoved()).orElse(0L),
                cluster.volumes(VolumeState.FAILED),
                cluster.volumes(VolumeState.READ_ONLY),
                cluster.volumes(VolumeState.FULL),
                parity.checked(),
                parity.wrong(),
                parity.unclear(),
                MoverGauges.of(context, cluster, leader.map(l -> l.moves.mover())));
    }

    /** By the names that monitors see. */
    public List<Gauge> named(String namenode) {
        Map<String, String> labels = Map.of("namenode", namenode);
        return Stream.concat(own(labels).stream(), mover.named(labels).stream()).toList();
    }

    private List<Gauge> own(Map<String, String> labels) {
        return List.of(
                new Gauge("ecfs_namenode_leading", "1 on the leader", labels, leading ? 1 : 0),
                new Gauge("ecfs_namenode_safe_mode", "1 while the leader takes no writes", labels, safeMode ? 1 : 0),
                new Gauge(
                        "ecfs_namenode_damage_known",
                        "1 when facts and reports are compared, so that this namenode could lead at once",
                        labels,
                        damageKnown ? 1 : 0),
                new Gauge("ecfs_namenode_term", "Term of the replicated log", labels, term),
                new Gauge("ecfs_namenode_applied_index", "Last log entry in the state", labels, appliedIndex),
                new Gauge("ecfs_namenode_datanodes", "Registered datanodes", labels, datanodes),
                new Gauge("ecfs_namenode_datanodes_healthy", "Datanodes that report", labels, healthyDatanodes),
                new Gauge("ecfs_namenode_datanodes_suspected", "Datanodes that are silent", labels, suspectedDatanodes),
                new Gauge("ecfs_namenode_datanodes_dead", "Datanodes given up", labels, deadDatanodes),
                new Gauge("ecfs_namenode_groups_healthy", "Sealed groups, all chunks live", labels, healthyGroups),
                new Gauge(
                        "ecfs_namenode_groups_degraded",
                        "Sealed groups, k or more chunks live",
                        labels,
                        degradedGroups),
                new Gauge("ecfs_namenode_groups_lost", "Sealed groups, fewer than k chunks live", labels, lostGroups),
                new Gauge("ecfs_namenode_groups_open", "Groups being written", labels, openGroups),
                new Gauge("ecfs_namenode_repairs_running", "Chunks being rebuilt", labels, repairsRunning),
                new Gauge(
                        "ecfs_namenode_chunks_repaired",
                        "Chunks rebuilt since this namenode leads",
                        labels,
                        chunksRepaired),
                new Gauge(
                        "ecfs_namenode_repairs_waiting",
                        "Groups without a target or enough sources",
                        labels,
                        repairsWaiting),
                new Gauge(
                        "ecfs_namenode_incidents_unhealed",
                        "Incidents with chunks still lost",
                        labels,
                        incidentsUnhealed),
                new Gauge(
                        "ecfs_namenode_repairs_failed",
                        "Attempts that failed since this namenode leads",
                        labels,
                        repairsFailed),
                new Gauge(
                        "ecfs_namenode_repair_read_bytes",
                        "Bytes of sources read for repairs since this namenode leads",
                        labels,
                        repairBytesRead),
                new Gauge(
                        "ecfs_namenode_repair_written_bytes",
                        "Bytes of chunks rebuilt since this namenode leads",
                        labels,
                        repairBytesRepaired),
                new Gauge(
                        "ecfs_namenode_datanodes_decommissioning",
                        "Datanodes whose chunks are being moved to others",
                        labels,
                        datanodesDecommissioning),
                new Gauge(
                        "ecfs_namenode_datanodes_decommissioned",
                        "Datanodes that may be taken away",
                        labels,
                        datanodesDecommissioned),
                new Gauge(
                        "ecfs_namenode_datanodes_in_maintenance",
                        "Datanodes in maintenance",
                        labels,
                        datanodesInMaintenance),
                new Gauge(
                        "ecfs_namenode_drain_chunks_left",
                        "Chunks on datanodes that are being decommissioned",
                        labels,
                        drainChunksLeft),
                new Gauge(
                        "ecfs_namenode_moves_waiting",
                        "Groups of which a chunk cannot be moved now",
                        labels,
                        movesWaiting),
                new Gauge("ecfs_namenode_moves_failing", "Groups of which the last move failed", labels, movesFailing),
                new Gauge(
                        "ecfs_namenode_moves_running",
                        "Chunks being moved although nothing is wrong with them",
                        labels,
                        movesRunning),
                new Gauge("ecfs_namenode_balancing", "1 while volumes are being filled evenly", labels, balancing),
                new Gauge("ecfs_namenode_volumes_failed", "Volumes that are out", labels, volumesFailed),
                new Gauge(
                        "ecfs_namenode_volumes_read_only",
                        "Volumes that take no change any more",
                        labels,
                        volumesReadOnly),
                new Gauge("ecfs_namenode_volumes_full", "Volumes without room", labels, volumesFull),
                new Gauge(
                        "ecfs_namenode_balanced_bytes",
                        "Bytes moved to fill volumes evenly since this namenode leads",
                        labels,
                        balancedBytes),
                new Gauge(
                        "ecfs_namenode_parity_groups_checked",
                        "Groups whose parity was compared since this namenode leads",
                        labels,
                        parityChecked),
                new Gauge(
                        "ecfs_namenode_parity_chunks_wrong",
                        "Chunks that did not belong to their group though their checksums were right",
                        labels,
                        parityWrong),
                new Gauge(
                        "ecfs_namenode_parity_groups_unclear",
                        "Groups whose parity does not match and whose wrong chunk is unknown",
                        labels,
                        parityUnclear));
    }
}
