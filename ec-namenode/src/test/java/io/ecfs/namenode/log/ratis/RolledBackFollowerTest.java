package io.ecfs.namenode.log.ratis;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A follower that lost entries which it had acknowledged to a leader that still leads. Ratis's own appender also comes
 * loose when an answer happens to take long enough; a torture in one process is what saw it stuck for three minutes.
 */
@Tag("soak")
@Timeout(300)
final class RolledBackFollowerTest {
    /**
     * Heartbeats are due before a failing appender sends again, also when answers take a while: all that it sends are
     * heartbeats.
     */
    private static final RaftTuning OFTEN =
            ConfigReader.with(RaftTuning.standard(), List.of("electionTimeoutMin=700ms", "electionTimeoutMax=8s"));

    @TempDir
    private Path root;

    private int calls;

    @Test
    void catchesUpWithALeaderThatKnowsThatItHadMore() throws IOException {
        try (LogCluster cluster = new LogCluster(root.resolve("log"), 3, OFTEN).startAll()) {
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
