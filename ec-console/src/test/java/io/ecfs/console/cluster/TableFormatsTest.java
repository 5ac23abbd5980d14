package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/delta.md} and {@code iceberg.md}: two processes commit to one table, a datanode and the leading
 * namenode are killed meanwhile, and each commit is there exactly once.
 */
@Tag("soak")
class TableFormatsTest {
    private static final int COMMITS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void eachDeltaCommitOfTwoProcessesIsThereOnce() throws IOException {
        commitsAreThereOnce(
                "io.ecfs.jobs.DeltaCommits",
                "ecfs://prod/events",
                "-Dspark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension",
                "-Dspark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog");
    }

    @Test
    void eachIcebergCommitOfTwoProcessesIsThereOnce() throws IOException {
        commitsAreThereOnce(
                "io.ecfs.jobs.IcebergCommits",
                "lake.shop.events",
                "-Dspark.sql.catalog.lake=org.apache.iceberg.spark.SparkCatalog",
                "-Dspark.sql.catalog.lake.type=hadoop",
                "-Dspark.sql.catalog.lake.warehouse=ecfs://prod/warehouse");
    }

    private void commitsAreThereOnce(String main, String table, String... format) throws IOException {
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 5, TestCluster.usualLeases())) {
            JobProject jobs = jobs(cluster, format);
            jobs.run(main, table, "first", "1").well(); // so that both writers find a table
            try (JobProject.Job one = jobs.start(main, table, "one", "" + COMMITS);
                    JobProject.Job two = jobs.start(main, table, "two", "" + COMMITS)) {
                awaitCommits(one, 2);
                awaitCommits(two, 2);
                cluster.kill("dn1");
                cluster.kill(cluster.leader());
                assertThat(one.said("committed").size() + two.said("committed").size())
                        .isLessThan(2 * COMMITS);
                assertThat(one.ended().well().said("committed")).hasSize(COMMITS);
                assertThat(two.ended().well().said("committed")).hasSize(COMMITS);
            }
            JobProject.Run read = jobs.run(main, table).well();
            assertThat(read.said("rows"))
                    .containsExactly("first 1 1", "one " + COMMITS + " " + COMMITS, "two " + COMMITS + " " + COMMITS);
            assertThat(read.said("history")).containsExactly("" + (1 + 2 * COMMITS));
        }
    }

    private JobProject jobs(ProcessCluster cluster, String... format) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--add-opens=java.base/java.nio=ALL-UNNAMED", // which spark-submit adds, for Arrow
                "-Dspark.master=local[1]",
                "-Dspark.driver.host=127.0.0.1",
                "-Dspark.driver.bindAddress=127.0.0.1",
                "-Dspark.ui.enabled=false",
                "-Dspark.sql.shuffle.partitions=1",
                "-Dspark.databricks.delta.snapshotPartitions=1", // 50 tasks for each commit otherwise
                "-Dspark.sql.warehouse.dir=" + directory.resolve("warehouse"),
                "-Dspark.local.dir=" + directory.resolve("spark")));
        options.addAll(List.of(format));
        return JobProject.build(
                        "tables", Files.createDirectory(directory.resolve("jobs")), options.toArray(String[]::new))
                .configured(Map.of(
                        "fs.ecfs.cluster.prod",
                        cluster.namenodes(),
                        "fs.AbstractFileSystem.ecfs.impl",
                        "io.ecfs.hadoop.EcfsContext"));
    }

    private static void awaitCommits(JobProject.Job writer, int atLeast) {
        await("commits by a writer that runs").atMost(PATIENCE).until(() -> {
            assertThat(writer.process().isAlive())
                    .as(Files.readString(writer.log()))
                    .isTrue();
            return writer.said("committed").size() >= atLeast;
        });
    }
}
