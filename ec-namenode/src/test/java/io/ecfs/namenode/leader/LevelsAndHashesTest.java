package io.ecfs.namenode.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.entry.NextRelease;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The feature level in force, and the facts of namenodes compared while they work. */
class LevelsAndHashesTest {
    private static final CallerIdentity ROOT = new CallerIdentity("root", List.of());
    private static final Duration ROUNDS = FactsComparison.EVERY.multipliedBy(3);

    private final TestCluster cluster = new TestCluster(1, 6);

    private CompletableFuture<NamespaceReply> finalizeUpgrade(CallerIdentity caller) {
        CompletableFuture<NamespaceReply> reply =
                cluster.namenodes.get(cluster.leader()).namespace(caller, new NamespaceRequest.FinalizeUpgrade());
        cluster.time.advance(Duration.ofSeconds(20));
        return reply;
    }

    /** Of a cluster that this release began. */
    private void restartAllBut(List<String> old) {
        assertInForce(FeatureLevel.RELEASE);
        for (String id : List.copyOf(cluster.states.keySet())) {
            if (!old.contains(id)) {
                cluster.crash(id);
                cluster.startAs(id, NextRelease.codec());
            }
        }
        String next = cluster.states.keySet().stream()
                .filter(id -> !old.contains(id))
                .findFirst()
                .orElseThrow();
        cluster.elect(next);
        cluster.time.advance(Duration.ofSeconds(5));
    }

    private void assertInForce(int level) {
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.states.forEach(
                (id, state) -> assertThat(state.levelInForce()).as(id).isEqualTo(level));
    }

    @Test
    void theLevelRisesWhenAllNamenodesReadIt() {
        restartAllBut(List.of());
        assertInForce(FeatureLevel.RELEASE);
        ClusterReport.Levels levels =
                ((NamespaceReply.LevelsInForce) finalizeUpgrade(ROOT).join()).levels();
        assertThat(levels.inForce()).isEqualTo(NextRelease.LEVEL);
        assertThat(levels.releases()).hasSize(3).containsValue(NextRelease.LEVEL);
        assertInForce(NextRelease.LEVEL);
        assertThat(cluster.report().levels()).contains(levels);
        long index = cluster.quorum.lastIndex();
        assertThat(finalizeUpgrade(ROOT)).as("repeated").isCompleted();
        assertThat(cluster.quorum.lastIndex()).isLessThan(index + 10);
    }

    @Test
    void itStaysWhileANamenodeIsOfAnEarlierReleaseAwayOrBehind() {
        restartAllBut(List.of("nn2"));
        assertThatThrownBy(() -> finalizeUpgrade(ROOT).join())
                .hasMessageContaining("feature level " + NextRelease.LEVEL + " is not finalized, nothing was changed")
                .hasMessageContaining(
                        "namenode nn2 reads up to level " + FeatureLevel.RELEASE + ": start it with this release");
        cluster.crash("nn2");
        assertThatThrownBy(() -> finalizeUpgrade(ROOT).join()).hasMessageContaining("namenode nn2 does not answer");
        cluster.startAs("nn2", NextRelease.codec());
        cluster.quorum.cut("nn2");
        cluster.file("/a", 100);
        assertThatThrownBy(() -> finalizeUpgrade(ROOT).join())
                .hasMessageContaining("namenode nn2 is ")
                .hasMessageContaining("log entries behind: wait until it has caught up");
        assertThat(cluster.states.get("nn0").levelInForce()).isEqualTo(FeatureLevel.RELEASE);
        cluster.quorum.heal("nn2");
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(finalizeUpgrade(ROOT)).isCompleted();
        assertInForce(NextRelease.LEVEL);
    }

    @Test
    void onlyTheSuperuserRaisesIt() {
        restartAllBut(List.of());
        assertThatThrownBy(() ->
                        finalizeUpgrade(new CallerIdentity("guest", List.of())).join())
                .hasMessageContaining("user guest may not finalize an upgrade");
        assertInForce(FeatureLevel.RELEASE);
    }

    /**
     * While this level is in force the next release writes nothing that the other cannot read; an entry that gets there
     * all the same stops it.
     */
    @Test
    void anEarlierReleaseStopsAtTheFirstEntryOfTheNextOne() {
        restartAllBut(List.of("nn2"));
        cluster.file("/before", 100);
        cluster.delete("/before");
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.get("nn2").applied())
                .isEqualTo(cluster.states.get("nn0").applied());

