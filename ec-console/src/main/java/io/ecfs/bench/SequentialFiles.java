package io.ecfs.bench;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Latencies;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import java.io.IOException;

/** The files of one sequential run: one for each thread, of equal size, together as large as the plan says. */
record SequentialFiles(Stage stage, Policy policy, String name, int threads) {

    /** Files to read, written and compared before anything is measured. */
    static SequentialFiles written(Stage stage, Policy policy, String name, int threads) throws Exception {
        warmUp(stage, policy);
        SequentialFiles files = new SequentialFiles(stage, policy, name, threads);
        stage.doing("writing " + files.bytes() + " bytes to read, " + policy);
        files.write();
        files.verify();
        return files;
    }

    long bytesOfOne() {
        long slices = stage.plan().sizeBytes() / Content.SLICE / threads;
        return Math.max(1, slices) * Content.SLICE;
    }

    long bytes() {
        return bytesOfOne() * threads;
    }

    FilePath path(int thread) {
        return stage.path(policy, name + threads + "-" + thread);
    }

    Latencies write() throws Exception {
        Latencies latencies = new Latencies(threads);
        stage.crew()
                .run(threads, t -> stage.files().write(path(t), t, bytesOfOne(), nanos -> latencies.record(t, nanos)));
        return latencies;
    }

    Latencies read() throws Exception {
        Latencies latencies = new Latencies(threads);
        stage.crew()
                .run(
                        threads,
                        t -> stage.files().read(path(t), t, bytesOfOne(), false, nanos -> latencies.record(t, nanos)));
        return latencies;
    }

    /** Reads all and compares each byte. */
    void verify() throws Exception {
        stage.crew().run(threads, t -> stage.files().read(path(t), t, bytesOfOne(), true, BenchFiles.Timing.NONE));
    }

    void delete() throws IOException {
        for (int t = 0; t < threads; t++) {
            stage.delete(path(t));
        }
    }

    /** Writes and reads a file that is not measured, once in a run for each policy. */
    static void warmUp(Stage stage, Policy policy) throws IOException, InterruptedException {
        if (!stage.mustWarmUp(policy)) {
            return;
        }
        stage.doing("warm-up, " + policy);
        long before = stage.stored();
        FilePath path = stage.path(policy, "warm");
        long bytes = stage.plan().warmUpBytes();
        stage.files().write(path, 9, bytes, BenchFiles.Timing.NONE);
        stage.files().read(path, 9, bytes, true, BenchFiles.Timing.NONE);
        stage.files().read(path, 9, bytes, false, BenchFiles.Timing.NONE);
        stage.delete(path);
        stage.drain(before);
    }
}
