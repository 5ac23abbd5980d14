package io.ecfs.namenode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.rpc.Namenode;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entries that overtake the reports of datanodes. */
class AwaitedReportsTest {
    private static final Duration LONGER_THAN_A_BATCH = Duration.ofMillis(AwaitedReports.OVERDUE_MILLIS + 1500);

    private final TestCluster cluster = new TestCluster(5, 6);

    @BeforeEach
    void start() {
        cluster.ready();
    }

    private void assertAgrees() {
        Namenode leader = cluster.namenodes.get(cluster.leader());
        CompletableFuture<UnderReplicationAudit> answer = leader.auditLedger();
        cluster.await(answer::isDone);
        assertThat(answer.join()).isEqualTo(new UnderReplicationAudit(true, Optional.empty()));
    }

    @Test
    void aGroupIsNoDamageWhenItIsSealedBeforeItsChunksAreReported() {
        cluster.datanodes.values().forEach(datanode -> datanode.alive = false); // so nothing is reported meanwhile
        cluster.file("/f", TestCluster.LENGTH);
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(1, 0, 0, 0));
        assertAgrees();
    }

    @Test
    void aChunkThatIsNotReportedInTimeIsDamage() {
        cluster.file("/placed", TestCluster.LENGTH);
        PretendDatanode mute = cluster.datanodes.values().iterator().next();
        mute.alive = false;
        cluster.file("/f", TestCluster.LENGTH, TestCluster.POLICY);
        cluster.file("/g", TestCluster.LENGTH, TestCluster.POLICY);
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(3, 0, 0, 0));
        cluster.time.advance(LONGER_THAN_A_BATCH);
        assertThat(cluster.groups().degraded()).isPositive();
        assertAgrees();
        mute.alive = true;
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(3, 0, 0, 0)));
        assertAgrees();
    }
}
