package io.ecfs.bench;

import io.ecfs.bench.load.Content;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.layout.Policy;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code recovery}: kills the datanode with most bytes, waits until everything that it had was rebuilt elsewhere
 * without a command, and tells the incident as the cluster's own history has it. Afterwards every file is read back and
 * compared.
 */
final class RecoveryWorkload implements Workload {
    /** As many files hold the bytes: groups enough for every datanode to be a target, chunks of a size that streams. */
    private static final int FILES = 16;

    private static final int INCIDENTS = 100;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        OwnCluster cluster = stage.ownFor(WorkloadKind.RECOVERY);
        SequentialFiles.warmUp(stage, policy);
        SequentialFiles files = new SequentialFiles(stage, policy, "recovery", FILES);
        return number -> {
            long before = stage.stored();
            stage.doing("writing " + files.bytes() + " bytes to lose a part of, " + policy);
            files.write();
            measure(cluster, files, number);
            stage.doing("reading everything back, " + policy);
            files.verify();
            files.delete();
            stage.drain(before);
        };
    }

    private static void measure(OwnCluster cluster, SequentialFiles files, int number) throws Exception {
        Stage stage = files.stage();
        ClusterReport.Datanode fullest = ClusterWatch.fullest(ClusterWatch.awaitWhole(stage.client()));
        String lost = fullest.id().name();
        long known = lastIncident(stage);
        stage.doing("recovery of " + lost + ", " + files.policy() + ", repetition " + number);
        long[] killedMillis = new long[1];
        try {
            Measured<Incident> part = stage.measureRepair(ClusterWatch.chunkBytes(fullest), () -> {
                killedMillis[0] = System.currentTimeMillis();
                cluster.kill(lost);
                return awaitHealed(stage, lost, known);
            });
            tell(files, number, part, killedMillis[0]);
        } finally {
            cluster.startAgain(List.of(lost));
        }
    }

    private static void tell(SequentialFiles files, int number, Measured<Incident> part, long killedMillis) {
        Stage stage = files.stage();
        Incident incident = part.result();
        double seconds = (incident.healedMillis().orElseThrow() - incident.deadMillis()) / 1e3;
        double checking = incident.checkingMillis().orElse(0L) / 1e3;
        long bytes = incident.bytesRepaired();
        Map<String, Object> what = Stage.what(files.policy(), number);
        what.put("stored", files.bytes());
        what.put("chunks", incident.repaired());
        what.put("failed_attempts", incident.failed());
        Map<String, Object> params = new LinkedHashMap<>(what);
        params.putAll(part.cost().params(bytes, Math.max(1, bytes / Content.SLICE)));
        stage.figure("recovery", bytes / Stage.MEGA / seconds, "MB/s", params);
        stage.figure("recovery_detected", (incident.deadMillis() - killedMillis) / 1e3, "s", what);
        stage.figure("recovery_checking", checking, "s", what);
        stage.figure("recovery_dead_to_healed", seconds, "s", what);
        stage.figure("recovery_checking_share", checking / seconds, "ratio", what);
        stage.figure("recovery_read_per_byte", incident.bytesRead() / (double) Math.max(1, bytes), "B/B", what);
    }

    private static Incident awaitHealed(Stage stage, String lost, long known) throws Exception {
        return ClusterWatch.await(
                "the loss of " + lost + " to be healed",
                () -> Await.result(stage.client().admin().incidents(known, INCIDENTS)).incidents().stream()
                        .filter(i -> i.cause().kind() == IncidentCause.Kind.DATANODE_DEAD
                                && i.cause().datanode().orElseThrow().name().equals(lost)
                                && i.healedMillis().isPresent())
                        .findFirst());
    }

    private static long lastIncident(Stage stage) throws IOException {
        return Await.result(stage.client().admin().allIncidents(0)).stream()
                .mapToLong(Incident::id)
                .max()
                .orElse(0);
    }
}
