package io.ecfs.namenode.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.SetThrottles;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.rpc.PretendDatanode.Rebuilding;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a namenode knows of damage when it begins to lead, and what it still refuses to believe. */
class FailoverTest {
    private static final int FILES = 300;

    private final TestCluster cluster = new TestCluster(4, 6);

    private NamespaceRequest mkdirs() {
        return new NamespaceRequest.Mkdirs(cluster.request("c"), new FilePath("/x"), 0755, true);
    }

    @Test
    void theFirstWriteOfANewLeaderIsTakenWithoutAPassOverAllChunks() {
        TestCluster large = new TestCluster(4, 18);
        large.ready();
        for (int i = 0; i < FILES; i++) {
            large.file("/f" + i, TestCluster.LENGTH);
        }
        large.time.advance(Duration.ofSeconds(20));
        long before = large.stores.get("nn1").walked;
        large.elect("nn1");
        NamespaceRequest write = new NamespaceRequest.Mkdirs(large.request("c"), new FilePath("/x"), 0755, true);
        CompletableFuture<NamespaceReply> answer;
        do {
            large.time.advance(Duration.ofMillis(1));
            answer = large.send("nn1", write);
            large.await(answer::isDone);
        } while (answer.isCompletedExceptionally() && large.failure(answer).code() == ErrorCode.NOT_LEADER);
        assertThat(answer).isCompletedWithValueMatching(NamespaceReply.class::isInstance);
        assertThat(large.stores.get("nn1").walked - before).isLessThan(FILES);
        assertThat(large.groups()).isEqualTo(new ClusterReport.Groups(FILES, 0, 0, 0));
    }

    @Test
    void aFollowerKnowsTheDamageBeforeItLeads() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.file("/g", TestCluster.LENGTH);
        cluster.complete(
                "writer",
                cluster.create("writer", "/short").status().inode(),
                cluster.write(cluster.locate("/short").groups().get(0), TestCluster.LENGTH, 4));
        cluster.time.advance(Duration.ofSeconds(2));
        ChunkLocation lost = group.chunks().get(1);
        cluster.at(lost).chunks.remove(lost.chunk());
        cluster.at(lost).restart();
        cluster.time.advance(Duration.ofSeconds(3));
        cluster.elect("nn2");
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(1, 2, 0, 0));
        cluster.delete("/f");
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(1, 1, 0, 0)));
        cluster.elect("nn0");
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(1, 1, 0, 0));
    }

    @Test
    void aNewLeaderIsInSafeModeUntilEnoughChunksAreReported() {
        cluster.ready();
        cluster.file("/f", TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.datanodes.values().forEach(d -> d.reportsHeld = true);
        cluster.crash("nn1");
        cluster.start("nn1");
        cluster.time.advance(Duration.ofMinutes(1));
        cluster.elect("nn1");
        cluster.time.advance(Duration.ofSeconds(5));
        EcfsException refused = cluster.refusal(mkdirs());
        assertThat(refused.code()).isEqualTo(ErrorCode.SAFE_MODE);
        assertThat(refused).hasMessageContaining("0 of 1 groups have enough chunks reported");
        cluster.datanodes.values().forEach(d -> d.reportsHeld = false);
        cluster.await(() -> !cluster.report().safeMode());
        cluster.call(mkdirs());
    }

    @Test
    void aNewLeaderRefusesWritesWhileTooManyVolumesAreGone() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        group.chunks().subList(0, 3).forEach(chunk -> cluster.at(chunk).alive = false);
        cluster.time.advance(Duration.ofSeconds(15));
        cluster.elect("nn1");
        cluster.time.advance(Duration.ofSeconds(5));
        EcfsException refused = cluster.refusal(mkdirs());
        assertThat(refused.code()).isEqualTo(ErrorCode.SAFE_MODE);
        assertThat(refused)
                .hasMessageContaining("0 of 1 groups have enough chunks reported")
                .hasMessageContaining("waiting for 3 volumes");
        cluster.at(group.chunks().get(0)).restart();
        cluster.await(() -> !cluster.report().safeMode());
    }

    /**
     * Before, one lost group and one dead datanode kept every new leader from taking writes until that datanode was
     * given up.
     */
    @Test
    void aNewLeaderDoesNotWaitForVolumesThatBringNoLostGroupBack() {
        cluster.ready();
        List<ChunkLocation> lost =
                cluster.file("/lost", TestCluster.LENGTH).first().chunks();
        List<ChunkLocation> whole =
                cluster.file("/f", TestCluster.LENGTH).first().chunks();
        cluster.time.advance(Duration.ofSeconds(2));
        lost.subList(0, 3).forEach(chunk -> cluster.at(chunk).loseHeader(chunk.chunk()));
        cluster.await(() -> cluster.groups().lost() == 1);
        cluster.at(lost.get(4)).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode(), Duration.ofSeconds(10));
        cluster.call(mkdirs());

        whole.subList(0, 3).forEach(chunk -> cluster.at(chunk).alive = false);
        cluster.time.advance(Duration.ofSeconds(15));
        cluster.elect("nn2");
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.report().safeMode())
                .as("/f is missing only as long as they are away")
                .isTrue();
    }

    @Test
    void aFollowerKnowsTheDamageInACheckpointItInstalled() {
        cluster.ready();
        cluster.file("/old", TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.quorum.cut("nn1");
        cluster.delete("/old");
        LocatedGroup group = cluster.file("/new", TestCluster.LENGTH).first();
        ChunkLocation lost = group.chunks().get(1);
        cluster.at(lost).chunks.remove(lost.chunk());
        cluster.at(lost).restart();
        cluster.time.advance(Duration.ofSeconds(3));
        cluster.install("nn0", "nn1");
        cluster.quorum.heal("nn1");
        cluster.time.advance(Duration.ofSeconds(3));
        cluster.elect("nn1");
        cluster.await(() -> !cluster.report().safeMode());
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 1, 0, 0));
    }

    @Test
    // HDDS-14989
    void aNewLeaderHasAMissingChunkRebuiltOnlyAfterTheTimeToSettle() {
        TestCluster repairing = new TestCluster(5, 7, TestCluster.RECOVERY);
        repairing.ready();
        LocatedGroup group = repairing.file("/f", TestCluster.LENGTH).first();
        throttle(repairing, 0);
        repairing.datanodes.values().forEach(d -> d.rebuilding = Rebuilding.TAKES_FOR_EVER);
        ChunkLocation lost = group.chunks().get(1);
        repairing.at(lost).chunks.remove(lost.chunk());
        repairing.at(lost).restart();
        repairing.time.advance(Duration.ofMinutes(1));
        repairing.elect("nn1");
        repairing.await(() -> !repairing.report().safeMode());
        throttle(repairing, 3);
        Duration settle = TestCluster.RECOVERY.settle();
        repairing.time.advance(settle.minusSeconds(2));
        assertThat(orders(repairing)).isEmpty();
        repairing.await(() -> !orders(repairing).isEmpty(), settle);
    }

    private static void throttle(TestCluster cluster, long atOnce) {
        cluster.call(
                new SetThrottles(cluster.request("admin"), Optional.of(atOnce), Optional.empty(), Optional.empty()));
    }

    private static List<DatanodeOrder.Rebuild> orders(TestCluster cluster) {
        return cluster.datanodes.values().stream()
                .flatMap(datanode -> datanode.ordered.stream())
                .toList();
    }
}
