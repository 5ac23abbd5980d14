package io.ecfs.bench;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.FileSizes;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code append}: one file is opened for append, written and closed again and again; then {@code
 * append_disk_bytes_per_byte}: what it takes on the disks, at once and when it is joined.
 */
final class Appends implements Workload {
    /** Groups that joining may leave beside those that the bytes fill: small ones, or of very many extents. */
    private static final int LEFT_APART = 2;

    @Override
    public Session begin(Stage stage, Policy policy) throws EcfsException {
        FileSizes sizes = stage.plan().small();
        if (sizes.least() != sizes.most()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "append takes one --file-size, the bytes of each append");
        }
        return number -> run(stage, policy, number);
    }

    private static void run(Stage stage, Policy policy, int number) throws Exception {
        FilePath path = stage.path(policy, "append-" + number);
        int length = stage.plan().small().least();
        int appends = stage.plan().files();
        long bytes = (long) appends * length;
        long before = stage.stored();
        Map<String, Object> what = Stage.what(policy, number);
        what.put("len", length);

        stage.doing("append " + policy + ", repetition " + number);
        Measured<Latencies> written = stage.measureWrite(policy, bytes, () -> append(stage, path, appends, length));
        stage.rate("append", "ops/s", what, written, bytes);
        if (stage.own().isPresent()) {
            stage.awaitSealed(stage.own().get());
            stored(stage, stage.stored() - before, bytes, what, false);
        }
        long few = (bytes + policy.groupBytes() - 1) / policy.groupBytes() + LEFT_APART;
        stage.doing("append: until the file is joined, repetition " + number);
        ClusterWatch.await(
                "the file to be joined", () -> Optional.of(groups(stage, path)).filter(groups -> groups <= few));
        stage.drain(before + BenchPlan.onDisk(policy, bytes));
        stored(stage, stage.stored() - before, bytes, what, true);
        stage.files().read(path, 0, bytes, true, BenchFiles.Timing.NONE);
        stage.delete(path);
        stage.drain(before);
    }

    private static Latencies append(Stage stage, FilePath path, int appends, int length) throws Exception {
        Latencies latencies = new Latencies(1);
        stage.files().write(path, 0, 0, BenchFiles.Timing.NONE);
        for (int i = 0; i < appends; i++) {
            long begin = System.nanoTime();
            stage.files().append(path, 0, (long) i * length, length);
            latencies.record(0, System.nanoTime() - begin);
        }
        return latencies;
    }

    private static long groups(Stage stage, FilePath path) throws IOException {
        return Await.result(stage.client().locate(path, 0, Long.MAX_VALUE)).extents().stream()
                .map(Extent::group)
                .distinct()
                .count();
    }

    private static void stored(Stage stage, long stored, long bytes, Map<String, Object> what, boolean joined) {
        Map<String, Object> of = new LinkedHashMap<>(what);
        of.put("joined", joined);
        stage.figure("append_disk_bytes_per_byte", stored / (double) bytes, "ratio", of);
    }
}
