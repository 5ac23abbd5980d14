package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of the log that stop, come back late or empty, or fail. */
@Timeout(300)
final class MemberFailureTest {
    private static final RaftTuning TUNING = RaftTuning.standard();

    @TempDir
    Path root;

    @Test
    void aClientThatRepeatsItsCallsHasEachEffectOnceAcrossFailovers() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, TUNING).startAll()) {
            int calls = 300;
            CompletableFuture<Void> client = CompletableFuture.runAsync(() -> {
                for (int i = 1; i <= calls; i++) {
                    cluster.add("client", i, "a", 1);
                }
            });
            for (int round = 1; round <= 2; round++) {
                int reached = round * 100;
                await().atMost(LogCluster.PATIENCE).until(() -> cluster.read("a") >= reached);
                String leader = cluster.leader();
                cluster.stop(leader);
                cluster.start(leader);
            }
            client.get(2, TimeUnit.MINUTES);
            assertThat(cluster.read("a")).isEqualTo(calls);
            cluster.awaitEqualStates();
        }
    }

    @Test
    void aRestartReplaysExactlyWhatIsMissing() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY).startAll()) {
            for (int i = 1; i <= 50; i++) {
                cluster.add("client", i, "a", 1);
            }
            cluster.awaitEqualStates();
            String late = cluster.followers().get(0);
            String other = cluster.followers().get(1);
            cluster.stop(late);
            int before = cluster.states.get(other).commands.get();
            for (int i = 51; i <= 80; i++) {
                cluster.add("client", i, "a", 1);
            }
            cluster.start(late);
            cluster.awaitEqualStates();
            // 30, and what was proposed again when the leader changed.
            assertThat(cluster.states.get(late).commands)
                    .hasValue(cluster.states.get(other).commands.get() - before)
                    .hasValueGreaterThanOrEqualTo(30);
            assertThat(cluster.downloads).isEmpty();
        }
    }

    @Test
    // Alluxio #13720
    void latecomersGetACheckpointAndTheLogStaysSmall() throws Exception {
        RaftTuning small = ConfigReader.with(
                TUNING, List.of("entryCommands=1", "segmentBytes=16KiB", "checkpointEvery=100", "laggingEntries=100"));
        try (LogCluster cluster = new LogCluster(root, 3, small).startAll()) {
            String away = cluster.followers().get(0);
            String wiped = cluster.followers().get(1);
            cluster.add("client", 1, "a", 1);
            cluster.awaitEqualStates();
            cluster.stop(away);
            for (int i = 2; i <= 600; i++) {
                cluster.add("client", i, "a", 1);
            }
            cluster.start(away);
            cluster.awaitEqualStates();
            assertThat(cluster.downloads).containsOnlyKeys(away);
            assertThat(cluster.states.get(away).commands.get()).isLessThan(300);

            cluster.stop(wiped);
            DirectoryTree.delete(cluster.directory(wiped));
            DirectoryTree.delete(cluster.stateDirectory(wiped));
            cluster.start(wiped);
            cluster.awaitEqualStates();
            assertThat(cluster.downloads).containsKeys(away, wiped);
            assertThat(cluster.states.get(wiped).get("a")).isEqualTo(600);
            assertThat(cluster.add("client", 601, "a", 1)).isEqualTo(601);
            cluster.awaitEqualStates();

            for (String id : List.of(cluster.leader(), away)) {
                assertThat(bytesBelow(cluster.directory(id).resolve("raft"))).isLessThan(200_000);
                try (var checkpoints = Files.list(cluster.directory(id).resolve("checkpoints"))) {
                    assertThat(checkpoints.count()).isLessThanOrEqualTo(3);
                }
            }
            assertThat(cluster.failures).isEmpty();
        }
    }

    @Test
    void anEmptiedNamenodeElectsNoneThatMissesEntries() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY).startAll()) {
            for (int i = 1; i <= 20; i++) {
                cluster.add("client", i, "a", 1);
            }
            cluster.awaitEqualStates();
            String behind = cluster.followers().get(0);
            String emptied = cluster.followers().get(1);
            cluster.stop(behind);
            cluster.add("client", 21, "a", 1);
            String leader = cluster.leader();
            cluster.stop(leader);
            cluster.stop(emptied);
            DirectoryTree.delete(cluster.directory(emptied));
            DirectoryTree.delete(cluster.stateDirectory(emptied));

            // These two are a majority, but entry 21 lives with the third alone.
            cluster.start(behind);
            cluster.start(emptied);
            await().failFast(
                            "one of them leads",
                            () -> cluster.logs.values().stream()
                                    .anyMatch(log -> log.leadership().leading()))
                    .pollDelay(Duration.ofSeconds(8)) // more than two elections
                    .atMost(LogCluster.PATIENCE)
                    .until(() -> true);

            cluster.start(leader);
            assertThat(cluster.read("a")).isEqualTo(21);
            cluster.awaitEqualStates();
            await().atMost(LogCluster.PATIENCE).until(() -> !cluster.joining(emptied));
        }
    }

    /** As the writer of Ratis's log does after an assertion. */
    @Test
    void aMemberThatRatisClosesByItselfStopsAndComesBack() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, TUNING).startAll()) {
            cluster.add("client", 1, "a", 1);
            String closed = cluster.followers().get(0);
            cluster.logs.get(closed).division().close();
            await().atMost(LogCluster.PATIENCE).until(() -> cluster.failures.containsKey(closed));
            assertThat(cluster.failures.get(closed)).hasMessageContaining("Ratis shut down at namenode " + closed);
            assertThat(cluster.add("client", 2, "a", 1)).isEqualTo(2);

            cluster.stop(closed);
            cluster.start(closed);
            cluster.awaitEqualStates();
            assertThat(cluster.failures).containsOnlyKeys(closed);
        }
    }

    @Test
    void aStateThatThrowsStopsItsOwnNamenodeOnly() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, TUNING).startAll()) {
            cluster.add("client", 1, "a", 1);
            String sick = cluster.followers().get(0);
            cluster.states.get(sick).poison = "b";
            assertThat(cluster.add("client", 2, "b", 7)).isEqualTo(7);
            await().atMost(LogCluster.PATIENCE).until(() -> cluster.failures.containsKey(sick));
            assertThat(cluster.failures.get(sick)).hasMessageContaining("poisoned");
            assertThat(cluster.add("client", 3, "b", 1)).isEqualTo(8);
            assertThat(cluster.read("b")).isEqualTo(8);
            assertThat(cluster.failures).containsOnlyKeys(sick);

            cluster.stop(sick);
            cluster.start(sick);
            cluster.awaitEqualStates();
        }
    }

    @Test
    void listenersSeeLeadershipComeAndGo() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY).startAll()) {
            String leader = cluster.leader();
            List<Boolean> seen = new ArrayList<>();
            cluster.logs.get(leader).onLeadership(now -> {
                synchronized (seen) {
                    if (seen.isEmpty() || seen.get(seen.size() - 1) != now.leading()) {
                        seen.add(now.leading());
                    }
                }
            });
            cluster.followers().forEach(cluster::stop);
            await().atMost(LogCluster.PATIENCE).until(() -> {
                synchronized (seen) {
                    return seen.equals(List.of(true, false));
                }
            });
            assertThat(cluster.logs.get(leader).leadership().leading()).isFalse();
        }
    }

    private static long bytesBelow(Path directory) throws IOException {
        long bytes = 0;
        for (Path file : DirectoryTree.files(directory)) {
            bytes += Files.size(file);
        }
        return bytes;
    }
}