        cluster.propose(NextRelease.codec().encode(new Command.PurgeStep(1, 5)));
        cluster.time.advance(ROUNDS);
        long stoppedAt = cluster.states.get("nn2").applied().index();
        cluster.file("/after", 100);
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.get("nn2").applied().index())
                .isEqualTo(stoppedAt)
                .isLessThan(cluster.states.get("nn0").applied().index());
        assertThat(cluster.quorum.leader()).contains("nn0");
    }

    @Test
    void aLeaderThatMeetsAnEntryItCannotReadLeadsNoMore() {
        cluster.file("/a", 100);
        cluster.propose(NextRelease.codec().encode(new Command.PurgeStep(1, 5)));
        cluster.time.advance(ROUNDS);
        assertThat(cluster.quorum.leader()).isEmpty();
        CompletableFuture<NamespaceReply> read =
                cluster.namenodes.get("nn0").namespace(ROOT, new NamespaceRequest.GetStatus(new FilePath("/a")));
        cluster.time.advance(Duration.ofSeconds(1));
        assertThatThrownBy(read::join).hasMessageContaining("does not lead");
    }

    @Test
    void oneFactThatDiffersStopsTheFollowerAndIsAnIncidentAtTheLeader() {
        cluster.file("/a", 100);
        cluster.time.advance(ROUNDS);
        falsify("nn1");
        cluster.file("/b", 100);
        cluster.time.advance(ROUNDS);
        long stoppedAt = cluster.states.get("nn1").applied().index();
        cluster.file("/c", 100);
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.get("nn1").applied().index())
                .isEqualTo(stoppedAt)
                .isLessThan(cluster.states.get("nn0").applied().index());
        assertThat(cluster.states.get("nn2").applied())
                .isEqualTo(cluster.states.get("nn0").applied());
        assertDiverged("nn1");
    }

    @Test
    void aLeaderWhoseFactsAreNotThoseOfTheOthersStopsAndTheyGoOn() {
        cluster.file("/a", 100);
        cluster.time.advance(ROUNDS);
        falsify("nn0");
        cluster.file("/b", 100);
        cluster.time.advance(ROUNDS);
        assertThat(cluster.quorum.leader()).isEmpty();
        long stoppedAt = cluster.states.get("nn0").applied().index();
        cluster.elect("nn1");
        cluster.ready();
        cluster.file("/c", 100);
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.get("nn0").applied().index())
                .isEqualTo(stoppedAt)
                .isLessThan(cluster.states.get("nn1").applied().index());
        assertThat(cluster.states.get("nn2").applied())
                .isEqualTo(cluster.states.get("nn1").applied());
    }

    @Test
    void withoutAMajorityItIsUnknownWhoIsRightAndNoneStops() {
        cluster.file("/a", 100);
        cluster.time.advance(ROUNDS);
        cluster.crash("nn2");
        falsify("nn1");
        cluster.file("/b", 100);
        cluster.time.advance(ROUNDS);
        cluster.file("/c", 100);
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.get("nn1").applied())
                .isEqualTo(cluster.states.get("nn0").applied());
        assertDiverged("nn1");
    }

    /**
     * 6e8d76b applied the last entries before the upgrade on some namenodes, this release on others: in rows of other
     * forms.
     */
    @Test
    void rowsOfAnEarlierReleaseAreNotComparedBeforeAllWereEqual() {
        cluster.file("/a", 100);
        cluster.time.advance(ROUNDS);
        cluster.stores.values().forEach(store -> {
            try (Transaction earlier = store.begin()) {
                earlier.delete(Table.META, "comparable".getBytes(StandardCharsets.UTF_8));
                earlier.commit();
            }
        });
        falsify("nn1");
        cluster.delete("/a");
        cluster.time.advance(ROUNDS);
        cluster.file("/b", 100);
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.values().stream().map(MetadataState::applied).distinct())
                .hasSize(1);
        try (MetadataView view = cluster.facts("nn0")) {
            assertThat(view.incidentsGoingOn()).isEmpty();
        }
        cluster.install("nn0", "nn1");
        cluster.time.advance(ROUNDS);
        assertThat(cluster.states.get("nn0").comparable()).isTrue();
        falsify("nn1");
        cluster.file("/c", 100);
        cluster.time.advance(ROUNDS);
        cluster.file("/d", 100);
        cluster.time.advance(ROUNDS);
        assertDiverged("nn1");
        assertThat(cluster.states.get("nn1").applied().index())
                .isLessThan(cluster.states.get("nn0").applied().index());
    }

    /** A bit of the disk, or a bug of one release: a counter that is not that of the others. */
    private void falsify(String namenode) {
        try (Transaction behindItsBack = cluster.stores.get(namenode).begin()) {
            behindItsBack.put(
                    Table.META,
                    "count/files".getBytes(StandardCharsets.UTF_8),
                    new RowWriter().i64(1000).bytes());
            behindItsBack.commit();
        }
    }

    private void assertDiverged(String namenode) {
        try (MetadataView view = cluster.facts("nn0")) {
            assertThat(view.incidentsGoingOn())
                    .extracting(Incident::cause)
                    .containsExactly(IncidentCause.diverged(namenode));
        }
    }

    @Test
    void equalFactsAreComparedAndNothingIsLoggedWhileNothingChanges() {
        cluster.file("/a", 100);
        cluster.time.advance(ROUNDS);
        long index = cluster.quorum.lastIndex();
        cluster.time.advance(ROUNDS);
        assertThat(cluster.quorum.lastIndex()).isEqualTo(index);
        try (MetadataView view = cluster.facts("nn0")) {
            assertThat(view.incidentsGoingOn()).isEmpty();
        }
    }
}
