package io.ecfs.namenode.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterReport.Groups;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.LogKinds;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of files whose writers have gone. */
class FileRecoveryTest {
    private final TestCluster cluster = new TestCluster(1, 6);

    @Test
    void anAbandonedFileIsClosedAtWhatKChunksHoldWhereverALeaderFails() {
        for (int failAfterMillis = 0; failAfterMillis <= 6000; failAfterMillis += 1000) {
            TestCluster cluster = new TestCluster(failAfterMillis, 6).ready();
            NamespaceReply.Created created = cluster.create("gone", "/f");
            cluster.writeOpen(created.first(), 5, 3, 4, 2);
            cluster.time.advance(TestCluster.HARD_LIMIT.minusSeconds(1));
            cluster.datanodes.values().forEach(d -> d.lostOfHundred = 20);
            assertThat(cluster.status("/f").open()).isTrue();
            cluster.time.advance(Duration.ofMillis(failAfterMillis));
            cluster.crash("nn0");
            cluster.elect("nn1");
            cluster.await(() -> !cluster.status("/f").open(), Duration.ofMinutes(4));
            cluster.datanodes.values().forEach(d -> d.lostOfHundred = 0);
            cluster.time.advance(Duration.ofSeconds(10));
            NamespaceReply.Located located = cluster.locate("/f");
            assertThat(located.status().length())
                    .as("leader failed after %s ms", failAfterMillis)
                    .isEqualTo(3 * TestCluster.POLICY.stripeBytes());
            assertThat(located.groups().get(0).chunks())
                    .as("those that have it, and the one that was brought up to it")
                    .hasSize(4)
                    .allMatch(c -> c.state() == ChunkLocation.State.LIVE);
            assertThat(cluster.at(located.groups().get(0).chunks().get(0))
                            .chunks
                            .get(located.groups().get(0).chunks().get(0).chunk())
                            .state())
                    .isEqualTo(ChunkState.FINALISED);
            assertThat(cluster.groups()).isEqualTo(new Groups(0, 1, 0, 0));
        }
    }

