package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.part.PageCache;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code read_seq_cold}: each thread reads one file from one end to the other after the page cache was emptied, which
 * only the superuser can; {@code read_seq}: the same again.
 */
final class SequentialRead implements Workload {
    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        List<SequentialFiles> all = new ArrayList<>();
        for (int threads : stage.plan().threads(1, 4)) {
            all.add(SequentialFiles.written(stage, policy, "read", threads));
        }
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (SequentialFiles files : all) {
                    if (PageCache.empty()) {
                        read(stage, "read_seq_cold", files, number);
                    }
                    read(stage, "read_seq", files, number);
                }
            }

            @Override
            public void end() throws Exception {
                for (SequentialFiles files : all) {
                    files.delete();
                }
            }
        };
    }

    private static void read(Stage stage, String name, SequentialFiles files, int number) throws Exception {
        stage.doing(name + " " + files.policy() + ", " + files.threads() + " threads, repetition " + number);
        Measured<Latencies> part = stage.measure(files::read);
        stage.throughput(name, Stage.what(files.policy(), number, files.threads()), part, files.bytes());
    }
}
