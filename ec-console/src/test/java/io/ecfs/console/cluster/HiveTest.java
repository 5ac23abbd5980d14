package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/hive.md}: a metastore with its warehouse on the cluster makes, renames and deletes the
 * directories of a table and its partitions, while a datanode and the leading namenode are killed.
 */
@Tag("soak")
class HiveTest {
    private static final int PARTITIONS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void theWarehouseHasWhatTheMetastoreSays() throws IOException {
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 5, TestCluster.usualLeases())) {
            JobProject jobs = JobProject.build(
                            "hive",
                            Files.createDirectory(directory.resolve("jobs")),
                            "--add-opens=java.base/java.net=ALL-UNNAMED")
                    .configured(Map.of(
                            "fs.ecfs.cluster.prod",
                            cluster.namenodes(),
                            "fs.AbstractFileSystem.ecfs.impl",
                            "io.ecfs.hadoop.EcfsContext"));
            try (JobProject.Job job = jobs.start(
                    "io.ecfs.jobs.HiveTables",
                    "ecfs://prod/warehouse",
                    directory.resolve("derby").toString(),
                    "" + PARTITIONS)) {
                await("partitions of a metastore that runs").atMost(PATIENCE).until(() -> {
                    assertThat(job.process().isAlive())
                            .as(Files.readString(job.log()))
                            .isTrue();
                    return job.said("partition").size() >= 4;
                });
                cluster.kill("dn1");
                cluster.kill(cluster.leader());
                assertThat(job.said("finished")).isEmpty();

                JobProject.Run run = job.ended().well();
                assertThat(run.said("finished")).containsExactly("ecfs://prod/warehouse/shop.db/events");
                assertThat(run.said("location"))
                        .hasSize(PARTITIONS - 1)
                        .allMatch(location -> location.startsWith("ecfs://prod/warehouse/shop.db/events/day="));
            }
            assertThat(lines(cluster, "-cat", "/warehouse/shop.db/events/*/part-0"))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(1, PARTITIONS)
                            .mapToObj(Integer::toString)
                            .toList());
            assertThat(lines(cluster, "-ls", "/warehouse/shop.db"))
                    .filteredOn(line -> line.contains("/warehouse/shop.db/"))
                    .singleElement()
                    .asString()
                    .endsWith("events");
        }
    }

    private static List<String> lines(ProcessCluster cluster, String... command) {
        return cluster.fs(command).well().text().lines().toList();
    }
}
