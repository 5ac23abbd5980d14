package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/flink.md}: state in RocksDB whose checkpoints lie on the cluster, and files that a sink commits
 * with them, while a datanode and the leading namenode are killed.
 */
@Tag("soak")
class FlinkTest {
    static final int RECORDS = 6000;
    private static final int KEYS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void eachRecordIsCountedAndInTheFilesOnce() throws IOException {
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 5, TestCluster.usualLeases())) {
            JobProject jobs = JobProject.build("flink", Files.createDirectory(directory.resolve("jobs")))
                    .configured(Map.of(
                            "fs.ecfs.cluster.prod", cluster.namenodes(),
                            "fs.AbstractFileSystem.ecfs.impl", "io.ecfs.hadoop.EcfsContext",
                            "fs.viewfs.mounttable.prod.link./flink", "ecfs://prod/flink"));
            try (JobProject.Job job = jobs.start(
                    "io.ecfs.jobs.CheckpointedCounts",
                    "ecfs://prod/checkpoints",
                    "viewfs://prod/flink/counts",
                    "" + RECORDS)) {
                await("records of a job that runs").atMost(PATIENCE).until(() -> {
                    assertThat(job.process().isAlive())
                            .as(Files.readString(job.log()))
                            .isTrue();
                    return job.said("record").size() >= 4;
                });
                cluster.kill("dn1");
                cluster.kill(cluster.leader());
                assertThat(job.said("finished")).isEmpty();
                assertThat(job.ended().well().said("finished")).containsExactly("" + RECORDS);
            }
            assertThat(committed(cluster)).containsExactlyInAnyOrderElementsOf(expected());
        }
    }

    /** Lines of the files whose names do not begin with a dot, as those of files in progress do. */
    private static List<String> committed(ProcessCluster cluster) {
        return cluster.fs("-cat", "/flink/counts/*/[!._]*")
                .well()
                .text()
                .lines()
                .toList();
    }

    /** Record n is of key n mod 10, whose records come in order. */
    static List<String> expected() {
        return LongStream.range(0, RECORDS)
                .mapToObj(n -> n + " " + n % KEYS + " " + (n / KEYS + 1))
                .toList();
    }
}
