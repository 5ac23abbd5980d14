package io.ecfs.namenode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.BadChunk;
import io.ecfs.message.ChunkChange;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.ClusterReport.DatanodeState;
import io.ecfs.message.ClusterReport.Groups;
import io.ecfs.message.DatanodeReport;
import io.ecfs.message.FilePath;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.RequestId;
import io.ecfs.message.SealedGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NamenodeTest {
    private static final long LENGTH = 2 * TestCluster.POLICY.stripeBytes() + 777;

    private final TestCluster cluster = new TestCluster(1, 6);

    private Groups groups() {
        return cluster.report().groups();
    }

    private NamespaceReply.Status status(String path) {
        return (NamespaceReply.Status) cluster.call(new NamespaceRequest.GetStatus(new FilePath(path)));
    }

    private EcfsException refusal(NamespaceRequest request) {
        return cluster.failure(cluster.send(cluster.quorum.leader().orElseThrow(), request));
    }

    @Test
    void anEmptyClusterFormatsItselfAndTakesWritesAtOnce() {
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(PretendDatanode::registered));
        cluster.await(() -> !cluster.report().safeMode(), Duration.ofSeconds(4));
        assertThat(cluster.namenodes.values())
                .extracting(Namenode::clusterId)
                .doesNotContain("")
                .hasSize(3);
        assertThat(cluster.namenodes.values().stream().map(Namenode::clusterId).distinct())
                .hasSize(1);
    }

    @Test
    void aWrittenFileIsLocatedWithLiveChunksOnDistinctDatanodes() {
        cluster.ready();
        cluster.file("/a/b", LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        NamespaceReply.Located located = cluster.locate("/a/b");
        assertThat(located.status().length()).isEqualTo(LENGTH);
        LocatedGroup group = located.groups().get(0);
        assertThat(group.chunks()).hasSize(5).allMatch(c -> c.state() == ChunkLocation.State.LIVE);
        assertThat(group.chunks().stream().map(ChunkLocation::datanode).distinct())
                .hasSize(5);
        assertThat(groups()).isEqualTo(new Groups(1, 0, 0, 0));
    }

    @Test
    void manyFilesAreLocatedByOneCallAndEachHasItsOwnAnswer() {
        cluster.ready();
        cluster.file("/a", LENGTH);
        cluster.file("/b", LENGTH);
        NamespaceReply.LocatedAll all = (NamespaceReply.LocatedAll) cluster.call(new NamespaceRequest.LocateAll(
                List.of(new FilePath("/a"), new FilePath("/none"), new FilePath("/b")), Long.MAX_VALUE));
        assertThat(all.answers())
                .extracting(answer -> answer.located().map(NamespaceReply.Located::extents))
                .containsExactly(
                        Optional.of(cluster.locate("/a").extents()),
                        Optional.empty(),
                        Optional.of(cluster.locate("/b").extents()));
        assertThat(all.answers().get(0).located().orElseThrow().groups().get(0).chunks())
                .isEqualTo(cluster.locate("/a").groups().get(0).chunks());
        assertThat(all.answers().get(1).failure().orElseThrow().code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void healthFollowsTheDatanodesThatDieAndComeBack() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        for (int dead = 1; dead <= 3; dead++) {
            cluster.at(group.chunks().get(dead)).alive = false;
            cluster.time.advance(Duration.ofSeconds(15));
            assertThat(groups()).isEqualTo(dead < 3 ? new Groups(0, 1, 0, 0) : new Groups(0, 0, 1, 0));
        }
        assertThat(cluster.locate("/f").groups().get(0).chunks().stream()
                        .filter(c -> c.state() == ChunkLocation.State.UNREACHABLE))
                .hasSize(3);
        cluster.datanodes.values().forEach(PretendDatanode::restart);
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(groups()).isEqualTo(new Groups(1, 0, 0, 0));
    }

    @Test
    void aLostChunkDegradesItsGroupAndOnlyIt() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", LENGTH).first();
        cluster.file("/g", LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        ChunkLocation chunk = group.chunks().get(2);
        cluster.at(chunk).chunks.remove(chunk.chunk());
        cluster.call(new NamespaceRequest.ReportBadChunks(
                List.of(new BadChunk(chunk.chunk(), chunk.volume(), chunk.datanode(), BadChunk.Reason.MISSING))));
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(groups()).isEqualTo(new Groups(1, 1, 0, 0));
        assertThat(cluster.locate("/f").groups().get(0).chunk(2).orElseThrow().state())
                .isEqualTo(ChunkLocation.State.MISSING);
    }

    @Test
    void silenceMakesADatanodeSuspectedAndThenDead() {
        cluster.ready();
        cluster.datanodes.get(1).alive = false;
        cluster.time.advance(Duration.ofSeconds(11));
        assertThat(cluster.report().datanodes().get(0).state()).isEqualTo(DatanodeState.SUSPECTED);
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(cluster.report().datanodes().get(0).state()).isEqualTo(DatanodeState.DEAD);
        assertThat(cluster.report().datanodes().subList(1, 6)).allMatch(d -> d.state() == DatanodeState.HEALTHY);
    }

    @Test
    void deletedFilesGiveTheirSpaceBackThoughMessagesGetLostAndLeadersChange() {
        cluster.ready();
        for (int i = 0; i < 10; i++) {
            cluster.file("/d/" + i, LENGTH);
        }
        cluster.datanodes.values().forEach(d -> d.lostOfHundred = 30);
        cluster.delete("/d");
        cluster.time.advance(Duration.ofMillis(700));
        cluster.elect("nn1");
        cluster.await(
                () -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()) && cluster.garbage() == 0,
                Duration.ofMinutes(5));
        cluster.datanodes.values().forEach(d -> d.lostOfHundred = 0);
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(groups()).isEqualTo(new Groups(0, 0, 0, 0));
    }

    @Test
    void aFollowerNamesTheLeader() {
        cluster.ready();
        EcfsException refused = cluster.failure(cluster.send("nn2", new NamespaceRequest.GetStatus(FilePath.ROOT)));
        assertThat(refused.code()).isEqualTo(ErrorCode.NOT_LEADER);
        assertThat(refused.hint()).contains("nn0:8020");
        refused = cluster.failure(
                cluster.send("nn2", new NamespaceRequest.Mkdirs(cluster.request("c"), new FilePath("/x"), 0755, true)));
        assertThat(refused.hint()).contains("nn0:8020");
    }

    @Test
    void aCallRepeatedAtANewLeaderHasItsEffectOnce() {
        cluster.ready();
        RequestId request = cluster.request("writer");
        NamespaceRequest.Create create =
                new NamespaceRequest.Create(request, new FilePath("/once"), 0644, false, true, Optional.empty());
        NamespaceReply.Created first = (NamespaceReply.Created) cluster.call(create);
        cluster.elect("nn1");
        cluster.ready();
        NamespaceReply.Created second = (NamespaceReply.Created) cluster.call(create);
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.first().group()).isEqualTo(first.first().group());
        assertThat(second.first().chunks()).isEqualTo(first.first().chunks());
    }

    @Test
    void anAbandonedFileIsClosedAtWhatKChunksHoldWhereverALeaderFails() {
        for (int failAfterMillis = 0; failAfterMillis <= 6000; failAfterMillis += 1000) {
            TestCluster cluster = new TestCluster(failAfterMillis, 6).ready();
            NamespaceReply.Created created = cluster.create("gone", "/f");
            cluster.writeOpen(created.first(), 5, 3, 4, 2);
            cluster.time.advance(TestCluster.HARD_LIMIT.minusSeconds(1));
            cluster.datanodes.values().forEach(d -> d.lostOfHundred = 20);
            assertThat(((NamespaceReply.Status) cluster.call(new NamespaceRequest.GetStatus(new FilePath("/f"))))
                            .status()
                            .open())
                    .isTrue();
            cluster.time.advance(Duration.ofMillis(failAfterMillis));
            cluster.crash("nn0");
            cluster.elect("nn1");
            cluster.await(
                    () -> !((NamespaceReply.Status) cluster.call(new NamespaceRequest.GetStatus(new FilePath("/f"))))
                            .status()
                            .open(),
                    Duration.ofMinutes(4));
            cluster.datanodes.values().forEach(d -> d.lostOfHundred = 0);
            cluster.time.advance(Duration.ofSeconds(10));
            NamespaceReply.Located located = cluster.locate("/f");
            assertThat(located.status().length())
                    .as("leader failed after %s ms", failAfterMillis)
                    .isEqualTo(3 * TestCluster.POLICY.stripeBytes());
            assertThat(located.groups().get(0).chunks())
                    .hasSize(3)
                    .allMatch(c -> c.state() == ChunkLocation.State.LIVE);
            assertThat(cluster.at(located.groups().get(0).chunks().get(0))
                            .chunks
                            .get(located.groups().get(0).chunks().get(0).chunk())
                            .state())
                    .isEqualTo(ChunkState.FINALISED);
            assertThat(cluster.report().groups()).isEqualTo(new Groups(0, 1, 0, 0));
        }
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
        assertThat(status("/f").status().open()).isTrue();
        cluster.at(created.first().chunks().get(1)).restart();
        cluster.await(() -> !status("/f").status().open());
        assertThat(status("/f").status().length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    /** The writer went on without the first chunk, and died when it had told two of the others of the end. */
    @Test
    void recoveryWaitsForThoseWhoMakeUpForAChunkThatFellBehind() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.write(created.first(), LENGTH, 5);
        ChunkLocation behind = created.first().chunks().get(0);
        cluster.at(behind).put(new ChunkRecord(behind.chunk(), ChunkState.BEING_WRITTEN, 0, 0, -1));
        cluster.time.advance(Duration.ofSeconds(1));
        for (int i = 1; i < 3; i++) {
            cluster.at(created.first().chunks().get(i)).alive = false;
        }
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(status("/f").status().open()).isTrue();
        cluster.at(created.first().chunks().get(1)).restart();
        cluster.await(() -> !status("/f").status().open());
        assertThat(status("/f").status().length()).isEqualTo(LENGTH);
    }

    /** The first chunk was begun, its writer never learned of it, and promised what the others have. */
    @Test
    void recoveryWaitsForTheDeadWhenTheyHaveWhatWasPromisedWithoutAChunkThatIsThereAndEmpty() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 0, 2, 2, 2, 2);
        assertThat(refusal(leaveOut("another", created, 0)).code()).isEqualTo(ErrorCode.LEASE_CONFLICT);
        assertThat(refusal(leaveOut("gone", created, 0, 1)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(cluster.call(leaveOut("gone", created, 0))).isInstanceOf(NamespaceReply.Done.class);
        loseTwo(created);

        cluster.time.advance(TestCluster.RECOVERY.grace().multipliedBy(3));
        assertThat(status("/f").status().open()).isTrue();
        cluster.at(created.first().chunks().get(1)).restart();
        cluster.await(() -> !status("/f").status().open());
        assertThat(status("/f").status().length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    /** Nothing is promised without a chunk that was not left out: the writer died when it had reached some of them. */
    @Test
    void recoveryGivesUpTheDeadWhenAChunkOfTheWriterIsEmpty() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 0, 2, 2, 2, 2);
        loseTwo(created);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(status("/f").status().open()).isTrue();
        cluster.await(
                () -> !status("/f").status().open(),
                TestCluster.RECOVERY.grace().multipliedBy(2));
        assertThat(status("/f").status().length()).isZero();
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

    /** One silent chunk of a mirrored group would be all of its bytes, if it had any. */
    @Test
    void recoveryDoesNotWaitForWhatNobodyCanHavePromised() {
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
        cluster.await(() -> !status("/mirrored").status().open(), Duration.ofMinutes(1));
        assertThat(status("/mirrored").status().length()).isZero();
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
        cluster.await(() -> !status("/short").status().open(), Duration.ofMinutes(1));
        assertThat(status("/short").status().length()).isZero();
    }

    @Test
    void aWriterIsToldThatItsGroupWasTakenBeforeItBeganIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("slow", "/f");
        NamespaceRequest confirm = new NamespaceRequest.ConfirmGroup(
                created.status().inode(), created.first().group(), "slow");
        assertThat(cluster.call(confirm)).isInstanceOf(NamespaceReply.Done.class);
        assertThat(refusal(new NamespaceRequest.ConfirmGroup(
                                created.status().inode(), created.first().group(), "another"))
                        .code())
                .isEqualTo(ErrorCode.LEASE_CONFLICT);

        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        assertThat(refusal(confirm).code()).isIn(ErrorCode.LEASE_CONFLICT, ErrorCode.NOT_FOUND);
        cluster.await(() -> !status("/f").status().open());
        assertThat(refusal(confirm).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aWriterThatRenewsKeepsItsFile() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("busy", "/f");
        for (int i = 0; i < 5; i++) {
            cluster.time.advance(Duration.ofMinutes(1));
            cluster.call(new NamespaceRequest.RenewLease("busy"));
        }
        cluster.complete("busy", created.status().inode(), cluster.write(created.first(), LENGTH, 5));
        assertThat(status("/f").status().length()).isEqualTo(LENGTH);
    }

    @Test
    void aChunkLeftOutOfASealIsAdoptedWhenItComesBackWhole() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup all = cluster.write(created.first(), LENGTH, 5);
        SealedGroup four = new SealedGroup(all.group(), LENGTH, all.finished().subList(0, 4));
        PretendDatanode late = cluster.at(created.first().chunks().get(4));
        late.alive = false;
        cluster.complete("writer", created.status().inode(), four);
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(groups()).isEqualTo(new Groups(0, 1, 0, 0));
        late.restart();
        cluster.await(() -> groups().equals(new Groups(1, 0, 0, 0)));
    }

    /** Its writer had finished it when the others still lacked the tail. */
    @Test
    void aChunkFinishedLongerThanItsGroupIsAdoptedWhereTheGroupEndsWithAStripe() {
        NamespaceReply.Created created = recoveredTo(2 * TestCluster.POLICY.stripeBytes());
        ChunkLocation late = created.first().chunks().get(4);
        cluster.at(late).put(new ChunkRecord(late.chunk(), ChunkState.FINALISED, 8192 + 320, 8192 + 320, LENGTH));
        cluster.await(() -> groups().equals(new Groups(1, 0, 0, 0)));
    }

    @Test
    void aChunkFinishedLongerThanItsGroupIsNotTrustedWhereTheGroupHasATail() {
        NamespaceReply.Created created = recoveredTo(LENGTH);
        ChunkLocation late = created.first().chunks().get(4);
        long longer = LENGTH + TestCluster.POLICY.stripeBytes();
        cluster.at(late).put(new ChunkRecord(late.chunk(), ChunkState.FINALISED, 12288 + 320, 12288 + 320, longer));
        cluster.await(() -> !cluster.at(late).chunks.containsKey(late.chunk()));
        assertThat(groups()).isEqualTo(new Groups(0, 1, 0, 0));
    }

    /** A closed file of one group of this length, which lacks its last chunk. */
    private NamespaceReply.Created recoveredTo(long length) {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        cluster.complete("writer", created.status().inode(), cluster.write(created.first(), length, 4));
        cluster.time.advance(Duration.ofSeconds(2));
        return created;
    }

    @Test
    void aStaleChunkGoesOnlyWhenTheGroupDoesNotNeedIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        PretendDatanode stale = cluster.at(last);
        stale.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1));
        cluster.complete("writer", created.status().inode(), sealed);
        // k+1 = 4 chunks are live: the stale one may go.
        cluster.await(() -> !stale.chunks.containsKey(last.chunk()));
        cluster.await(() -> cluster.garbage() == 0);

        cluster.at(created.first().chunks().get(0)).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        stale.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(stale.chunks).containsKey(last.chunk());
    }

    @Test
    void aChunkReportedWhileItsGroupWasOpenGoesWhenTheGroupIsSealedWithoutIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        cluster.at(last).put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1));
        cluster.time.advance(Duration.ofSeconds(10));
        cluster.complete("writer", created.status().inode(), sealed);
        cluster.await(() -> !cluster.at(last).chunks.containsKey(last.chunk()));
        cluster.await(() -> cluster.garbage() == 0);
    }

    @Test
    void aGroupThatItsWriterGaveUpStaysLongEnoughToBeCopied() {
        cluster.ready();
        NamespaceReply.Created created = givenUp();
        PretendDatanode source = cluster.at(created.first().chunks().get(0));
        for (int minute = 0; minute < 9; minute++) {
            cluster.time.advance(Duration.ofMinutes(1));
            cluster.call(new NamespaceRequest.RenewLease("writer"));
            assertThat(source.chunks)
                    .containsKey(created.first().chunks().get(0).chunk());
        }
        cluster.time.advance(Duration.ofMinutes(1));
        cluster.call(new NamespaceRequest.RenewLease("writer"));
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
    }

    @Test
    void aGroupThatItsWriterGaveUpIsDeletedWhenTheFileIsClosed() {
        cluster.ready();
        NamespaceReply.Created created = givenUp();
        cluster.time.advance(Duration.ofSeconds(30));
        assertThat(cluster.datanodes.values().stream().filter(d -> !d.chunks.isEmpty()))
                .hasSize(3);
        cluster.call(new NamespaceRequest.AbandonFile(
                cluster.request("writer"), created.status().inode()));
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
    }

    /** A file whose writer wrote a stripe, then asked for another group instead. */
    private NamespaceReply.Created givenUp() {
        NamespaceReply.Created created = cluster.create("writer", "/f");
        cluster.writeOpen(created.first(), 1, 1, 1);
        SealedGroup dropped = new SealedGroup(created.first().group(), 0, List.of());
        cluster.call(new NamespaceRequest.AddGroup(
                cluster.request("writer"), created.status().inode(), Optional.of(dropped), List.of()));
        return created;
    }

    @Test
    void chunksOfGroupsThatAreGoneAreDeletedAndOfGroupsNeverAllocatedAreKept() {
        cluster.ready();
        GroupId gone = cluster.file("/f", LENGTH).first().group();
        cluster.delete("/f");
        PretendDatanode datanode = cluster.datanodes.get(3);
        ChunkRecord orphan = new ChunkRecord(new ChunkId(gone, 1, 3), ChunkState.FINALISED, 4096, 4096, 9);
        ChunkRecord foreign =
                new ChunkRecord(new ChunkId(new GroupId(99_999), 1, 0), ChunkState.FINALISED, 4096, 4096, 9);
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
        datanode.put(orphan);
        datanode.put(foreign);
        cluster.await(() -> !datanode.chunks.containsKey(orphan.chunk()));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(datanode.chunks).containsOnlyKeys(foreign.chunk());
    }

    @Test
    void aNewLeaderRefusesWritesUntilKChunksOfNearlyAllGroupsAreReported() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", LENGTH).first();
        cluster.datanodes.values().forEach(d -> d.alive = false);
        List.of("nn0", "nn1", "nn2").forEach(cluster::crash);
        List.of("nn0", "nn1", "nn2").forEach(cluster::start);
        cluster.elect("nn2");
        cluster.at(group.chunks().get(0)).restart();
        cluster.at(group.chunks().get(1)).restart();
        cluster.time.advance(Duration.ofMinutes(2));
        ClusterReport report = cluster.report();
        assertThat(report.safeMode()).isTrue();
        assertThat(report.safeModeReason()).startsWith("0 of 1 groups have enough chunks reported, 1 are needed");
        EcfsException refused = cluster.failure(
                cluster.send("nn2", new NamespaceRequest.Mkdirs(cluster.request("c"), new FilePath("/x"), 0755, true)));
        assertThat(refused.code()).isEqualTo(ErrorCode.SAFE_MODE);
        assertThat(status("/f").status().length()).isEqualTo(LENGTH);
        cluster.datanodes.values().forEach(PretendDatanode::restart);
        cluster.await(() -> !cluster.report().safeMode());
    }

    @Test
    void tooFewDatanodesIsSaidWithReasons() {
        cluster.ready();
        cluster.datanodes.get(1).alive = false;
        cluster.datanodes.get(2).alive = false;
        cluster.datanodes.get(3).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        EcfsException refused = cluster.failure(cluster.send(
                "nn0",
                new NamespaceRequest.Create(
                        cluster.request("c"), new FilePath("/x"), 0644, false, true, Optional.empty())));
        assertThat(refused.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refused).hasMessageContaining("3 datanodes can take a chunk; not usable: 3 not heard from lately");
    }

    @Test
    void aClusterThatLostADatanodeTooManyWritesGroupsWithoutTheLastParity() {
        cluster.ready();
        cluster.datanodes.get(1).alive = false;
        cluster.datanodes.get(2).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        NamespaceReply.Created created = cluster.create("writer", "/f");
        assertThat(created.first().chunks()).extracting(c -> c.chunk().index()).containsExactly(0, 1, 2, 3);
        cluster.complete("writer", created.status().inode(), cluster.write(created.first(), LENGTH, 4));
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(groups()).isEqualTo(new Groups(0, 1, 0, 0));
        assertThat(cluster.locate("/f").groups().get(0).chunks()).hasSize(4);
    }

    @Test
    void strangersAreRefusedByName() {
        cluster.ready();
        DatanodeReport.Register known = cluster.datanodes.get(1).register();
        Namenode leader = cluster.namenodes.get("nn0");
        EcfsException other = cluster.failure(leader.datanode(new DatanodeReport.Register(
                known.datanode(),
                known.uuid(),
                known.sequence(),
                "another-cluster",
                1,
                known.address(),
                "r",
                known.volumes())));
        assertThat(other.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
        assertThat(other).hasMessageContaining("another-cluster").hasMessageContaining(leader.clusterId());
        EcfsException version = cluster.failure(leader.datanode(new DatanodeReport.Register(
                known.datanode(), known.uuid(), known.sequence(), "", 7, known.address(), "r", known.volumes())));
        assertThat(version.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION);
        EcfsException twin = cluster.failure(leader.datanode(new DatanodeReport.Register(
                known.datanode(), "another-uuid", known.sequence(), "", 1, known.address(), "r", known.volumes())));
        assertThat(twin.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(twin).hasMessageContaining("dn1").hasMessageContaining("another id");
    }

    @Test
    void aDatanodeThatReportsMoreChunksThanAVolumeMayHaveIsRefused() {
        cluster.ready();
        PretendDatanode liar = cluster.datanodes.get(1);
        List<ChunkChange> many = LongStream.rangeClosed(1, TestCluster.CHUNKS_PER_VOLUME + 1)
                .<ChunkChange>mapToObj(group -> new ChunkChange.Present(
                        liar.volume(),
                        new ChunkRecord(new ChunkId(new GroupId(group), 0, 0), ChunkState.FINALISED, 4096, 4096, 9)))
                .toList();
        EcfsException refused = cluster.failure(cluster.namenodes
                .get("nn0")
                .datanode(new DatanodeReport.ChangeReport(liar.id, liar.uuid, Long.MAX_VALUE, many)));
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(refused).hasMessageContaining("dn1").hasMessageContaining("chunksPerVolume");
    }

    @Test
    void everyRequestAndEveryReportHasARule() {
        CompletableFuture<NamespaceReply> policies = cluster.ready().send("nn0", new NamespaceRequest.ListPolicies());
        assertThat(((NamespaceReply.Policies) cluster.result(policies)).policies())
                .first()
                .isEqualTo(TestCluster.POLICY);
        assertThat(((NamespaceReply.Space) cluster.call(new NamespaceRequest.GetSpace())).capacityBytes())
                .isEqualTo(6 * PretendDatanode.CAPACITY);
        assertThat(((NamespaceReply.Cluster) cluster.result(cluster.send("nn1", new NamespaceRequest.GetCluster())))
                        .namenodes())
                .hasSize(3);
    }

    @Test
    void tokensAreSignedWithAKeyThatEveryDatanodeHasAndKeysRoll() {
        cluster.ready();
        int first = cluster.create("c", "/a").first().token().keyId();
        cluster.datanodes.values().forEach(d -> d.alive = false);
        cluster.time.advance(TestCluster.KEY_LIFE.dividedBy(2).plusMinutes(2));
        cluster.datanodes.values().forEach(PretendDatanode::restart);
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.facts("nn1").tokenKeys()).hasSize(2);
        int second = cluster.create("c", "/b").first().token().keyId();
        assertThat(second).isEqualTo(first + 1);
    }
}
