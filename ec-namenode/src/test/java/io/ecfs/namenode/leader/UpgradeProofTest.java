package io.ecfs.namenode.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.LogKinds;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster of level 1, in which daemons need no join token, becomes one in which they do. */
class UpgradeProofTest {
    private static final CallerIdentity ROOT = new CallerIdentity("root", List.of());

    private final TestCluster cluster =
            new TestCluster(1, 6, TestCluster.RECOVERY.off(), new CommandCodec(FeatureLevel.FIRST, LogKinds.COMMANDS));

    @BeforeEach
    void upgrade() {
        cluster.ready();
        for (String id : List.copyOf(cluster.states.keySet())) {
            cluster.crash(id);
            cluster.startAs(id, new CommandCodec());
        }
        cluster.elect("nn0");
        cluster.time.advance(Duration.ofSeconds(5));
        cluster.ready();
    }

    private CompletableFuture<NamespaceReply> finalizeUpgrade() {
        CompletableFuture<NamespaceReply> reply =
                cluster.namenodes.get("nn0").namespace(ROOT, new NamespaceRequest.FinalizeUpgrade());
        cluster.time.advance(Duration.ofSeconds(20));
        return reply;
    }

    private int inForce() {
        return cluster.states.get("nn0").levelInForce();
    }

    @Test
    void itIsFinalizedWhenAllHaveProvedTheToken() {
        assertThat(inForce()).isEqualTo(FeatureLevel.FIRST);
        assertThat(finalizeUpgrade()).isCompleted();
        assertThat(inForce()).isEqualTo(FeatureLevel.RELEASE);
    }

    /** Releases of level 1 cannot read what is bound to a user. */
    @Test
    void blockTokensAreOfVersionTwoFromThenOn() {
        LocatedGroup before = cluster.create("c", "/before").first();
        assertThat(before.token().scope()).isEmpty();
        assertThat(before.relay()).isEmpty();
        assertThat(finalizeUpgrade()).isCompleted();
        LocatedGroup after = cluster.create("c", "/after").first();
        assertThat(after.relay()).isPresent();
        assertThat(after.token().scope())
                .contains(BlockToken.Scope.ofGroup(cluster.report().clusterId(), 0, "root"));
    }

    @Test
    void datanodesThatHaveNotProvedItAreNamedAndNothingIsChanged() {
        cluster.unproved.addAll(List.of("dn2", "dn5"));
        cluster.time.advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> finalizeUpgrade().join())
                .hasMessageContainingAll("nothing was changed", "datanodes dn2, dn5", "copy it there")
                .hasMessageNotContaining("\n");
        assertThat(inForce()).isEqualTo(FeatureLevel.FIRST);

        cluster.unproved.remove("dn2");
        cluster.datanodes.get(5).alive = false;
        cluster.time.advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> finalizeUpgrade().join())
                .as("one that may come back")
                .hasMessageContaining("datanode dn5");
        cluster.await(
                () -> cluster.report().datanodes().stream().anyMatch(d -> d.state() == DatanodeState.DEAD),
                Duration.ofMinutes(5));
        assertThat(finalizeUpgrade()).as("one that is dead").isCompleted();
        assertThat(inForce()).isEqualTo(FeatureLevel.RELEASE);
    }

    @Test
    void aNamenodeThatHasNotProvedItIsNamedAndNothingIsChanged() {
        cluster.unproved.add("nn2");
        assertThatThrownBy(() -> finalizeUpgrade().join())
                .hasMessageContainingAll("nothing was changed", "namenode nn2", "join token");
        assertThat(inForce()).isEqualTo(FeatureLevel.FIRST);
        cluster.unproved.clear();
        assertThat(finalizeUpgrade()).isCompleted();
    }

    @Test
    void noDirectorySetsWhoEncodesBefore() {
        NamespaceRequest.SetEncoding master =
                new NamespaceRequest.SetEncoding(cluster.request("c"), FilePath.ROOT, Optional.of(EncodingSide.MASTER));
        CompletableFuture<NamespaceReply> early = cluster.namenodes.get("nn0").namespace(ROOT, master);
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(cluster.failure(early).code()).isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(finalizeUpgrade()).isCompleted();
        cluster.call(master);
        assertThat(cluster.status("/").encoding()).contains(EncodingSide.MASTER);
    }

    @Test
    void nobodyIsAdmittedBeforeAndOneDirectoryAfterIt() {
        NamespaceRequest.AdmitDatanode admit =
                new NamespaceRequest.AdmitDatanode(cluster.request("admin"), cluster.datanodes.get(1).id);
        CompletableFuture<NamespaceReply> early = cluster.namenodes.get("nn0").namespace(ROOT, admit);
        cluster.time.advance(Duration.ofSeconds(1));
        EcfsException refused = cluster.failure(early);
        assertThat(refused.code()).isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(refused).hasMessageContaining("finalize-upgrade");
        assertThat(finalizeUpgrade()).isCompleted();
        assertThat(cluster.call(admit)).isEqualTo(new NamespaceReply.Done());
    }
}
