package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.util.Map;

/**
 * {@code hsync}: write-ahead logs, one a thread, of small records that are put on the datanodes' disks one after the
 * other; {@code hsync_disk_bytes_per_byte}: what they take once they are closed.
 */
final class RecordSyncs implements Workload {
    private static final int RECORD_BYTES = 512;
    private static final int MOST_WARM_UP = 500;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        int some = Math.min(MOST_WARM_UP, stage.plan().files());
        long before = stage.stored();
        for (int threads : stage.plan().threads(1)) {
            FilePath warm = stage.path(policy, "warm");
            stage.doing("hsync: warm-up, " + policy);
            write(stage, warm, some, threads);
            stage.delete(warm);
        }
        stage.drain(before);
        return number -> {
            for (int threads : stage.plan().threads(1)) {
                run(stage, policy, threads, number);
            }
        };
    }

    private static void run(Stage stage, Policy policy, int threads, int number) throws Exception {
        int records = stage.plan().files();
        long bytes = (long) records * RECORD_BYTES;
        FilePath directory = stage.path(policy, "hsync" + threads + "-" + number);
        Map<String, Object> what = Stage.what(policy, number, threads);
        what.put("len", RECORD_BYTES);
        long before = stage.stored();
        stage.doing("hsync " + policy + ", " + threads + " threads, repetition " + number);
        Measured<Latencies> synced = stage.measureWrite(policy, bytes, () -> write(stage, directory, records, threads));
        stage.rate("hsync", "ops/s", what, synced, bytes);
        if (stage.own().isPresent()) {
            double stored = stage.own().get().diskBytes() - before;
            Map<String, Object> whole = Stage.what(policy, number, threads);
            whole.put("len", RECORD_BYTES);
            whole.put("with_checksums", true);
            stage.figure("hsync_disk_bytes_per_byte", stored / bytes, "ratio", whole);
        }
        stage.delete(directory);
        stage.drain(before);
    }

    /** Each thread has a log of its own; a latency is that of one record, written and on disk. */
    private static Latencies write(Stage stage, FilePath directory, int records, int threads) throws Exception {
        Latencies latencies = new Latencies(threads);
        stage.makeDirectory(directory);
        stage.crew().run(threads, thread -> {
            byte[] record = new byte[RECORD_BYTES];
            FilePath path = new FilePath(directory.text() + "/log" + thread);
            try (EcfsOutputStream log = Await.result(stage.client().create(path, CreateOptions.defaults()))) {
                for (int i = thread; i < records; i += threads) {
                    long begin = System.nanoTime();
                    log.write(record);
                    log.hsync();
                    latencies.record(thread, System.nanoTime() - begin);
                }
            }
        });
        return latencies;
    }
}
