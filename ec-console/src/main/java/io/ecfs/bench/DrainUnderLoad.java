package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * {@code drain}: random reads of many files, first alone, then while the datanode with most bytes is decommissioned,
 * with the cluster's own throttles. Afterwards it is taken back, and every file is compared.
 */
final class DrainUnderLoad implements Workload {
    /** As many files hold the bytes: groups enough for every datanode to give and to take. */
    private static final int FILES = 16;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        stage.ownFor(WorkloadKind.DRAIN);
        SequentialFiles.warmUp(stage, policy);
        SequentialFiles files = new SequentialFiles(stage, policy, "drain", FILES);
        stage.doing("writing " + files.bytes() + " bytes to move a part of, " + policy);
        files.write();
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (int length : stage.plan().preadBytes()) {
                    for (int threads : stage.plan().threads(8)) {
                        measure(new RandomReads(stage, stage.client(), files, length, threads), number);
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

    private static void measure(RandomReads reads, int number) throws Exception {
        Stage stage = reads.stage();
        ClusterReport.Datanode leaving = ClusterWatch.fullest(ClusterWatch.awaitWhole(stage.client()));
        stage.doing("drain of " + leaving.id() + " under preads of " + reads.length() + " bytes, "
                + reads.files().policy() + ", " + reads.threads() + " threads, repetition " + number);
        reads.warmUp();
        Measured<Latencies> alone = stage.measure(() -> reads.read(number));
        try {
            Measured<Latencies> beside = stage.measure(() -> reads.readWhile(number, () -> drain(stage, leaving.id())));
            Map<String, Object> what = reads.what(number);
            reads.beside("drain", what, alone, beside);
            double bytes = ClusterWatch.chunkBytes(leaving);
            stage.figure("drain", bytes / Stage.MEGA / beside.cost().seconds(), "MB/s", what);
        } finally {
            Await.result(stage.client().admin().setDuty(leaving.id(), AdminState.State.IN_SERVICE, Optional.empty()));
        }
    }

    private static ClusterReport.Datanode drain(Stage stage, DatanodeId leaving) throws Exception {
        Await.result(stage.client().admin().setDuty(leaving, AdminState.State.DECOMMISSIONING, Optional.empty()));
        return ClusterWatch.await(leaving + " to be empty", () -> ifEmpty(stage, leaving));
    }

    private static Optional<ClusterReport.Datanode> ifEmpty(Stage stage, DatanodeId datanode) throws IOException {
        return Await.result(stage.client().admin().report()).datanodes().stream()
                .filter(d -> d.id().equals(datanode) && d.duty().state() == AdminState.State.DECOMMISSIONED)
                .findFirst();
    }
}
