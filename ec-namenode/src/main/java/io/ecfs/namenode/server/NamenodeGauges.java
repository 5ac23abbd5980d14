package io.ecfs.namenode.server;

import io.ecfs.namenode.log.MetadataLog;
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
        long openGroups) {

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
                counts.open());
    }
}
