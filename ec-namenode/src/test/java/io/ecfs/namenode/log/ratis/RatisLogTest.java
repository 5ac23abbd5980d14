package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.report.ClusterReport.Role;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.MetadataLog.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the log answers, as long as its members stay. */
@Timeout(300)
final class RatisLogTest {
    private static final RaftTuning TUNING = RaftTuning.standard();

    @TempDir
    Path root;

    @Test
    void readsGiveWhatWasProposedAndAllStatesBecomeEqual() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, TUNING).startAll()) {
            for (int i = 1; i <= 20; i++) {
                assertThat(cluster.add("client", i, "a", 1)).isEqualTo(i);
                assertThat(cluster.read("a")).isEqualTo(i);
            }
            cluster.awaitEqualStates();

            String leader = cluster.leader();
            assertThat(cluster.logs.get(leader).members())
                    .extracting(Member::role)
                    .containsOnlyOnce(Role.LEADER)
                    .contains(Role.FOLLOWER)
                    .hasSize(3);
            RatisLog follower = cluster.logs.get(cluster.followers().get(0));
            assertThatThrownBy(() -> follower.propose(new byte[1]).get())
                    .hasCauseInstanceOf(EcfsException.class)
                    .satisfies(e -> assertThat(((EcfsException) e.getCause()).hint())
                            .hasValueSatisfying(hint -> assertThat(hint).startsWith("client-side:")));
            assertThatThrownBy(() -> follower.read(() -> 1).get()).hasMessageContaining(leader + " does");
        }
    }

    @Test
    void aSingleNamenodeIsACluster() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 1, TUNING).startAll()) {
            assertThat(cluster.add("client", 1, "a", 5)).isEqualTo(5);
            assertThat(cluster.read("a")).isEqualTo(5);
            cluster.stop("nn0");
            cluster.start("nn0");
            assertThat(cluster.add("client", 2, "a", 1)).isEqualTo(6);
            assertThat(cluster.read("a")).isEqualTo(6);
        }
    }

    @Test
    void commandsThatWaitTogetherShareEntriesAndKeepTheirOrder() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY).startAll()) {
            String leader = cluster.leader();
            int before = cluster.states.get(leader).entries.get();
            List<CompletableFuture<byte[]>> answers = new ArrayList<>();
            for (int i = 1; i <= 1000; i++) {
                answers.add(cluster.logs.get(leader).propose(RegisterState.add("client", i, "a", 1)));
            }
            for (int i = 1; i <= 1000; i++) {
                assertThat(RegisterState.value(answers.get(i - 1).get(2, TimeUnit.MINUTES)))
                        .isEqualTo(i);
            }
            assertThat(cluster.states.get(leader).entries.get() - before).isLessThan(200);
        }
    }

    @Test
    void membersSpeakTlsAndRefuseWhoeverHasNoCertificateOfTheirs() throws Exception {
        Certificates ours = Certificates.in(root.resolve("ours"));
        try (LogCluster cluster =
                new LogCluster(root, 3, TUNING).with(ours.credentials()).startAll()) {
            assertThat(cluster.add("client", 1, "a", 3)).isEqualTo(3);
            assertThat(cluster.read("a")).isEqualTo(3);
            cluster.awaitEqualStates();

            String stranger = cluster.followers().get(0);
            cluster.stop(stranger);
            cluster.add("client", 2, "a", 1);
            cluster.with(Certificates.in(root.resolve("theirs")).credentials());
            cluster.start(stranger);
            await().during(Duration.ofSeconds(2))
                    .atMost(LogCluster.PATIENCE)
                    .until(() -> cluster.states.get(stranger).get("a") == 3);
        }
    }

    @Test
    void whatWasNotAnsweredFailsWhenTheLogCloses() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, TUNING).startAll()) {
            String leader = cluster.leader();
            RatisLog log = cluster.logs.get(leader);
            cluster.followers().forEach(cluster::stop);
            CompletableFuture<byte[]> command = log.propose(RegisterState.add("client", 1, "a", 1));
            CompletableFuture<Integer> read = log.read(() -> 1);
            cluster.stop(leader);
            for (CompletableFuture<?> call : List.of(command, read)) {
                assertThatThrownBy(() -> call.get(2, TimeUnit.MINUTES))
                        .isInstanceOf(ExecutionException.class)
                        .satisfies(e -> assertThat(((EcfsException) e.getCause()).code())
                                .isEqualTo(ErrorCode.NOT_LEADER));
            }
        }
    }

    @Test
    void aPortThatIsTakenFailsTheStart() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 1, TUNING)) {
            Address own = cluster.member("nn0").peers().get("nn0");
            try (ServerSocket stranger = new ServerSocket()) {
                stranger.bind(new InetSocketAddress(own.host(), own.port()));
                assertThatThrownBy(() -> cluster.start("nn0"))
                        .isInstanceOf(EcfsException.class)
                        .hasMessageContainingAll("nn0 cannot listen on " + own, "stop what uses the port")
                        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
            }
            cluster.start("nn0");
        }
    }

    @Test
    void refusesADirectoryThatDoesNotMatchItsLog() throws Exception {
        RaftTuning small =
                ConfigReader.with(TUNING, List.of("segmentBytes=16KiB", "checkpointEvery=50", "laggingEntries=0"));
        try (LogCluster cluster = new LogCluster(root, 1, small).startAll()) {
            for (int i = 1; i <= 500; i++) {
                cluster.add("client", i, "a", 1);
            }
            cluster.stop("nn0");
            RaftMember own = cluster.member("nn0");
            RaftMember other = new RaftMember(
                    own.id(),
                    new LogIdentity(own.log().clusterId(), new UUID(7, 7)),
                    own.peers(),
                    own.directory(),
                    own.tls());
            assertThatThrownBy(() -> RatisLog.open(
                            other, small, new RegisterState(root.resolve("other")), cluster.context("nn0")))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("holds log " + own.log().log());

            DirectoryTree.delete(cluster.stateDirectory("nn0"));
            assertThatThrownBy(() -> cluster.start("nn0"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its state ends at entry -1");
        }
    }
}
