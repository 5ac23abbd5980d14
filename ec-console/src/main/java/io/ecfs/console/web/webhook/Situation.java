package io.ecfs.console.web.webhook;

import io.ecfs.console.view.Health;
import io.ecfs.message.report.Incident;
import java.util.List;
import java.util.Objects;

/**
 * What one poll found of that which alerts are made of.
 *
 * @param cluster its id; empty until the namenodes have answered once
 * @param health the verdict
 * @param atRisk as {@link Health#atRisk}
 * @param incidents all that the history has, healed or not, by id
 */
public record Situation(String cluster, Health health, boolean atRisk, List<Incident> incidents) {
    public Situation {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(health, "health");
        incidents = List.copyOf(incidents);
    }
}
