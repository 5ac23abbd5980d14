package io.ecfs.console.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.cluster.JobProject;
import io.ecfs.console.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The one jar of ECFS with releases of Hadoop before 3.5.0, in JVMs that have that release's jars and nothing of this
 * build. The suites of those releases are written for JUnit 4 ({@code src/test/jobs/contract}).
 */
@Tag("soak")
class OlderHadoopsTest {
    /** Calls that {@code ClientCalls} checks, in its order. */
    private static final List<String> CALLS = List.of(
            "put",
            "get",
            "pread",
            "checksum",
            "locate",
            "append",
            "hflush",
            "hsync",
            "rename",
            "list",
            "context.rename",
            "context.read",
            "context.list",
            "context.delete",
            "delete");

    @TempDir
    private static Path directory;

    private static final Map<Path, JobProject> PROJECTS = new TreeMap<>();

    private static TestCluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        List<String> settings = new ArrayList<>(List.of(TestCluster.usualLeases()));
        settings.add("namenode.groups.users." + SharedCluster.ORDINARY_USER + "=users");
        cluster = TestCluster.start(directory.resolve("cluster"), "rs-6-3-64k", 1, 9, settings.toArray(String[]::new));
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({
        "3.3.6, RecoverableFileSystem, FileSystemContract, 265",
        "3.3.6, RecoverableFileSystem, MainOperations, 200",
        "3.3.6, RecoverableFileSystem, DistCpContract, 13",
        "3.4.1, BulkFileSystem, FileSystemContract, 273",
        "3.4.1, BulkFileSystem, NewerContract, 23",
        "3.4.1, BulkFileSystem, MainOperations, 200",
        "3.4.1, BulkFileSystem, DistCpContract, 13",
    })
    void everyCaseOfTheSuitesPasses(String hadoop, String fileSystem, String suites, int cases) throws IOException {
        JobProject.Run run = project("contract", hadoop).run("io.ecfs.jobs.ContractSuites", "io.ecfs.jobs." + suites);
        System.out.println(run.output());

        assertThat(run.said("failed")).isEmpty();
        assertThat(run.said("aborted")).isEmpty();
        assertThat(run.said("ignored")).isEmpty();
        assertThat(run.said("hadoop")).containsExactly(hadoop + " " + fileSystem);
        assertThat(run.said("passed")).hasSize(cases);
        run.well();
    }

    @Test
    void theSuitesRefuseAnyOtherFileSystem() throws IOException {
        JobProject.Run run =
                built("contract", "3.4.1").run("io.ecfs.jobs.ContractSuites", "io.ecfs.jobs.MainOperations");

        assertThat(run.output()).contains("nothing but ecfs://, not on file:///");
        assertThat(run.said("passed")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"3.3.4, EcfsFileSystem", "3.4.0, RecoverableFileSystem"})
    void programsOnTheShadedClientWork(String hadoop, String fileSystem) throws IOException {
        JobProject.Run run = project("client", hadoop)
                .run("io.ecfs.jobs.ClientCalls", "/calls-" + hadoop)
                .well();

        assertThat(run.said("hadoop")).containsExactly(hadoop + " " + fileSystem);
        assertThat(run.said("did")).isEqualTo(CALLS);
    }

    @Test
    void leasesVectoredReadsAndSafeModeWorkOnTheOldestThatHasThem() throws IOException {
        JobProject.Run run = project("client", "3.4.0")
                .run("io.ecfs.jobs.NewerCalls", "/newer-calls")
                .well();

        assertThat(run.said("did"))
                .containsExactly(
                        "readVectored", "readVectored", "readVectored", "recoverLease", "recovered", "safeMode");
    }

    /** One of {@code src/test/jobs} with jars of a release, on our cluster. */
    private static JobProject project(String name, String hadoop) throws IOException {
        return built(name, hadoop)
                .configured(Map.of(
                        "fs.defaultFS",
                        "ecfs://jobs",
                        "fs.ecfs.cluster.jobs",
                        cluster.uri().substring("ecfs://".length()),
                        "fs.AbstractFileSystem.ecfs.impl",
                        "io.ecfs.hadoop.EcfsContext",
                        // SharedCluster's suites have packs.
                        "fs.ecfs.client.pack.on",
                        "false",
                        // DistCp's jobs take less than the second after which Hadoop looks whether they have ended.
                        "mapreduce.client.progressmonitor.pollinterval",
                        "20"));
    }

    /** The same with Hadoop's default file system, the local one. */
    private static JobProject built(String name, String hadoop) throws IOException {
        Path built = directory.resolve(name).resolve(hadoop);
        if (!PROJECTS.containsKey(built)) {
            Files.createDirectories(built);
            PROJECTS.put(
                    built,
                    JobProject.build(
                            name,
                            built,
                            Map.of("hadoop.version", hadoop),
                            "-Dtest.build.data=" + built.resolve("data")));
        }
        return PROJECTS.get(built);
    }
}
