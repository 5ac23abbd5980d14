package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with Hadoop's local runner, whose input, output and files of the committer lie in erasure-coded directories. */
class MapReduceTest {
    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private static JobProject jobs;

    @BeforeAll
    static void startClusterAndBuildJobs() throws IOException {
        cluster = JobProject.cluster(directory);
        jobs = JobProject.build("mapreduce", Files.createDirectory(directory.resolve("jobs")));
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void wordsAreCounted() throws IOException {
        cluster.write("/words/a", "one two three two\nthree three\n".getBytes(StandardCharsets.UTF_8));
        cluster.write("/words/b", "three ".repeat(100_000).getBytes(StandardCharsets.UTF_8));

        run("io.ecfs.jobs.WordCount", "/words", "/counted");

        assertThat(cluster.fs("-cat", "/counted/part-*").well().text().lines())
                .containsExactlyInAnyOrder("one\t1", "two\t2", "three\t100003");
        assertThat(cluster.fs("-test", "-e", "/counted/_SUCCESS").code()).isZero();
    }

    /** 50 MB; {@code JAVA_TOOL_OPTIONS=-Decfs.jobs.records=10000000 ./ecfs test --all MapReduceTest} sorts 1 GB. */
    @Tag("soak")
    @Test
    void recordsAreGeneratedSortedAsAWholeAndNoneIsLostOrChanged() throws IOException {
        String records = System.getProperty("ecfs.jobs.records", "500000");

        JobProject.Run generated = run("io.ecfs.jobs.GenerateRecords", records, "3", "/generated");
        run("io.ecfs.jobs.SortRecords", "/generated", "4", "/sorted");
        JobProject.Run validated = run("io.ecfs.jobs.ValidateRecords", "/sorted");

        assertThat(validated.said("records"))
                .isEqualTo(generated.said("records"))
                .first()
                .asString()
                .startsWith(records + " ");
    }

    @Tag("soak")
    @Test
    void hadoopsOwnBenchmarkWritesAndReads() throws IOException {
        run("org.apache.hadoop.fs.TestDFSIO", "-write", "-nrFiles", "3", "-size", "4MB", "-resFile", results());
        run("org.apache.hadoop.fs.TestDFSIO", "-read", "-nrFiles", "3", "-size", "4MB", "-resFile", results());

        assertThat(Files.readString(Path.of(results())).lines().map(String::strip))
                .contains("----- TestDFSIO ----- : write", "----- TestDFSIO ----- : read");
    }

    private static String results() {
        return directory.resolve("dfsio").toString();
    }

    @Tag("soak")
    @Test
    void distCpCopiesATreeThereAndBackAndBetweenPoliciesByChecksum() throws IOException {
        Path tree = FileTreeTest.tree(directory.resolve("tree"));
        Path back = directory.resolve("back");
        cluster.fs("-mkdir", "/mirrored").well();
        Ecfs.run("ec", "set", "--cluster", cluster.uri(), "replication-3", "/mirrored")
                .well();

        run("org.apache.hadoop.tools.DistCp", tree.toUri().toString(), "/copied");
        run("org.apache.hadoop.tools.DistCp", "/copied", "/mirrored/copy");
        // The second time it finds every file there, of the same length and checksum, though the codes differ.
        assertThat(run("org.apache.hadoop.tools.DistCp", "-update", "/copied", "/mirrored/copy")
                        .output())
                .doesNotContain("Files Copied");
        run("org.apache.hadoop.tools.DistCp", "/mirrored/copy", back.toUri().toString());

        removeLocalChecksums(back);
        FileTreeTest.assertSame(tree, back);
    }

    /** Hadoop keeps checksums beside each file that it writes to a local directory. */
    private static void removeLocalChecksums(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".crc")).toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * Runs a job on the cluster's logical name: Hadoop splits {@code mapreduce.job.hdfs-servers} at commas, which a list
     * of namenodes does not survive. Hadoop polls each second, or every five, for the end of a job; these jobs take less.
     */
    private static JobProject.Run run(String main, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "-Dfs.defaultFS=" + JobProject.CLUSTER,
                "-D" + JobProject.name(cluster),
                "-Dhadoop.tmp.dir=" + directory.resolve("tmp"),
                "-Dmapreduce.client.completion.pollinterval=50",
                "-Dmapreduce.client.progressmonitor.pollinterval=50"));
        all.addAll(List.of(arguments));
        return jobs.run(main, all.toArray(String[]::new)).well();
    }
}
