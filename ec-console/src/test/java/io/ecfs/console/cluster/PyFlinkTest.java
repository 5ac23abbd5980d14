package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/pyflink.md}: {@code flink run} of the distribution that pip installs executes a Python program
 * with state in RocksDB whose checkpoints lie on the cluster, while a datanode and the leading namenode are killed.
 */
@Tag("soak")
class PyFlinkTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    @Test
    void eachRecordOfAPythonProgramIsInTheFilesOnce() throws IOException {
        PythonPackage pyflink = PythonPackage.requiredBy("pyflink", directory);
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 5, TestCluster.usualLeases())) {
            try (JobProject.Job job = run(pyflink, configured(pyflink, cluster))) {
                await("files of a job that runs").atMost(PATIENCE).until(() -> {
                    assertThat(job.process().isAlive())
                            .as(Files.readString(job.log()))
                            .isTrue();
                    return files(cluster, "-ls").size() >= 4;
                });
                cluster.kill("dn1");
                cluster.kill(cluster.leader());
                assertThat(job.said("finished")).isEmpty();
                assertThat(job.ended().well().said("finished")).containsExactly("" + FlinkTest.RECORDS);
            }
            assertThat(files(cluster, "-cat")).containsExactlyInAnyOrderElementsOf(FlinkTest.expected());
        }
    }

    /** What Hadoop's shell prints of the files that are committed; those in progress begin with a dot. */
    private static List<String> files(ProcessCluster cluster, String command) {
        return cluster.fs(command, "/flink/counts/*/[!._]*").text().lines().toList();
    }

    private JobProject.Job run(PythonPackage pyflink, Map<String, String> variables) throws IOException {
        return pyflink.start(
                directory.resolve("flink.log"),
                variables,
                List.of(
                        pyflink.module("pyflink", directory)
                                .resolve("bin/flink")
                                .toString(),
                        "run",
                        "-t",
                        "local",
                        "-py",
                        pyflink.file("counts.py"),
                        "viewfs://prod/flink/counts",
                        "" + FlinkTest.RECORDS));
    }

    /** The distribution's own settings and the page's lines. Returns the variables of the environment. */
    private Map<String, String> configured(PythonPackage pyflink, ProcessCluster cluster) throws IOException {
        ExamplePage page = ExamplePage.of("pyflink.md", cluster);
        Path conf = directory.resolve("conf");
        try (Stream<Path> files =
                Files.list(pyflink.module("pyflink", directory).resolve("conf"))) {
            PythonPackage.copy(files, conf);
        }
        Files.writeString(
                conf.resolve("config.yaml"),
                "\n" + page.block("execution.checkpointing.dir").replace("10s", "500ms"),
                StandardOpenOption.APPEND);
        Files.writeString(
                Files.createDirectory(directory.resolve("hadoop")).resolve("core-site.xml"),
                page.block("core-site.xml"));
        JobProject hadoop = JobProject.build("flink", Files.createDirectory(directory.resolve("jobs")));
        Stream<Path> client = hadoop.libraries()
                .filter(jar -> jar.getFileName().toString().matches("(hadoop-client|commons-logging)-.*"));
        return Map.of(
                "FLINK_CONF_DIR", conf.toString(),
                "FLINK_LOG_DIR", directory.resolve("log").toString(),
                "HADOOP_CONF_DIR", directory.resolve("hadoop").toString(),
                "HADOOP_CLASSPATH",
                        Stream.concat(Stream.of(JobProject.connector()), client)
                                .map(Path::toString)
                                .collect(Collectors.joining(File.pathSeparator)));
    }
}
