package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Namenodes that were away, or lost their disk. */
class NamenodeCatchUpTest {
    private static final int ENTRIES = 300;

    @TempDir
    private Path directory;

    @Test
    void namenodesFarBehindOrWithoutADiskCatchUpByCheckpoint() throws IOException {
        try (TestCluster cluster = TestCluster.start(
                directory,
                "rs-2-1-64k",
                3,
                3,
                "namenode.raft.entryCommands=1",
                "namenode.raft.segmentBytes=16k",
                "namenode.raft.checkpointEvery=100",
                "namenode.raft.checkpointsKept=1",
                "namenode.raft.laggingEntries=20",
                "namenode.raft.mostEntries=20")) {
            byte[] file = Pattern.bytes(1, 300_000);
            cluster.write("/before", file);
            // Ratis writes the file with the members from two threads when it starts without one; the second finds it
            // done.
            cluster.log.expect("Failed writing configuration to file");
            String away = follower(cluster, "none");
            cluster.stop(away);
            mkdirs(cluster, "/a");
            cluster.write("/meanwhile", file);
            cluster.start(away);
            awaitCaughtUp(cluster);
            assertThat(cluster.log.holds("event=checkpoint_installed namenode=" + away))
                    .as("the checkpoint came over the wire")
                    .isTrue();

            String bare = follower(cluster, away);
            cluster.stop(bare);
            deleteTree(cluster.directoryOf(bare));
            mkdirs(cluster, "/b");
            cluster.start(bare);
            awaitCaughtUp(cluster);

            for (String id : List.of("nn0", "nn1", "nn2")) {
                if (!id.equals(away) && !id.equals(bare)) {
                    cluster.stop(id); // those that caught up must now do without it
                }
            }
            assertThat(cluster.read("/before")).isEqualTo(file);
            assertThat(cluster.read("/meanwhile")).isEqualTo(file);
            cluster.write("/after", file);
        }
    }

    private static String follower(TestCluster cluster, String butNot) throws IOException {
        return Await.result(cluster.client().admin().report()).namenodes().stream()
                .filter(n -> n.role() == ClusterReport.Role.FOLLOWER && !n.id().equals(butNot))
                .findFirst()
                .orElseThrow()
                .id();
    }

    /** Every mkdirs is a log entry of its own. */
    private static void mkdirs(TestCluster cluster, String under) throws IOException {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            all.add(cluster.client().mkdirs(new FilePath(under + "/" + i), 0755, true));
        }
        for (CompletableFuture<Void> one : all) {
            Await.result(one);
        }
    }

    private static void awaitCaughtUp(TestCluster cluster) {
        cluster.awaitReport(
                "all namenodes to have applied the same entries",
                r -> r.namenodes().stream().noneMatch(n -> n.role() == ClusterReport.Role.UNREACHABLE)
                        && r.namenodes().stream()
                                        .mapToLong(ClusterReport.Namenode::appliedIndex)
                                        .distinct()
                                        .count()
                                == 1);
    }

    private static void deleteTree(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
