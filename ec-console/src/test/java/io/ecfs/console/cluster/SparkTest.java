package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark in local mode, all of whose tables, logs and checkpoints lie in erasure-coded directories. */
@Tag("soak")
class SparkTest {
    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private static JobProject jobs;

    @BeforeAll
    static void startClusterAndBuildJobs() throws IOException {
        cluster = JobProject.cluster(directory);
        jobs = JobProject.build(
                "spark",
                Files.createDirectory(directory.resolve("jobs")),
                "-Dspark.master=local[2]",
                "-Dspark.driver.host=127.0.0.1",
                "-Dspark.driver.bindAddress=127.0.0.1",
                "-Dspark.ui.enabled=false",
                "-Dspark.local.dir=" + directory.resolve("spark"),
                "-Dspark.hadoop." + JobProject.name(cluster),
                "-Dspark.hadoop.fs.AbstractFileSystem.ecfs.impl=io.ecfs.hadoop.EcfsContext",
                "-Dspark.sql.warehouse.dir=" + JobProject.CLUSTER + "/warehouse");
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    /** Seven days of sales, days 0 and 1 with one sale more; day 3 replaced by its first half. */
    @Test
    void partitionedParquetIsWrittenAppendedReplacedAndAskedBySql() throws IOException {
        JobProject.Run run = jobs.run("io.ecfs.jobs.Sales", JobProject.CLUSTER + "/sales", "20000")
                .well();

        assertThat(run.said("answer"))
                .containsExactly(
                        "day-0 5715 2854285 101",
                        "day-1 5715 2855000 101",
                        "day-2 5714 2854715 101",
                        "day-3 2857 1427143 101",
                        "day-4 5714 2854143 101",
                        "day-5 5714 2853857 101",
                        "day-6 5714 2853571 101");
        assertThat(run.said("joined")).containsExactly("5715");
    }

    @Test
    void aStreamGoesOnFromItsCheckpointAndSeesEachWordOnce() throws IOException {
        JobProject.Run run = jobs.run("io.ecfs.jobs.StreamedWords", JobProject.CLUSTER + "/stream", "3")
                .well();

        assertThat(run.said("words")).containsExactly("all 3", "even 4", "odd 2");
        assertThat(run.said("counts")).containsExactly("all 3", "even 4", "odd 2");
    }
}