    /** What only k chunks have cannot have been promised; those left out for it would have all that was. */
    @Test
    void shorterChunksAreFilledUpBeforeTheGroupIsSealed() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 2, 4, 1, 4, 4);
        recovered();
        assertThat(cluster.status("/f").length()).isEqualTo(4 * TestCluster.POLICY.stripeBytes());
        assertThat(cluster.locate("/f").groups().get(0).chunks()).hasSize(5);
        assertThat(fills()).isNotEmpty().allSatisfy(order -> {
            assertThat(order.chunk().index()).isIn(0, 2);
            assertThat(order.sources())
                    .extracting(source -> source.chunk().index())
                    .containsExactly(1, 3, 4);
        });
        cluster.await(() -> cluster.groups().equals(new Groups(1, 0, 0, 0)));
    }

    @Test
    void oneThatCannotBeBroughtUpIsLeftOutAfterAWhile() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 2, 4, 1, 4, 4);
        cluster.at(created.first().chunks().get(0)).fills = false;
        recovered();
        assertThat(cluster.status("/f").length()).isEqualTo(4 * TestCluster.POLICY.stripeBytes());
        assertThat(cluster.locate("/f").groups().get(0).chunks())
                .extracting(chunk -> chunk.chunk().index())
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    void atLevelOneNobodyIsAskedTo() {
        TestCluster before = new TestCluster(
                        1, 6, TestCluster.RECOVERY, new CommandCodec(FeatureLevel.FIRST, LogKinds.COMMANDS))
                .ready();
        before.writeOpen(before.create("gone", "/f").first(), 2, 4, 1, 4, 4);
        before.time.advance(Duration.ofSeconds(1));
        before.call(new NamespaceRequest.RecoverLease(before.request("other"), new FilePath("/f")));
        before.await(() -> !before.status("/f").open());
        assertThat(before.locate("/f").groups().get(0).chunks()).hasSize(3);
    }

    private CompletableFuture<NamespaceReply> recover(Optional<InodeId> ofWriter) {
        return cluster.send(
                cluster.leader(),
                new NamespaceRequest.RecoverLease(
                        cluster.request(ofWriter.isPresent() ? "gone" : "other"), new FilePath("/f"), ofWriter));
    }

    private NamespaceReply.Created openFile() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 4, 4, 4, 4, 4);
        cluster.time.advance(Duration.ofSeconds(1));
        return created;
    }

    @Test
    void theAnswerWaitsForTheRecoveryThatItBegan() {
        openFile();
        assertThat(cluster.result(recover(Optional.empty()))).isEqualTo(new NamespaceReply.Recovery(true));
        assertThat(cluster.status("/f").open()).isFalse();
    }

    @Test
    void theAnswerSaysThatTheFileIsOpenAfterItsWait() {
        NamespaceReply.Created created = openFile();
        for (int i = 0; i < 3; i++) {
            cluster.at(created.first().chunks().get(i)).alive = false;
        }
        CompletableFuture<NamespaceReply> answer = recover(Optional.empty());
        cluster.time.advance(TestCluster.LEASE_CLOSE_WAIT);
        assertThat(answer).isNotDone();
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(answer).isCompletedWithValue(new NamespaceReply.Recovery(false));
    }

    @Test
    void aWriterThatGivesItsFileUpDoesNotWait() {
        InodeId file = openFile().status().inode();
        CompletableFuture<NamespaceReply> answer = recover(Optional.of(file));
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(answer).isCompletedWithValue(new NamespaceReply.Recovery(false));
    }

    @Test
    void fencesReachDatanodesThatWaitForOrders() {
        NamespaceReply.Created created = openFile();
        List<CompletableFuture<DatanodeReply>> polls = created.first().chunks().stream()
                .map(cluster::at)
                .map(datanode -> cluster.namenodes
                        .get(cluster.leader())
                        .datanode(new DatanodeReport.AwaitOrders(datanode.id, datanode.uuid, 60_000)))
                .toList();
        CompletableFuture<NamespaceReply> answer = recover(Optional.empty());
        cluster.await(() -> polls.stream().allMatch(CompletableFuture::isDone));
        assertThat(answer).isNotDone();
        assertThat(polls)
                .allSatisfy(poll -> assertThat(((DatanodeReply.HeartbeatReply) poll.join()).orders())
                        .singleElement()
                        .isInstanceOf(DatanodeOrder.Fence.class));
    }

    private void recovered() {
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.await(() -> !cluster.status("/f").open());
    }

    private List<DatanodeOrder.FillStripes> fills() {
        return cluster.datanodes.values().stream()
                .flatMap(datanode -> datanode.filled.stream())
                .toList();
    }

    @Test
    void recoveryWaitsForAQuorumAndLosesNothing() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 2, 2, 2, 2, 2);
        cluster.time.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 3; i++) {
            cluster.at(created.first().chunks().get(i)).alive = false;
        }
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(cluster.status("/f").open()).isTrue();
        cluster.at(created.first().chunks().get(1)).restart();
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.status("/f").length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    /** The writer went on without the first chunk, and died when it had told two of the others of the end. */
    @Test
    void recoveryWaitsForThoseWhoMakeUpForAChunkThatFellBehind() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.write(created.first(), TestCluster.LENGTH, 5);
        ChunkLocation behind = created.first().chunks().get(0);
        cluster.at(behind).put(new ChunkRecord(behind.chunk(), ChunkState.BEING_WRITTEN, 0, 0, -1, Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(1));
        for (int i = 1; i < 3; i++) {
            cluster.at(created.first().chunks().get(i)).alive = false;
        }
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(cluster.status("/f").open()).isTrue();
        cluster.at(created.first().chunks().get(1)).restart();
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.status("/f").length()).isEqualTo(TestCluster.LENGTH);
    }

    /** The first chunk was begun, its writer never learned of it, and promised what the others have. */
    @Test
    void recoveryWaitsForDeadDatanodesThatHaveFlushedBytes() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 0, 2, 2, 2, 2);
        assertThat(cluster.refusal(leaveOut("another", created, 0)).code()).isEqualTo(ErrorCode.LEASE_CONFLICT);
        assertThat(cluster.refusal(leaveOut("gone", created, 0, 1)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(cluster.call(leaveOut("gone", created, 0))).isInstanceOf(NamespaceReply.Done.class);
        loseTwo(created);

        cluster.time.advance(TestCluster.RECOVERY.grace().multipliedBy(3));
        assertThat(cluster.status("/f").open()).isTrue();
        cluster.at(created.first().chunks().get(1)).restart();
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.status("/f").length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    /** Nothing is promised without a chunk that was not left out: the writer died when it had reached some of them. */
    @Test
    void recoveryGivesUpTheDeadWhenAChunkOfTheWriterIsEmpty() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 0, 2, 2, 2, 2);
        loseTwo(created);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(cluster.status("/f").open()).isTrue();
        cluster.await(
                () -> !cluster.status("/f").open(), TestCluster.RECOVERY.grace().multipliedBy(2));
        assertThat(cluster.status("/f").length()).isZero();
    }

    private NamespaceRequest leaveOut(String client, NamespaceReply.Created created, Integer... indexes) {
        return new NamespaceRequest.LeaveOut(
                cluster.request(client),
                created.status().inode(),
                created.first().group(),
                List.of(indexes));
    }

    private void loseTwo(NamespaceReply.Created created) {
        cluster.time.advance(Duration.ofSeconds(1));
        for (int i = 1; i < 3; i++) {
            cluster.at(created.first().chunks().get(i)).alive = false;
        }
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
    }

    /** Power or rot took what it had: what it said before counts no more than what any silent one may have. */
    @Test
    void recoveryAsksADatanodeAgainThatStartedAnewMeanwhile() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 2, 2, 2, 2, 2);
        cluster.time.advance(Duration.ofSeconds(1));
        List<ChunkLocation> chunks = created.first().chunks();
        for (int i = 1; i < 4; i++) {
            cluster.at(chunks.get(i)).alive = false;
        }
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.time.advance(Duration.ofSeconds(20));
        ChunkLocation emptied = chunks.get(0);
        cluster.at(emptied).restart();
        cluster.at(emptied).put(new ChunkRecord(emptied.chunk(), ChunkState.BEING_WRITTEN, 0, 0, -1, Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(20));

        cluster.at(chunks.get(1)).restart();
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(cluster.status("/f").open())
                .as("with two chunks that hold them, of three that are required")
                .isTrue();

        cluster.at(chunks.get(2)).restart();
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.status("/f").length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    /**
     * The others answer that they have none: their machines may have lost power, and the names of their chunks with it.
     */
    @Test
    void recoveryWaitsForWhatMayBeTheLastCopy() {
        cluster.ready();
        NamespaceReply.Created created = (NamespaceReply.Created) cluster.call(new NamespaceRequest.Create(
                cluster.request("gone"),
                new FilePath("/mirrored"),
                0644,
                false,
                true,
                Optional.of(Policy.parse("replication-3"))));
        cluster.at(created.first().chunks().get(1)).alive = false;
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/mirrored")));
        cluster.time.advance(TestCluster.RECOVERY.grace().dividedBy(2));
        assertThat(cluster.status("/mirrored").open()).isTrue();
        cluster.await(
                () -> !cluster.status("/mirrored").open(),
                TestCluster.RECOVERY.grace().multipliedBy(2));
        assertThat(cluster.status("/mirrored").length()).isZero();
    }

    /** Too few are left to tell a length, and there never was one. */
    @Test
    void recoveryEndsAGroupThatWasGivenFewPlacesAndBegunNowhere() {
        cluster.ready();
        cluster.datanodes.values().stream().limit(2).forEach(datanode -> datanode.alive = false);
        cluster.time.advance(Duration.ofSeconds(11));
        NamespaceReply.Created created = cluster.create("gone", "/short");
        assertThat(created.first().chunks()).hasSize(4);
        created.first().chunks().stream().limit(2).forEach(chunk -> cluster.at(chunk).alive = false);
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/short")));
        cluster.await(() -> !cluster.status("/short").open(), Duration.ofMinutes(1));
        assertThat(cluster.status("/short").length()).isZero();
    }

    @Test
    void aWriterIsToldThatItsGroupWasTakenBeforeItBeganIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("slow", "/f");
        NamespaceRequest confirm = new NamespaceRequest.ConfirmGroup(
                created.status().inode(), created.first().group(), "slow");
        assertThat(cluster.call(confirm)).isInstanceOf(NamespaceReply.Done.class);
        assertThat(cluster.refusal(new NamespaceRequest.ConfirmGroup(
                                created.status().inode(), created.first().group(), "another"))
                        .code())
                .isEqualTo(ErrorCode.LEASE_CONFLICT);

        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        assertThat(cluster.refusal(confirm).code()).isIn(ErrorCode.LEASE_CONFLICT, ErrorCode.NOT_FOUND);
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.refusal(confirm).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    /** The chunks of a group that could be placed now, for the writer of the one before alone. */
    @Test
    void aWriterIsToldThePlacesOfItsNextGroup() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("slow", "/f");
        InodeId file = created.status().inode();
        GroupId group = created.first().group();
        assertThat(cluster.call(new NamespaceRequest.CountPlaces(file, group, "slow", List.of())))
                .isEqualTo(new NamespaceReply.Places(TestCluster.POLICY.chunks()));
        List<DatanodeId> avoid = cluster.datanodes.values().stream()
                .skip(3)
                .map(datanode -> datanode.id)
                .toList();
        assertThat(cluster.call(new NamespaceRequest.CountPlaces(file, group, "slow", avoid)))
                .isEqualTo(new NamespaceReply.Places(3));
        assertThat(cluster.refusal(new NamespaceRequest.CountPlaces(file, group, "another", List.of()))
                        .code())
                .isEqualTo(ErrorCode.LEASE_CONFLICT);
    }

    /** Of the group that it writes, and of those before, which may not be on disk yet. */
    @Test
    void aWriterRenewsTheTokensOfItsGroupsAndNobodyElseDoes() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("slow", "/f");
        LocatedGroup first = created.first();
        SealedGroup sealed = cluster.write(first, TestCluster.LENGTH, 5);
        NamespaceReply.Allocated next = (NamespaceReply.Allocated) cluster.call(new NamespaceRequest.AddGroup(
                cluster.request("slow"), created.status().inode(), Optional.of(sealed), List.of()));
        cluster.time.advance(Duration.ofMinutes(1));
        for (LocatedGroup group : List.of(first, next.group())) {
            NamespaceRequest.RenewToken renew =
                    new NamespaceRequest.RenewToken(created.status().inode(), group.group(), "slow");
            LocatedGroup again = ((NamespaceReply.Allocated) cluster.call(renew)).group();
            BlockToken renewed = again.token();
            assertThat(again.relay().map(RelayToken::expiresAtMillis))
                    .as("only an open group is relayed")
                    .isEqualTo(again.open() ? Optional.of(renewed.expiresAtMillis()) : Optional.empty());
            assertThat(renewed.right()).isEqualTo(BlockToken.Right.WRITE);
            assertThat(renewed.scope()).isEqualTo(group.token().scope()).isPresent();
            assertThat(renewed.expiresAtMillis()).isGreaterThan(group.token().expiresAtMillis());
            assertThat(cluster.refusal(new NamespaceRequest.RenewToken(
                                    created.status().inode(), group.group(), "another"))
                            .code())
                    .isEqualTo(ErrorCode.LEASE_CONFLICT);
            CompletableFuture<NamespaceReply> ofEve =
                    cluster.namenodes.get(cluster.leader()).namespace(new CallerIdentity("eve", List.of()), renew);
            cluster.time.advance(Duration.ofSeconds(1));
            assertThatThrownBy(ofEve::join).hasMessageContaining("of user eve does not write group");
        }
        NamespaceReply.Created other = cluster.create("slow", "/other");
        assertThat(cluster.refusal(new NamespaceRequest.RenewToken(
                                created.status().inode(), other.first().group(), "slow"))
                        .code())
                .as("a group of another file")
                .isEqualTo(ErrorCode.LEASE_CONFLICT);

        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.refusal(
                                new NamespaceRequest.RenewToken(created.status().inode(), first.group(), "slow"))
                        .code())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aWriterThatRenewsKeepsItsFile() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("busy", "/f");
        for (int i = 0; i < 5; i++) {
            cluster.time.advance(Duration.ofMinutes(1));
            cluster.call(new NamespaceRequest.RenewLease("busy"));
        }
        cluster.complete("busy", created.status().inode(), cluster.write(created.first(), TestCluster.LENGTH, 5));
        assertThat(cluster.status("/f").length()).isEqualTo(TestCluster.LENGTH);
    }

    /** Who got to know a writer's id keeps nothing open with it. */
    @Test
    void anotherUserRenewsNoLease() {
        cluster.ready();
        cluster.create("gone", "/f");
        CallerIdentity eve = new CallerIdentity("eve", List.of());
        for (int i = 0; i < 4; i++) {
            cluster.time.advance(Duration.ofMinutes(1));
            cluster.result(
                    cluster.namenodes.get(cluster.leader()).namespace(eve, new NamespaceRequest.RenewLease("gone")));
        }
        assertThat(cluster.status("/f").open()).isFalse();
    }

    @Test
    void aNewLeaderTakesNoWriterForSilentThatItHasNotHeardYet() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("busy", "/f");
        Duration minute = Duration.ofMinutes(1);
        for (Duration passed = Duration.ZERO;
                passed.compareTo(TestCluster.HARD_LIMIT) <= 0;
                passed = passed.plus(minute)) {
            cluster.time.advance(minute);
            cluster.call(new NamespaceRequest.RenewLease("busy"));
        }
        cluster.elect("nn1");
        cluster.ready();
        cluster.time.advance(Duration.ofSeconds(10)); // several looks at who is silent
        cluster.complete("busy", created.status().inode(), cluster.write(created.first(), TestCluster.LENGTH, 5));
        assertThat(cluster.status("/f").length()).isEqualTo(TestCluster.LENGTH);
    }
}
