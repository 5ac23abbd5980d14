package io.ecfs.namenode.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.settings.RecoverySettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a datanode whose process has ended is suspected, and what is not mistaken for that. */
class ProcessExitsTest {
    private static final Duration GRACE = TestCluster.RECOVERY.grace();

    private final TestCluster cluster = new TestCluster(7, 6, TestCluster.RECOVERY).ready();
    private final PretendDatanode datanode = cluster.datanodes.get(2);

    private DatanodeState state() {
        return cluster.report().datanodes().stream()
                .filter(line -> line.id().equals(datanode.id))
                .map(ClusterReport.Datanode::state)
                .findFirst()
                .orElseThrow();
    }

    private void exit() {
        datanode.alive = false;
        cluster.refusing.add(datanode.id.name());
        cluster.time.advance(Duration.ofMillis(2));
        cluster.closeConnection(datanode);
    }

    @Test
    void aProcessThatEndedIsSuspectedAtOnceAndDeadAfterTheGrace() {
        exit();
        cluster.time.advance(Duration.ofMillis(50));
        assertThat(state()).isEqualTo(DatanodeState.SUSPECTED);
        cluster.time.advance(GRACE.minusSeconds(1));
        assertThat(state()).isEqualTo(DatanodeState.SUSPECTED);
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(state()).isEqualTo(DatanodeState.DEAD);
    }

    @Test
    void whereNobodyAnswersTheSilenceDecides() {
        datanode.alive = false;
        cluster.closeConnection(datanode);
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(state()).isEqualTo(DatanodeState.HEALTHY);
        assertThat(cluster.connects).hasSize(4);
        cluster.time.advance(Duration.ofSeconds(6));
        assertThat(state()).isEqualTo(DatanodeState.SUSPECTED);
    }

    @Test
    void aProcessThatEndsAfterItsConnectionClosedIsFoundALittleLater() {
        datanode.alive = false;
        cluster.time.advance(Duration.ofMillis(2));
        cluster.closeConnection(datanode);
        cluster.time.advance(Duration.ofMillis(50));
        assertThat(state()).isEqualTo(DatanodeState.HEALTHY);
        cluster.refusing.add(datanode.id.name());
        cluster.time.advance(Duration.ofMillis(700));
        assertThat(state()).isEqualTo(DatanodeState.SUSPECTED);
    }

    @Test
    void aReportAfterTheConnectionWasClosedCountsMoreThanARefusal() {
        cluster.closeConnection(datanode);
        cluster.time.advance(Duration.ofMillis(2));
        datanode.beat();
        cluster.refusing.add(datanode.id.name());
        cluster.time.advance(Duration.ofMillis(900));
        assertThat(state()).isEqualTo(DatanodeState.HEALTHY);
    }

    @Test
    void aRestartEndsTheSuspicion() {
        exit();
        cluster.time.advance(Duration.ofMillis(50));
        assertThat(state()).isEqualTo(DatanodeState.SUSPECTED);
        cluster.refusing.clear();
        datanode.restart();
        cluster.await(() -> state() == DatanodeState.HEALTHY);
        cluster.time.advance(GRACE.plusSeconds(20));
        assertThat(state()).isEqualTo(DatanodeState.HEALTHY);
    }

    @Test
    void aFollowerConnectsToNone() {
        datanode.alive = false;
        cluster.refusing.add(datanode.id.name());
        cluster.namenodes.forEach((id, namenode) -> {
            if (!id.equals(cluster.leader())) {
                namenode.connectionClosed(datanode.id);
            }
        });
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(cluster.connects).isEmpty();
        assertThat(state()).isEqualTo(DatanodeState.HEALTHY);
    }

    @Test
    void withoutAGraceItsChunksAreRebuiltWithinASecond() {
        RecoverySettings usual = TestCluster.RECOVERY;
        TestCluster impatient = new TestCluster(
                        9,
                        7,
                        new RecoverySettings(
                                Duration.ZERO,
                                false,
                                usual.settle(),
                                usual.deadline(),
                                usual.retryAfter(),
                                usual.retryAtMost(),
                                usual.atOnce(),
                                usual.perDatanode()))
                .ready();
        PretendDatanode holder = impatient.at(
                impatient.file("/f", TestCluster.LENGTH).first().chunks().get(1));
        impatient.time.advance(Duration.ofSeconds(2));
        holder.alive = false;
        impatient.refusing.add(holder.id.name());
        impatient.time.advance(Duration.ofMillis(2));
        impatient.closeConnection(holder);
        // A target has its order with its next heartbeat.
        impatient.await(
                () -> impatient.datanodes.values().stream().anyMatch(d -> !d.ordered.isEmpty()),
                Duration.ofMillis(3500));
    }
}
