package io.ecfs.console.bench;

import io.ecfs.client.base.Await;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Duty;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@code drain}: random reads of many files, first alone, then while the datanode with most bytes is decommissioned, with the cluster's own
 * throttles. Afterwards it is taken back, and every file is compared.
 */
final class DrainUnderLoad implements Workload {
    /** As many files hold the bytes: groups enough for every datanode to give and to take. */
    private static final int FILES = 16;

    private static final double MEGA = 1e6;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        if (stage.own().isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "drain decommissions a datanode, which it does to its own cluster only: leave --cluster out");
        }
        SequentialFiles.warmUp(stage, policy);
        SequentialFiles files = new SequentialFiles(stage, policy, "drain", FILES);
        stage.doing("writing " + files.bytes() + " bytes to move a part of, " + policy);
        files.write();
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (int length : stage.plan().preadBytes()) {
                    for (int threads : stage.plan().threads(8)) {
                        measure(stage, files, length, threads, number);
                    }
                }
                stage.doing("reading everything back, " + policy);
                files.verify();
            }

            @Override
            public void end() throws Exception {
                files.delete();
            }
        };
    }

    private static void measure(Stage stage, SequentialFiles files, int length, int threads, int number)
            throws Exception {
        ClusterReport.Datanode leaving = ClusterWatch.fullest(ClusterWatch.awaitWhole(stage.client()));
        stage.doing("drain of " + leaving.id() + " under preads of " + length + " bytes, " + files.policy() + ", "
                + threads + " threads, repetition " + number);
        double seconds = stage.plan().seconds();
        PositionalRead.warmUp(stage, stage.client(), files, length, threads, seconds);
        Latencies[] latencies = new Latencies[2];
        Measured alone = stage.measure(() ->
                latencies[0] = PositionalRead.read(stage, stage.client(), files, length, threads, number, seconds));
        try {
            Measured beside = stage.measure(
                    () -> latencies[1] = readWhileItLeaves(stage, leaving.id(), files, length, threads, number));
            Map<String, Object> what = Stage.what(files.policy(), number, threads);
            what.put("len", length);
            stage.rate("drain_pread_alone", "ops/s", what, alone, latencies[0].count() * length, latencies[0]);
            stage.rate("drain_pread_beside", "ops/s", what, beside, latencies[1].count() * length, latencies[1]);
            stage.figure("drain_p99_ratio", latencies[1].p99() / (double) latencies[0].p99(), "ratio", what);
            double bytes = ClusterWatch.chunkBytes(leaving);
            stage.figure("drain", bytes / MEGA / beside.cost().seconds(), "MB/s", what);
        } finally {
            Await.result(stage.client().setDuty(leaving.id(), Duty.State.IN_SERVICE, Optional.empty()));
        }
    }

    private static Latencies readWhileItLeaves(
            Stage stage, DatanodeId leaving, SequentialFiles files, int length, int threads, int seed)
            throws Exception {
        Await.result(stage.client().setDuty(leaving, Duty.State.DECOMMISSIONING, Optional.empty()));
        AtomicBoolean left = new AtomicBoolean();
        Latencies[] latencies = new Latencies[1];
        stage.crew().run(2, side -> {
            if (side == 0) {
                latencies[0] =
                        PositionalRead.read(stage, stage.client(), files, length, threads, seed, () -> !left.get());
            } else {
                try {
                    ClusterWatch.await(leaving + " to be empty", () -> ifEmpty(stage, leaving));
                } finally {
                    left.set(true);
                }
            }
        });
        return latencies[0];
    }

    private static Optional<ClusterReport.Datanode> ifEmpty(Stage stage, DatanodeId datanode) throws IOException {
        return Await.result(stage.client().report()).datanodes().stream()
                .filter(d -> d.id().equals(datanode) && d.duty().state() == Duty.State.DECOMMISSIONED)
                .findFirst();
    }
}
