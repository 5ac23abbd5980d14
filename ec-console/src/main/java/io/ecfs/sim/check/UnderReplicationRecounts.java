package io.ecfs.sim.check;

import static io.ecfs.sim.time.SimulationFailure.check;

import io.ecfs.namenode.health.UnderReplicationAudit;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.NamenodeHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Has every namenode recount what is damaged, from all facts and reports that it has, and compare that with the ledger
 * that it updates as entries and reports arrive. A recount takes place on the namenode's own thread, between two looks.
 */
final class UnderReplicationRecounts {
    private final Cluster cluster;
    private Map<String, CompletableFuture<UnderReplicationAudit>> begun = new TreeMap<>();
    private List<String> unsettled = List.of();

    UnderReplicationRecounts(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Checks the recounts that were begun at the last poll, and begins others. */
    void poll() {
        List<String> waiting = new ArrayList<>();
        begun.forEach((id, answer) -> {
            if (!answer.isDone() || answer.isCompletedExceptionally()) {
                waiting.add(id + " has not recounted the damage");
                return;
            }
            UnderReplicationAudit audit = answer.join();
            check(audit.difference().isEmpty(), "ledger of damage of %s: %s", id, audit.difference());
            if (!audit.settled()) {
                waiting.add(id + " has still to note damage");
            }
        });
        unsettled = List.copyOf(waiting);
        begun = new TreeMap<>();
        cluster.namenodes().stream()
                .filter(NamenodeHost::up)
                .forEach(namenode -> begun.put(namenode.id(), namenode.auditLedger()));
    }

    /** The namenodes that had not compared all at the last poll, and why. */
    List<String> unsettled() {
        return unsettled;
    }
}
