package io.ecfs.namenode.log.ratis;

import static org.awaitility.Awaitility.await;

import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower that lost entries which it had acknowledged to a leader that still leads. */
@Timeout(300)
final class RolledBackFollowerTest {
    @TempDir
    private Path root;

    private int calls;

    @Test
    void catchesUpWithALeaderThatKnowsThatItHadMore() throws IOException {
        try (LogCluster cluster = new LogCluster(root.resolve("log"), 3, RaftTuning.standard()).startAll()) {
            add(cluster, 20);
            cluster.awaitEqualStates();
            String follower = cluster.followers().get(0);
            List<Path> directories = List.of(cluster.directory(follower), cluster.stateDirectory(follower));
            cluster.stop(follower);
            for (Path directory : directories) {
                copy(directory, before(directory));
            }
            cluster.start(follower);
            add(cluster, 20);
            cluster.awaitEqualStates();
            cluster.stop(follower);
            add(cluster, 20); // the leader's appender fails meanwhile, and waits longer before each message
            for (Path directory : directories) {
                DirectoryTree.delete(directory);
                Files.move(before(directory), directory);
            }
            cluster.start(follower);
            long behind = cluster.states.get(cluster.leader()).applied().index();
            await().atMost(LogCluster.PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        add(cluster, 1);
                        return cluster.states.get(follower).applied().index() >= behind;
                    });
            cluster.awaitEqualStates();
        }
    }

    private void add(LogCluster cluster, int count) {
        for (int i = 0; i < count; i++) {
            cluster.add("client", ++calls, "a", 1);
        }
    }

    private static Path before(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".before");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
