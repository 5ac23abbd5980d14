package io.ecfs.namenode.metrics;

import io.ecfs.env.real.Metric;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A moment of a namenode in numbers, for monitoring. What only the leader knows is 0 elsewhere.
 * @param damageKnown all reported damage is in its index: it could lead at once
 * @param appliedIndex last log entry in this namenode's state
 * @param degradedBySpare degraded groups that surely survive no further loss, one, two …
 * @param expectedHealthy without datanodes in maintenance or taken away, as the next two
 * @param longestLeaseRecoveryMillis longest time of a file's recovery in its present stage
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
        List<Long> degradedBySpare,
        long expectedHealthy,
        long expectedSuspected,
        long expectedDead,
        long leaseRecoveries,
        long longestLeaseRecoveryMillis,
        MoverGauges mover,
        RewriteGauges rewrites) {
    private static final double MILLI = 1e3;

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
                leader.map(l -> l.survey.degradedBySpare()).orElse(List.of()),
                cluster.expectedDatanodes(DatanodeState.HEALTHY),
                cluster.expectedDatanodes(DatanodeState.SUSPECTED),
                cluster.expectedDatanodes(DatanodeState.DEAD),
                leader.map(l -> l.recovery.recovering()).orElse(0),
                leader.map(l -> l.recovery.longestWaitMillis()).orElse(0L),
                MoverGauges.of(context, cluster, leader.map(l -> l.moves.mover())),
                RewriteGauges.of(leader.map(l -> l.rewriting)));
    }

    /** By the names that monitors see. */
    public List<Metric> named(String namenode) {
        Map<String, String> labels = Map.of("namenode", namenode);
        List<Metric> all = new ArrayList<>();
        namenode(all, labels);
        datanodes(all, labels);
        groups(all, labels);
        repairs(all, labels);
        moves(all, labels);
        parity(all, labels);
        all.addAll(mover.named(labels));
        all.addAll(rewrites.named(labels));
        return all;
    }

    private void namenode(List<Metric> all, Map<String, String> labels) {
        all.add(Metric.gauge("ecfs_namenode_leading", "1 on the leader", labels, leading ? 1 : 0));
        all.add(Metric.gauge(
                "ecfs_namenode_safe_mode", "1 while the leader takes no writes", labels, safeMode ? 1 : 0));
        all.add(Metric.gauge(
                "ecfs_namenode_damage_known",
                "1 when facts and reports are compared, so that this namenode could lead at once",
                labels,
                damageKnown ? 1 : 0));
        all.add(Metric.gauge("ecfs_namenode_term", "Term of the replicated log", labels, term));
        all.add(Metric.gauge("ecfs_namenode_applied_index", "Last log entry in the state", labels, appliedIndex));
        all.add(Metric.gauge(
                "ecfs_namenode_lease_recoveries",
                "Files of lost writers that are being closed",
                labels,
                leaseRecoveries));
        all.add(Metric.gauge(
                "ecfs_namenode_lease_recovery_longest_seconds",
                "Longest time that such a file has waited in its present stage",
                labels,
                longestLeaseRecoveryMillis / MILLI));
    }

    private void datanodes(List<Metric> all, Map<String, String> labels) {
        all.add(Metric.gauge("ecfs_namenode_datanodes", "Registered datanodes", labels, datanodes));
        states(all, labels, "healthy", expectedHealthy, "ecfs_namenode_datanodes_healthy", healthyDatanodes);
        states(all, labels, "suspected", expectedSuspected, "ecfs_namenode_datanodes_suspected", suspectedDatanodes);
        states(all, labels, "dead", expectedDead, "ecfs_namenode_datanodes_dead", deadDatanodes);
        admins(all, labels, "decommissioning", datanodesDecommissioning, "ecfs_namenode_datanodes_decommissioning");
        admins(all, labels, "decommissioned", datanodesDecommissioned, "ecfs_namenode_datanodes_decommissioned");
        admins(all, labels, "in_maintenance", datanodesInMaintenance, "ecfs_namenode_datanodes_in_maintenance");
        volumes(all, labels, "failed", volumesFailed, "ecfs_namenode_volumes_failed");
        volumes(all, labels, "read_only", volumesReadOnly, "ecfs_namenode_volumes_read_only");
        volumes(all, labels, "full", volumesFull, "ecfs_namenode_volumes_full");
        all.add(Metric.gauge(
                "ecfs_namenode_drain_chunks_left",
                "Chunks on datanodes that are being decommissioned",
                labels,
                drainChunksLeft));
    }

    private static void states(
            List<Metric> all, Map<String, String> labels, String state, long value, String old, long formerValue) {
        all.add(Metric.gauge(
                        "ecfs_namenode_datanodes_by_state",
                        "Datanodes that are expected to run: healthy ones report, suspected ones are silent,"
                                + " dead ones are given up",
                        Metric.with(labels, "state", state),
                        value)
                .formerly(old, labels, formerValue));
    }

    private static void admins(List<Metric> all, Map<String, String> labels, String state, long value, String old) {
        all.add(Metric.gauge(
                        "ecfs_namenode_datanodes_by_admin_state",
                        "Datanodes that are not in service, by administrative state",
                        Metric.with(labels, "admin_state", state),
                        value)
                .formerly(old, labels, value));
    }

    private static void volumes(List<Metric> all, Map<String, String> labels, String state, long value, String old) {
        all.add(Metric.gauge(
                        "ecfs_namenode_volumes_by_state",
                        "Volumes of live datanodes that are not healthy, by state",
                        Metric.with(labels, "state", state),
                        value)
                .formerly(old, labels, value));
    }

    private void groups(List<Metric> all, Map<String, String> labels) {
        health(all, labels, "healthy", healthyGroups, "ecfs_namenode_groups_healthy");
        health(all, labels, "degraded", degradedGroups, "ecfs_namenode_groups_degraded");
        health(all, labels, "unavailable", lostGroups, "ecfs_namenode_groups_lost");
        health(all, labels, "open", openGroups, "ecfs_namenode_groups_open");
        for (int spare = 0; spare < Math.max(1, degradedBySpare.size()); spare++) {
            all.add(Metric.gauge(
                    "ecfs_namenode_groups_by_tolerance",
                    "Degraded groups, by the further losses that they surely survive",
                    Metric.with(labels, "losses", Integer.toString(spare)),
                    spare < degradedBySpare.size() ? degradedBySpare.get(spare) : 0));
        }
    }

    private static void health(List<Metric> all, Map<String, String> labels, String health, long value, String old) {
        all.add(Metric.gauge(
                        "ecfs_namenode_groups_by_health",
                        "Block groups: sealed ones with all chunks, with k or more and with fewer; open ones",
                        Metric.with(labels, "health", health),
                        value)
                .formerly(old, labels, value));
    }

    private void repairs(List<Metric> all, Map<String, String> labels) {
        all.add(Metric.gauge("ecfs_namenode_repairs_running", "Chunks being rebuilt", labels, repairsRunning));
        all.add(Metric.gauge(
                "ecfs_namenode_repairs_waiting", "Groups without a target or enough sources", labels, repairsWaiting));
        all.add(Metric.gauge(
                "ecfs_namenode_incidents_unhealed", "Incidents with chunks still lost", labels, incidentsUnhealed));
        all.add(Metric.counter(
                        "ecfs_namenode_chunks_repaired_total",
                        "Chunks rebuilt since this namenode leads",
                        labels,
                        chunksRepaired)
                .formerly("ecfs_namenode_chunks_repaired"));
        all.add(Metric.counter(
                        "ecfs_namenode_repairs_failed_total",
                        "Attempts that failed since this namenode leads",
                        labels,
                        repairsFailed)
                .formerly("ecfs_namenode_repairs_failed"));
        all.add(Metric.counter(
                        "ecfs_namenode_repair_read_bytes_total",
                        "Bytes of sources read for repairs since this namenode leads",
                        labels,
                        repairBytesRead)
                .formerly("ecfs_namenode_repair_read_bytes"));
        all.add(Metric.counter(
                        "ecfs_namenode_repair_written_bytes_total",
                        "Bytes of chunks rebuilt since this namenode leads",
                        labels,
                        repairBytesRepaired)
                .formerly("ecfs_namenode_repair_written_bytes"));
    }

    private void moves(List<Metric> all, Map<String, String> labels) {
        all.add(Metric.gauge(
                "ecfs_namenode_moves_waiting", "Groups of which a chunk cannot be moved now", labels, movesWaiting));
        all.add(Metric.gauge(
                "ecfs_namenode_moves_failing", "Groups of which the last move failed", labels, movesFailing));
        all.add(Metric.gauge(
                "ecfs_namenode_moves_running",
                "Chunks being moved although nothing is wrong with them",
                labels,
                movesRunning));
        all.add(Metric.gauge("ecfs_namenode_balancing", "1 while volumes are being filled evenly", labels, balancing));
        all.add(Metric.counter(
                        "ecfs_namenode_balanced_bytes_total",
                        "Bytes moved to fill volumes evenly since this namenode leads",
                        labels,
                        balancedBytes)
                .formerly("ecfs_namenode_balanced_bytes"));
    }

    private void parity(List<Metric> all, Map<String, String> labels) {
        all.add(Metric.counter(
                        "ecfs_namenode_parity_groups_checked_total",
                        "Groups whose parity was compared since this namenode leads",
                        labels,
                        parityChecked)
                .formerly("ecfs_namenode_parity_groups_checked"));
        all.add(Metric.counter(
                        "ecfs_namenode_parity_chunks_wrong_total",
                        "Chunks that did not belong to their group though their checksums were right",
                        labels,
                        parityWrong)
                .formerly("ecfs_namenode_parity_chunks_wrong"));
        all.add(Metric.counter(
                        "ecfs_namenode_parity_groups_unclear_total",
                        "Groups whose parity does not match and whose wrong chunk is unknown",
                        labels,
                        parityUnclear)
                .formerly("ecfs_namenode_parity_groups_unclear"));
    }
}
