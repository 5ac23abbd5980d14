package io.ecfs.console.view;

import io.ecfs.message.report.ClusterReport;
import java.io.PrintWriter;
import java.util.List;

/** Namenodes, datanodes with their volumes, and groups by health, for {@code ecfs admin report}. */
public final class ClusterState {
    private ClusterState() {}

    public static void print(PrintWriter out, ClusterReport report) {
        ClusterReport.Groups groups = report.groups();
        out.println(
                "cluster " + report.clusterId() + (report.safeMode() ? "  SAFE MODE: " + report.safeModeReason() : ""));
        Health health = Health.of(report);
        out.println("health  " + health.level().text());
        health.reasons()
                .forEach(reason -> out.println("        " + reason.level().text() + ": " + reason.text()));
        out.println("groups  " + groups.healthy() + " healthy, " + groups.degraded() + " degraded, " + groups.lost()
                + " unavailable, " + groups.open() + " being written");
        List<Long> degraded = report.degradedBySpare().orElse(List.of());
        for (int spare = 0; spare < degraded.size(); spare++) {
            long count = degraded.get(spare);
            if (count > 0) {
                out.println("        of the degraded " + count + " tolerate " + spare + " further losses");
            }
        }
        report.levels().ifPresent(levels -> out.println("feature level " + levels.inForce() + " in force"));
        out.println();
        TextTable namenodes = new TextTable("NAMENODE", "ADDRESS", "ROLE", "TERM", "APPLIED", "LEVEL");
        report.namenodes()
                .forEach(n -> namenodes.row(
                        n.id(),
                        n.address(),
                        n.role(),
                        n.term(),
                        n.appliedIndex() < 0 ? "-" : n.appliedIndex(),
                        report.levels()
                                .map(levels -> levels.releases().get(n.id()))
                                .map(Object::toString)
                                .orElse("-")));
        out.println(namenodes);
        TextTable datanodes = new TextTable(
                "DATANODE",
                "ADDRESS",
                "RACK",
                "STATE",
                "ADMIN STATE",
                "VOLUME",
                "STATE",
                "USED",
                "FREE",
                "CHUNKS",
                "LAST HEARTBEAT");
        for (ClusterReport.Datanode d : report.datanodes()) {
            String heartbeat = d.lastHeartbeatMillis() == 0 ? "never" : Times.localSecond(d.lastHeartbeatMillis());
            d.volumes()
                    .forEach(v -> datanodes.row(
                            d.id(),
                            d.address(),
                            d.rack(),
                            d.state(),
                            Drainage.duty(d.duty()),
                            v.id(),
                            v.state(),
                            TextTable.bytes(v.usedBytes()),
                            TextTable.bytes(v.freeBytes()),
                            v.chunks(),
                            heartbeat));
        }
        out.print(datanodes);
        report.datanodes()
                .forEach(d ->
                        d.drain().ifPresent(drain -> out.println("datanode " + d.id() + ": " + Drainage.text(drain))));
        out.flush();
    }
}
