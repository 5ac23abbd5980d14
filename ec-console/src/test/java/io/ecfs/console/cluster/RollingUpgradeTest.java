package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of the release that wrote the latest golden directory becomes one of a later level, daemon by daemon and
 * under load, goes back, is upgraded again, and is finalized. Nothing that was acknowledged is lost, and no call of the
 * load fails. While this release has the level of the golden one, the later level is this release's code with a higher
 * number.
 */
@Tag("soak")
class RollingUpgradeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final List<String> NAMENODES = List.of("nn0", "nn1", "nn2");
    private static final List<String> DATANODES = List.of("dn0", "dn1", "dn2", "dn3");
    /**
     * Beside them some that are of the golden release until the end, so that a group has all its chunks while one is in
     * maintenance.
     */
    private static final int MORE_DATANODES = 2;

    /** An open group goes on without one of its chunks, which takes two of parity. */
    private static final String POLICY = "rs-3-2-8k";

    @TempDir
    private Path directory;

    private EcfsClient client;
    private UpgradeLoad load;

    @Test
    void aGoldenClusterIsUpgradedTakenBackAndFinalizedUnderLoad() throws IOException, InterruptedException {
        GoldenDirectory recorded = latest();
        int level = Math.max(FeatureLevel.RELEASE, recorded.level() + 1);
        Release golden = Release.of(recorded.commit());
        Release later = level == FeatureLevel.RELEASE ? Release.present() : Release.presentOfLevel(level, directory);
        up(golden);
        try {
            client = TestCluster.client(uri(), "local.on=false", "namenodeDeadline=2m");
            try (UpgradeLoad running = UpgradeLoad.start(client)) {
                load = running;
                assertThat(levels().inForce()).isEqualTo(recorded.level());
                replaceAll(later, NAMENODES, DATANODES);
                replaceAll(golden, DATANODES, NAMENODES);
                replaceAll(later, List.of("nn0", "nn1"), List.of("dn0"));
                finalizeBeforeAllAreUpgraded(later);
                assertThat(levels().inForce()).as("nothing was finalized yet").isEqualTo(recorded.level());
                replaceAll(later, List.of("nn2"), List.of());
                if (recorded.level() < FeatureLevel.PROVED_PEERS) {
                    finalizeBeforeAllHaveProvedTheJoinToken(later);
                    assertThat(levels().inForce()).isEqualTo(recorded.level());
                    replaceAll(later, List.of(), List.of("dn1", "dn2", "dn3", "dn4", "dn5"));
                }

                copyStateOf("nn2", later);
                finalizeUpgrade(later);
                assertThat(levels().inForce()).isEqualTo(level);
                anEarlierReleaseRefuses(golden, later, level);
                load.verifyAll();
                load.requireProgress();
            } finally {
                client.close();
            }
        } finally {
            later.ecfs(directory, "down", "--dir", directory.toString());
        }
        assertNoErrors();
    }

    /**
     * The leader says which namenode is behind, or of the earlier release; one of that release has nothing to finalize.
     */
    private void finalizeBeforeAllAreUpgraded(Release release) throws IOException, InterruptedException {
        Release.Run run = release.ecfs(directory, "admin", "finalize-upgrade", "--cluster", uri());
        if (run.code() != 0) {
            assertThat(run.output().lines())
                    .as(run.output())
                    .singleElement()
                    .asString()
                    .contains("is not finalized, nothing was changed: namenode nn");
        }
    }

    private void finalizeBeforeAllHaveProvedTheJoinToken(Release release) {
        await("the datanodes to be named").atMost(PATIENCE).until(() -> {
            Release.Run run = release.ecfs(directory, "admin", "finalize-upgrade", "--cluster", uri());
            assertThat(run.code()).isNotZero();
            assertThat(run.output().lines()).as(run.output()).hasSize(1);
            return run.output().contains("the join token has not been proved by datanodes dn1, dn2, dn3, dn4, dn5");
        });
    }

    /** A namenode that was just started may be behind, under load. */
    private void finalizeUpgrade(Release release) {
        await("all namenodes to have caught up").atMost(PATIENCE).until(() -> {
            Release.Run run = release.ecfs(directory, "admin", "finalize-upgrade", "--cluster", uri());
            assertThat(run.code() == 0 || run.output().contains("log entries behind"))
                    .as(run.output())
                    .isTrue();
            return run.code() == 0;
        });
    }

    private static GoldenDirectory latest() throws IOException {
        List<GoldenDirectory> all = GoldenDirectory.all();
        List<GoldenDirectory> before = all.stream()
                .filter(golden -> golden.level() < FeatureLevel.RELEASE)
                .toList();
        return before.isEmpty() ? all.get(all.size() - 1) : before.get(before.size() - 1);
    }

    private void up(Release release) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "up",
                "--dir",
                directory.toString(),
                "--processes",
                "--detach",
                "--no-console",
                "--namenodes",
                "" + NAMENODES.size(),
                "--datanodes",
                "" + (DATANODES.size() + MORE_DATANODES),
                "--policy",
                POLICY));
        TestCluster.shortTimes().forEach(setting -> arguments.addAll(List.of("-D", setting)));
        release.ecfs(directory, arguments.toArray(String[]::new)).well();
    }

    private void replaceAll(Release release, List<String> first, List<String> then)
            throws IOException, InterruptedException {
        for (String id : Stream.concat(first.stream(), then.stream()).toList()) {
            replace(release, id);
        }
        load.verifyAll();
        load.requireProgress();
    }

    private void stop(String id) throws IOException {
        ProcessHandle process = ProcessHandle.of(pid(id)).orElseThrow();
        process.destroy();
        await(id + " ends").atMost(PATIENCE).until(() -> !process.isAlive());
    }

    /** Stops a daemon in order and starts it as one of this release, as docs/deploy.md says. */
    private void replace(Release release, String id) throws IOException, InterruptedException {
        boolean datanode = id.startsWith("dn");
        if (datanode) {
            release.ecfs(directory, "admin", "maintenance", "--cluster", uri(), id, "--for", "30m")
                    .well();
        }
        stop(id);
        start(release, id);
        if (datanode) {
            release.ecfs(directory, "admin", "recommission", "--cluster", uri(), id)
                    .well();
        }
    }

    /** Returns when the cluster could do without the next daemon. */
    private void start(Release release, String id) throws IOException, InterruptedException {
        long began = System.currentTimeMillis();
        release.ecfs(directory, "up", "--dir", directory.toString(), "--only", id)
                .well();
        long started = pid(id);
        assertThat(commandLine(started)).contains(release.classPath());
        await(id + " of " + release.name() + " works with the others")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> {
                    ClusterReport report = Await.result(client.admin().report());
                    return report.namenodes().stream()
                                    .allMatch(n -> n.appliedIndex() >= 0 && n.role() != ClusterReport.Role.UNREACHABLE)
                            && report.datanodes().stream()
                                    .allMatch(d -> d.state() == ClusterReport.DatanodeState.HEALTHY
                                            && d.lastHeartbeatMillis() >= began)
                            && report.groups().degraded() == 0
                            && report.groups().lost() == 0
                            && !report.safeMode();
                });
        assertThat(ProcessHandle.of(started)).as(id + " runs").isPresent();
    }

    private ClusterReport.Levels levels() throws IOException {
        return Await.result(client.admin().report()).levels().orElseThrow();
    }

    /** As it is before the level is raised: the entry that raises it will be in the log, and not in the state. */
    private void copyStateOf(String namenode, Release release) throws IOException, InterruptedException {
        stop(namenode);
        copy(directory.resolve(namenode).resolve("state"), stateBefore());
        start(release, namenode);
    }

    private Path stateBefore() {
        return directory.resolve("state-before");
    }

    /**
     * At the level that its state is of, and at an entry of that level in its log; a release of the level goes on in
     * both.
     */
    private void anEarlierReleaseRefuses(Release golden, Release later, int level)
            throws IOException, InterruptedException {
        Path nn2 = directory.resolve("nn2");
        stop("nn2");
        assertRefused(golden, "the state of this namenode is at feature level " + level, level);
        start(later, "nn2");
        stop("nn2");
        DirectoryTree.delete(nn2.resolve("state"));
        DirectoryTree.delete(nn2.resolve("log/checkpoints"));
        copy(stateBefore(), nn2.resolve("state"));
        assertRefused(golden, "has feature level " + level, level);
        start(later, "nn2");
    }

    private void assertRefused(Release golden, String reason, int level) throws IOException, InterruptedException {
        Release.Run run = golden.ecfs(
                directory,
                "namenode",
                "--config",
                directory.resolve("conf/nn2.yaml").toString());
        assertThat(run.code()).isNotZero();
        assertThat(run.output().lines().filter(line -> line.startsWith("ecfs: ")))
                .as(run.output())
                .singleElement()
                .asString()
                .contains(reason)
                .contains("start a release of level " + level);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.sorted().toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        }
    }

    private void assertNoErrors() throws IOException {
        try (Stream<Path> logs = Files.list(directory.resolve("logs"))) {
            for (Path log : logs.toList()) {
                // Ratis calls it an error that a heartbeat reaches a namenode which is ending or starting.
                assertThat(Files.readAllLines(log).stream()
                                .filter(line -> line.contains(" ERROR ") && !line.contains("Failed appendEntries*")))
                        .as(log.toString())
                        .isEmpty();
            }
        }
    }

    private String uri() throws IOException {
        return clusterFile().get("uri").asText();
    }

    private JsonNode clusterFile() throws IOException {
        return new ObjectMapper().readTree(directory.resolve("cluster.json").toFile());
    }

    private long pid(String id) throws IOException {
        for (JsonNode daemon : clusterFile().get("daemons")) {
            if (daemon.get("id").asText().equals(id)) {
                return daemon.get("pid").asLong();
            }
        }
        throw new AssertionError("no daemon " + id);
    }

    private static String commandLine(long pid) throws IOException {
        return Files.readString(Path.of("/proc", String.valueOf(pid), "cmdline"));
    }
}
