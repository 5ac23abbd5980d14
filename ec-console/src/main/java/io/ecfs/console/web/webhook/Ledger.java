package io.ecfs.console.web.webhook;

import io.ecfs.console.view.Health;
import io.ecfs.console.view.Severity;
import io.ecfs.message.report.Incident;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was announced of a cluster. Immutable.
 *
 * @param cluster its id; empty for none yet
 * @param last id of the latest incident that was announced, or that had healed before the first announcement
 * @param open severity of the announced incidents that are not announced as healed
 * @param health the announced verdict
 */
record Ledger(String cluster, long last, Map<Long, Severity> open, Health.Level health) {
    /** Of a receiver that is new. */
    static final Ledger NONE = new Ledger("", 0, Map.of(), Health.Level.OK);

    Ledger {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(health, "health");
        open = Collections.unmodifiableSortedMap(new TreeMap<>(open));
    }

    /**
     * The same for the cluster as it is found. Of another cluster, or for a receiver that is new, incidents that have
     * healed are not announced. A history that is shorter than the ledger comes from a restored backup. Incidents that
     * the history no longer has are forgotten.
     */
    Ledger on(Situation now) {
        if (now.cluster().isEmpty()) {
            return this;
        }
        List<Incident> incidents = now.incidents();
        long highest =
                incidents.isEmpty() ? 0 : incidents.get(incidents.size() - 1).id();
        if (!cluster.equals(now.cluster())) {
            return new Ledger(now.cluster(), highest, Map.of(), health);
        }
        Set<Long> known = incidents.stream().map(Incident::id).collect(Collectors.toSet());
        SortedMap<Long, Severity> left = new TreeMap<>(open);
        left.keySet().retainAll(known);
        return new Ledger(cluster, Math.min(last, highest), left, health);
    }

    Ledger opened(long incident, Severity severity) {
        Map<Long, Severity> more = new TreeMap<>(open);
        more.put(incident, severity);
        return new Ledger(cluster, Math.max(last, incident), more, health);
    }

    Ledger healed(long incident) {
        Map<Long, Severity> left = new TreeMap<>(open);
        left.remove(incident);
        return new Ledger(cluster, last, left, health);
    }

    Ledger judged(Health.Level verdict) {
        return new Ledger(cluster, last, open, verdict);
    }
}
