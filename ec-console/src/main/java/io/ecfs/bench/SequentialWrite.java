package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.report.WriteSteps;
import io.ecfs.layout.Policy;
import java.util.Map;

/**
 * {@code write_seq}: each thread writes one file from one end to the other; {@code disk_bytes_per_byte}: what it takes
 * on the disks.
 */
final class SequentialWrite implements Workload {
    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        SequentialFiles.warmUp(stage, policy);
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (int threads : stage.plan().threads(1, 4)) {
                    write(stage, new SequentialFiles(stage, policy, "write", threads), number);
                }
            }

            @Override
            public void end() {}
        };
    }

    private static void write(Stage stage, SequentialFiles files, int number) throws Exception {
        stage.doing("write " + files.policy() + ", " + files.threads() + " threads, repetition " + number);
        long before = stage.stored();
        Measured<Latencies> part = stage.measureWrite(files.policy(), files.bytes(), files::write);
        Map<String, Object> what = Stage.what(files.policy(), number, files.threads());
        what.put(WriteSteps.PARAM, part.writeSteps().members());
        stage.throughput("write_seq", what, part, files.bytes());
        if (number == 1 && stage.own().isPresent()) {
            double stored = stage.own().get().diskBytes() - before;
            what.remove(WriteSteps.PARAM);
            what.put("with_checksums", true);
            stage.figure("disk_bytes_per_byte", stored / files.bytes(), "ratio", what);
        }
        files.verify();
        files.delete();
        stage.drain(before);
    }
}
