package io.ecfs.namenode.server;

import io.ecfs.env.real.StatusServer.Gauge;
import io.ecfs.namenode.log.MetadataLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A moment of a namenode in numbers, for monitoring. What only the leader knows is 0 elsewhere.
 *
 * @param appliedIndex last log entry in this namenode's state
 */
public record NamenodeGauges(
        boolean leading,
        boolean safeMode,
        long term,
        long appliedIndex,
        long datanodes,
        long healthyDatanodes,
        long healthyGroups,
        long degradedGroups,
        long lostGroups,
        long openGroups,
        long repairsRunning,
        long chunksRepaired) {

    static NamenodeGauges of(Surroundings around, Optional<Leader> leader, MetadataLog log) {
        long applied;
        try (var view = around.facts().get()) {
            applied = view.applied().index();
        }
        HealthSurvey.Counts counts = leader.map(l -> l.survey.counts()).orElse(new HealthSurvey.Counts(0, 0, 0, 0));
        return new NamenodeGauges(
                leader.isPresent(),
                leader.map(l -> l.safeMode.on()).orElse(false),
                log.leadership().term(),
                applied,
                around.topology().datanodes().size(),
                around.healthyDatanodes(),
                counts.healthy(),
                counts.degraded(),
                counts.lost(),
                counts.open(),
                leader.map(l -> l.repairs.running()).orElse(0),
                leader.map(l -> l.repairs.committed()).orElse(0L));
    }

    /** By the names that monitors see. */
    public List<Gauge> named(String namenode) {
        Map<String, String> labels = Map.of("namenode", namenode);
        return List.of(
                new Gauge("ecfs_namenode_leading", "1 on the leader", labels, leading ? 1 : 0),
                new Gauge("ecfs_namenode_safe_mode", "1 while the leader takes no writes", labels, safeMode ? 1 : 0),
                new Gauge("ecfs_namenode_term", "Term of the replicated log", labels, term),
                new Gauge("ecfs_namenode_applied_index", "Last log entry in the state", labels, appliedIndex),
                new Gauge("ecfs_namenode_datanodes", "Registered datanodes", labels, datanodes),
                new Gauge("ecfs_namenode_datanodes_healthy", "Datanodes heard from lately", labels, healthyDatanodes),
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
                        chunksRepaired));
    }
}
