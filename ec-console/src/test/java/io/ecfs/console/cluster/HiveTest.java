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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/hive.md}: a metastore with its warehouse on the cluster makes, renames and deletes the
 * directories of a table and its partitions, and Hive's queries write and read tables there, while a datanode and the
 * leading namenode are killed.
 */
@Tag("soak")
class HiveTest {
    private static final int PARTITIONS = 200;
    private static final int DAYS = 6;
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
                            "--add-opens=java.base/java.net=ALL-UNNAMED",
                            derbyLog())
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

    /** Day d has 50 sales of d * 1000 + 0 to 49; the even ones are of bread. */
    @Test
    void queriesAnswerFromTablesOfTheWarehouse() throws IOException {
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 5, TestCluster.usualLeases())) {
            try (JobProject.Job job = queries(cluster).start("io.ecfs.jobs.HiveQueries", "jdbc:hive2://", "" + DAYS)) {
                await("inserts by a client that runs").atMost(PATIENCE).until(() -> {
                    assertThat(job.process().isAlive())
                            .as(Files.readString(job.log()))
                            .isTrue();
                    return job.said("inserted").size() >= 2;
                });
                cluster.kill("dn1");
                cluster.kill(cluster.leader());
                assertThat(job.said("inserted")).hasSizeLessThan(DAYS);

                JobProject.Run run = job.ended().well();
                assertThat(run.said("sums"))
                        .containsExactlyElementsOf(IntStream.range(0, DAYS)
                                .mapToObj(day -> day + " 50 " + (50_000 * day + 1225))
                                .toList());
                assertThat(run.said("joined")).containsExactly("bread 150 378600", "milk 150 378750");
                assertThat(run.said("days")).containsExactly("6 15294");
            }
            assertThat(lines(cluster, "-ls", "-C", "/warehouse/shop.db"))
                    .containsExactlyInAnyOrder("/warehouse/shop.db/days", "/warehouse/shop.db/sales");
        }
    }

    /** HiveServer2 and Tez in the JVM of the client, with the page's lines. */
    private JobProject queries(ProcessCluster cluster) throws IOException {
        ExamplePage page = ExamplePage.of("hive.md", cluster);
        Map<String, String> site = page.properties("hive-site.xml");
        site.putAll(Map.of(
                "javax.jdo.option.ConnectionURL",
                "jdbc:derby:" + directory.resolve("derby") + ";create=true",
                "datanucleus.schema.autoCreateAll",
                "true",
                "hive.metastore.schema.verification",
                "false",
                "hive.exec.local.scratchdir",
                directory.resolve("scratch").toString(),
                "tez.local.mode",
                "true",
                "tez.local.mode.without.network",
                "true",
                "tez.runtime.optimize.local.fetch",
                "true"));
        return JobProject.build(
                        "hive",
                        Files.createDirectory(directory.resolve("jobs")),
                        Stream.concat(page.block("--add-opens").lines(), Stream.of(derbyLog()))
                                .toArray(String[]::new))
                .configured(page.properties("core-site.xml"))
                .configured("hive-site.xml", site);
    }

    /** Derby's log is not to lie where the tests run. */
    private String derbyLog() {
        return "-Dderby.stream.error.file=" + directory.resolve("derby.log");
    }

    private static List<String> lines(ProcessCluster cluster, String... command) {
        return cluster.fs(command).well().text().lines().toList();
    }
}
