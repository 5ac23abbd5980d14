package io.ecfs.bench;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.report.WriteSteps;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.util.Map;

/**
 * {@code small_write}, {@code small_read}: many files, each written and closed, then, once their groups are
 * sealed in a cluster of the bench's own, each opened and read; {@code small_disk_bytes_per_byte}: what they take on
 * the disks then.
 */
final class SmallFiles implements Workload {
    private static final int IN_ONE_DIRECTORY = 500;
    private static final int MOST_WARM_UP = 1000;

    /** Small files share a content of many slices, each file another. */
    private static final long CONTENT = 77;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        int some = Math.min(MOST_WARM_UP, stage.plan().files());
        long before = stage.stored();
        for (int threads : stage.plan().threads(8)) {
            FilePath warm = stage.path(policy, "warm");
            stage.doing("small files: warm-up, " + policy);
            write(stage, warm, some, threads);
            read(stage, warm, some, threads, true);
            stage.delete(warm);
        }
        stage.drain(before);
        return number -> {
            for (int threads : stage.plan().threads(8)) {
                run(stage, policy, threads, number);
            }
        };
    }

    private static void run(Stage stage, Policy policy, int threads, int number) throws Exception {
        int files = stage.plan().files();
        long bytes = stage.plan().small().total(files);
        FilePath directory = stage.path(policy, "small" + threads + "-" + number);
        long before = stage.stored();
        Map<String, Object> what = Stage.what(policy, number, threads);
        what.put("len", bytes / files);

        stage.doing("small_write " + policy + ", " + threads + " threads, repetition " + number);
        Measured<Latencies> written = stage.measureWrite(policy, bytes, () -> write(stage, directory, files, threads));
        what.put(WriteSteps.PARAM, written.writeSteps().members());
        stage.rate("small_write", "files/s", what, written, bytes);
        what.remove(WriteSteps.PARAM);
        stage.doing("small files: until their groups are sealed");
        boolean sealed =
                stage.own().isPresent() && stage.awaitSealed(stage.own().get());
        if (number == 1 && stage.own().isPresent()) {
            stored(stage, policy, threads, bytes, stage.own().get().diskBytes() - before, sealed);
        }

        stage.doing("small_read " + policy + ", " + threads + " threads, repetition " + number);
        Measured<Latencies> read = stage.measure(() -> read(stage, directory, files, threads, false));
        stage.rate("small_read", "files/s", what, read, bytes);
        read(stage, directory, files, threads, true);
        stage.delete(directory);
        stage.drain(before);
    }

    private static void stored(Stage stage, Policy policy, int threads, long bytes, long stored, boolean sealed) {
        BenchPlan plan = stage.plan();
        Map<String, Object> what = Stage.what(policy, 1, threads);
        what.put("len", bytes / plan.files());
        what.put("sealed", sealed);
        what.put("with_checksums", true);
        stage.figure("small_disk_bytes_per_byte", stored / (double) bytes, "ratio", what);
    }

    /** Writes the plan's small files below a directory. */
    static void write(Stage stage, FilePath directory) throws Exception {
        write(stage, directory, stage.plan().files(), stage.plan().threads(8).get(0));
    }

    /** Reads them, and compares each byte. */
    static void verify(Stage stage, FilePath directory) throws Exception {
        read(stage, directory, stage.plan().files(), stage.plan().threads(8).get(0), true);
    }

    private static Latencies write(Stage stage, FilePath directory, int files, int threads) throws Exception {
        return stage.crew().each(files, threads, i -> write(stage, directory, i));
    }

    private static Latencies read(Stage stage, FilePath directory, int files, int threads, boolean verify)
            throws Exception {
        return stage.crew().each(files, threads, i -> read(stage, directory, i, verify));
    }

    /** Writes small file {@code number} below a directory. */
    static void write(Stage stage, FilePath directory, int number) throws IOException {
        stage.files()
                .write(
                        path(directory, number),
                        CONTENT + number,
                        stage.plan().small().of(number),
                        BenchFiles.Timing.NONE);
    }

    /** Reads it. */
    static void read(Stage stage, FilePath directory, int number, boolean verify) throws IOException {
        stage.files()
                .read(
                        path(directory, number),
                        CONTENT + number,
                        stage.plan().small().of(number),
                        verify,
                        BenchFiles.Timing.NONE);
    }

    private static FilePath path(FilePath directory, int number) {
        return new FilePath(directory.text() + "/" + number / IN_ONE_DIRECTORY + "/" + number);
    }
}
