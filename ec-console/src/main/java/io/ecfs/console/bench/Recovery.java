package io.ecfs.console.bench;

import io.ecfs.client.base.Await;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.Incident;
import io.ecfs.message.IncidentCause;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code recovery}: kills the datanode with most bytes, waits until everything that it had was rebuilt elsewhere without a command, and
 * tells the incident as the cluster's own history has it. Afterwards every file is read back and compared.
 */
final class Recovery implements Workload {
    /** As many files hold the bytes: groups enough for every datanode to be a target, chunks of a size that streams. */
    private static final int FILES = 16;

    private static final int WRITERS = 4;
    private static final int INCIDENTS = 100;
    private static final double MEGA = 1e6;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        OwnCluster cluster = stage.own()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "recovery kills a datanode, which it does to its own cluster only: leave --cluster out"));
        SequentialFiles.warmUp(stage, policy);
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                long before = stage.stored();
                stage.doing("writing " + bytes(stage) + " bytes to lose a part of, " + policy);
                stage.crew().run(WRITERS, t -> eachFile(t, f -> write(stage, policy, f)));
                measure(stage, cluster, policy, number);
                stage.doing("reading everything back, " + policy);
                stage.crew().run(WRITERS, t -> eachFile(t, f -> verify(stage, policy, f)));
                eachFile(0, 1, f -> stage.delete(path(stage, policy, f)));
                stage.drain(before);
            }

            @Override
            public void end() {}
        };
    }

    private interface OneFile {
        void take(int file) throws Exception;
    }

    private static void eachFile(int writer, OneFile work) throws Exception {
        eachFile(writer, WRITERS, work);
    }

    private static void eachFile(int first, int step, OneFile work) throws Exception {
        for (int file = first; file < FILES; file += step) {
            work.take(file);
        }
    }

    private static FilePath path(Stage stage, Policy policy, int file) {
        return stage.path(policy, "recovery-" + file);
    }

    private static long bytesOfOne(Stage stage) {
        return Math.max(1, stage.plan().sizeBytes() / Content.SLICE / FILES) * Content.SLICE;
    }

    private static long bytes(Stage stage) {
        return bytesOfOne(stage) * FILES;
    }

    private static void write(Stage stage, Policy policy, int file) throws IOException {
        stage.files().write(path(stage, policy, file), file, bytesOfOne(stage), BenchFiles.Timing.NONE);
    }

    private static void verify(Stage stage, Policy policy, int file) throws IOException {
        stage.files().read(path(stage, policy, file), file, bytesOfOne(stage), true, BenchFiles.Timing.NONE);
    }

    private static void measure(Stage stage, OwnCluster cluster, Policy policy, int number) throws Exception {
        String lost = ClusterWatch.fullest(ClusterWatch.awaitWhole(stage.client()))
                .id()
                .name();
        long known = lastIncident(stage);
        stage.doing("recovery of " + lost + ", " + policy + ", repetition " + number);
        long[] killedMillis = new long[1];
        Incident[] healed = new Incident[1];
        try {
            Measured part = stage.measure(() -> {
                killedMillis[0] = System.currentTimeMillis();
                cluster.kill(lost);
                healed[0] = awaitHealed(stage, lost, known);
            });
            tell(stage, policy, number, part, killedMillis[0], healed[0]);
        } finally {
            cluster.startAgain(List.of(lost));
        }
    }

    private static void tell(
            Stage stage, Policy policy, int number, Measured part, long killedMillis, Incident incident) {
        double seconds = (incident.healedMillis().orElseThrow() - incident.deadMillis()) / 1e3;
        double checking = incident.checkingMillis().orElse(0L) / 1e3;
        long bytes = incident.bytesRepaired();
        Map<String, Object> what = Stage.what(policy, number, WRITERS);
        what.remove("threads");
        what.put("stored", bytes(stage));
        what.put("chunks", incident.repaired());
        what.put("failed_attempts", incident.failed());
        Map<String, Object> params = new LinkedHashMap<>(what);
        params.putAll(part.cost().params(bytes, Math.max(1, bytes / Content.SLICE)));
        stage.figure("recovery", bytes / MEGA / seconds, "MB/s", params);
        stage.figure("recovery_detected", (incident.deadMillis() - killedMillis) / 1e3, "s", what);
        stage.figure("recovery_checking", checking, "s", what);
        stage.figure("recovery_dead_to_healed", seconds, "s", what);
        stage.figure("recovery_checking_share", checking / seconds, "ratio", what);
        stage.figure("recovery_read_per_byte", incident.bytesRead() / (double) Math.max(1, bytes), "B/B", what);
    }

    private static Incident awaitHealed(Stage stage, String lost, long known) throws Exception {
        return ClusterWatch.await(
                "the loss of " + lost + " to be healed",
                () -> Await.result(stage.client().incidents(known, INCIDENTS)).incidents().stream()
                        .filter(i -> i.cause().kind() == IncidentCause.Kind.DATANODE_DEAD
                                && i.cause().datanode().orElseThrow().name().equals(lost)
                                && i.healedMillis().isPresent())
                        .findFirst());
    }

    private static long lastIncident(Stage stage) throws IOException {
        long last = 0;
        List<Incident> page;
        do {
            page = Await.result(stage.client().incidents(last, INCIDENTS)).incidents();
            last = page.isEmpty() ? last : page.get(page.size() - 1).id();
        } while (page.size() == INCIDENTS);
        return last;
    }
}
