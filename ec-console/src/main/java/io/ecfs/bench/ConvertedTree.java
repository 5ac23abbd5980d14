package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.meter.Daemon.Role;
import io.ecfs.bench.part.Measured;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.Metering.CallerKind;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.wire.Await;
import java.util.Map;
import java.util.Optional;

/**
 * {@code convert}: a tree of large and small files is converted to replication that survives as many losses, while
 * nothing else is done, and back, beside random reads of the large ones; with the cluster's own throttles. Afterwards
 * every file is compared.
 */
final class ConvertedTree implements Workload {
    /** As many files hold the plan's bytes. */
    private static final int LARGE = 16;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        Policy copies = Policy.parse(
                "replication-" + (policy.code().survivedLosses() + 1) + "-" + (policy.nominalCellBytes() >> 10) + "k");
        SequentialFiles.warmUp(stage, policy);
        SequentialFiles large = new SequentialFiles(stage, policy, "convert", LARGE);
        stage.doing("writing " + large.bytes() + " bytes to convert, " + policy);
        large.write();
        SmallFiles.write(stage, stage.path(policy, "small"));
        if (stage.own().isPresent()) {
            stage.awaitSealed(stage.own().get());
        }
        int length = stage.plan().preadBytes().get(0);
        RandomReads reads = new RandomReads(
                stage, stage.client(), large, length, stage.plan().threads(8).get(0));
        return number -> {
            stage.doing("convert " + policy + " to " + copies + ", repetition " + number);
            Measured<Conversion> there =
                    stage.measureWrite(copies, large.bytes(), () -> convert(stage, policy, copies));
            converted(stage, there, what(policy, copies, number));

            stage.doing("convert " + copies + " to " + policy + " beside preads, repetition " + number);
            reads.warmUp();
            Measured<Latencies> alone = stage.measure(() -> reads.read(number));
            Measured<Latencies> beside =
                    stage.measure(() -> reads.readWhile(number, () -> convert(stage, policy, policy)));
            Map<String, Object> what = what(copies, policy, number);
            reads.beside("convert", what, alone, beside);
            stage.figure(
                    "convert_beside", bytes(there) / Stage.MEGA / beside.cost().seconds(), "MB/s", what);
            stage.doing("reading everything back, " + policy);
            large.verify();
            SmallFiles.verify(stage, stage.path(policy, "small"));
        };
    }

    private static Map<String, Object> what(Policy from, Policy to, int number) {
        Map<String, Object> what = Stage.what(from, number);
        what.put("to", to.name());
        return what;
    }

    private static void converted(Stage stage, Measured<Conversion> part, Map<String, Object> what) {
        Conversion.Progress progress = part.result().progress();
        what.put("files", progress.files());
        what.putAll(part.params(progress.bytes(), Math.max(1, progress.files())));
        stage.figure("convert", progress.bytesDone() / Stage.MEGA / part.cost().seconds(), "MB/s", what);
        // Datanodes send each other what is read, and what is written.
        long planned = progress.bytes() + progress.bytesToWrite();
        long moved = part.cost().wireBytes(CallerKind.DATANODE, Role.DATANODE);
        stage.figure("convert_wire_per_planned_byte", moved / (double) planned, "ratio", what);
    }

    private static long bytes(Measured<Conversion> part) {
        return part.result().progress().bytesDone();
    }

    /** Converts the policy's directory, and waits for the end. */
    private static Conversion convert(Stage stage, Policy directory, Policy to) throws Exception {
        long job = Await.result(stage.client().admin().convert(stage.directory(directory), to, false));
        Conversion end = ClusterWatch.await("conversion " + job + " to end", () -> ended(stage, job));
        if (end.state() != State.DONE) {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    "conversion " + job + " ended as " + end.state() + ": "
                            + end.firstFailure().orElse("cancelled"));
        }
        return end;
    }

    private static Optional<Conversion> ended(Stage stage, long job) throws Exception {
        return Await.result(stage.client().admin().conversions()).stream()
                .filter(conversion ->
                        conversion.job() == job && conversion.state().ended())
                .findFirst();
    }
}
