package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/pyspark.md}: a Python program on Spark as pip installs it commits to Parquet, Delta Lake and
 * Iceberg, while a datanode and the leading namenode are killed.
 */
@Tag("soak")
class PySparkTest {
    private static final int COMMITS = 6;
    private static final int ROWS = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    @Test
    void eachCommitOfAPythonProgramIsThereOnce() throws IOException {
        PythonPackage pyspark = PythonPackage.requiredBy("pyspark", directory);
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 5, TestCluster.usualLeases())) {
            configure(cluster);
            try (JobProject.Job writer = submit(pyspark, "write", "/events", "" + COMMITS)) {
                await("commits by a writer that runs").atMost(PATIENCE).until(() -> {
                    assertThat(writer.process().isAlive())
                            .as(Files.readString(writer.log()))
                            .isTrue();
                    return writer.said("committed").size() >= 2;
                });
                cluster.kill("dn1");
                cluster.kill(cluster.leader());
                assertThat(writer.said("committed")).hasSizeLessThan(COMMITS);
                assertThat(writer.ended().well().said("committed")).hasSize(COMMITS);
            }
            try (JobProject.Job reader = submit(pyspark, "read", "/events")) {
                String content = COMMITS + " " + COMMITS * ROWS + " " + COMMITS * squares();
                assertThat(reader.ended().well().said("table"))
                        .containsExactly("parquet " + content, "delta " + content, "iceberg " + content);
            }
        }
    }

    /** The page's lines, and what a job in one JVM of a busy machine has beside them. */
    private void configure(ProcessCluster cluster) throws IOException {
        Path jars = directory.resolve("jars");
        Stream<Path> tables = JobProject.build("tables", Files.createDirectory(directory.resolve("jobs")))
                .libraries()
                .filter(jar -> jar.getFileName().toString().matches("(delta|iceberg)-.*"));
        PythonPackage.copy(Stream.concat(Stream.of(JobProject.connector()), tables), jars);
        ExamplePage page = ExamplePage.of("pyspark.md", cluster);
        String settings = page.block("fs.defaultFS") + page.block("DeltaCatalog") + page.block("SparkCatalog");
        assertThat(settings).contains(" /opt/ecfs/hadoop/*\n");
        Files.writeString(
                Files.createDirectory(directory.resolve("conf")).resolve("spark-defaults.conf"),
                settings.replace("/opt/ecfs/hadoop/*", jars + "/*") + """
                        spark.master local[1]
                        spark.driver.host 127.0.0.1
                        spark.driver.bindAddress 127.0.0.1
                        spark.driver.extraJavaOptions -XX:+UseSerialGC -XX:TieredStopAtLevel=1
                        spark.ui.enabled false
                        spark.ui.showConsoleProgress false
                        spark.sql.shuffle.partitions 1
                        spark.databricks.delta.snapshotPartitions 1
                        spark.local.dir %s
                        """.formatted(directory.resolve("spark")));
    }

    private JobProject.Job submit(PythonPackage pyspark, String log, String... arguments) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of("spark-submit", pyspark.file("commits.py")), Stream.of(arguments))
                .toList();
        return pyspark.start(
                directory.resolve(log + ".log"),
                Map.of("SPARK_CONF_DIR", directory.resolve("conf").toString()),
                command);
    }

    private static long squares() {
        long sum = 0;
        for (long number = 0; number < ROWS; number++) {
            sum += number * number;
        }
        return sum;
    }
}
