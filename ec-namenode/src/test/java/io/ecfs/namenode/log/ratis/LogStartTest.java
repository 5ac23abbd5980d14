package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Followers that end right before the first entry of their leader's log. */
@Timeout(300)
final class LogStartTest {
    private static final Pattern LOG_FILE = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    @TempDir
    Path root;

    /** Both download the restored state; one installs it after the other and the leader have gone on. */
    @Test
    void aNamenodeThatInstallsTheRestoredStateLateFollows() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY)) {
            Position restored = new Position(7, 41);
            new RegisterState(cluster.stateDirectory("nn0")).skip(restored);
            RatisLog.formatBehind(cluster.directory("nn0"), LogCluster.LOG, restored);
            Set<String> opened = ConcurrentHashMap.newKeySet();
            cluster.before = (id, request) -> {
                if (request instanceof SnapshotRequest.ReadSnapshot) {
                    opened.add(id);
                    await().atMost(LogCluster.PATIENCE).until(() -> opened.size() == 2);
                    await().atMost(LogCluster.PATIENCE)
                            .until(() -> id.equals("nn1")
                                    || cluster.states.get("nn0").applied().index() > restored.index());
                }
            };
            for (String id : List.of("nn0", "nn1", "nn2")) {
                cluster.start(id);
            }
            await().atMost(LogCluster.PATIENCE).until(() -> !cluster.joining("nn1") && !cluster.joining("nn2"));
            assertThat(cluster.downloads).isEqualTo(Map.of("nn1", 1, "nn2", 1));
            assertThat(cluster.add("client", 1, "a", 1)).isEqualTo(1);
            cluster.awaitEqualStates();
        }
    }

    /**
     * A file of the log ends where a term does: with power lost everywhere, all logs end there, and one namenode comes
     * back late.
     */
    @Test
    void aLogThatEndsWhereTheLeadersBeginsGetsACheckpoint() throws Exception {
        RaftTuning small = ConfigReader.with(
                LogCluster.STEADY, List.of("entryCommands=1", "checkpointEvery=20", "laggingEntries=0"));
        try (LogCluster cluster = new LogCluster(root, 3, small).startAll()) {
            cluster.add("client", 1, "a", 1);
            cluster.awaitEqualStates();
            String late = cluster.followers().get(0);
            List<String> others = List.of(cluster.leader(), cluster.followers().get(1));
            cluster.stop(late);
            long end = cluster.states.get(late).applied().index();
            others.forEach(cluster::stop);
            for (String id : others) {
                cluster.start(id);
            }
            for (int i = 2; i <= 60; i++) {
                cluster.add("client", i, "a", 1);
            }
            for (String id : others) {
                await().atMost(LogCluster.PATIENCE)
                        .untilAsserted(() ->
                                assertThat(firstInLog(cluster.directory(id))).isEqualTo(end + 1));
            }
            cluster.start(late);
            cluster.awaitEqualStates();
            assertThat(cluster.downloads).isEqualTo(Map.of(late, 1));
        }
    }

    private static long firstInLog(Path directory) throws IOException {
        return DirectoryTree.files(directory.resolve("raft")).stream()
                .map(file -> LOG_FILE.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .mapToLong(name -> Long.parseLong(name.group(1)))
                .min()
                .orElseThrow();
    }
}
