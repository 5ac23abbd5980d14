package io.ecfs.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.ClusterReport.Groups;
import io.ecfs.token.BlockTokenVerifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NamenodeTest {
    private static final int LAYOUT = Registration.LAYOUT_VERSION;

    private final TestCluster cluster = new TestCluster(1, 6);

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
        cluster.file("/a/b", TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        NamespaceReply.Located located = cluster.locate("/a/b");
        assertThat(located.status().length()).isEqualTo(TestCluster.LENGTH);
        LocatedGroup group = located.groups().get(0);
        assertThat(group.chunks()).hasSize(5).allMatch(c -> c.state() == ChunkLocation.State.LIVE);
        assertThat(group.chunks().stream().map(ChunkLocation::datanode).distinct())
                .hasSize(5);
        assertThat(cluster.groups()).isEqualTo(new Groups(1, 0, 0, 0));
    }

    @Test
    void manyFilesAreLocatedByOneCallAndEachHasItsOwnAnswer() {
        cluster.ready();
        cluster.file("/a", TestCluster.LENGTH);
        cluster.file("/b", TestCluster.LENGTH);
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
    void aLocationHasThePatchesOfAFileWithTheirChunks() {
        cluster.ready();
        cluster.file("/f", TestCluster.LENGTH);
        GroupId patch = cluster.update("/f", 100);
        cluster.call(new NamespaceRequest.OpenUpdate(cluster.request("writer"), new FilePath("/f"), 7));
        InodeId file = cluster.status("/f").inode();
        NamespaceReply.Allocated open = (NamespaceReply.Allocated) cluster.call(
                new NamespaceRequest.AddGroup(cluster.request("writer"), file, Optional.empty(), List.of()));
        NamespaceReply.Located located = cluster.locate("/f");
        assertThat(located.groups()).hasSize(1);
        NamespaceReply.Patches patches = located.patches().orElseThrow();
        assertThat(patches.version()).isEqualTo(2);
        assertThat(patches.sealed()).containsExactly(new PatchGroup(patch, Optional.empty(), 100, 100));
        assertThat(patches.groups().get(0).chunks()).hasSize(5);
        assertThat(patches.open().orElseThrow().group()).isEqualTo(open.group().group());
        assertThat(patches.open().orElseThrow().open()).isTrue();
    }

    @Test
    void aSecondUpdaterIsToldTheHostOfTheFirstAndNotItsId() {
        cluster.ready();
        cluster.file("/f", TestCluster.LENGTH);
        FilePath path = new FilePath("/f");
        cluster.result(cluster.namenodes
                .get(cluster.leader())
                .handle(
                        TestCluster.USER,
                        Optional.of("host7"),
                        false,
                        new NamespaceRequest.OpenUpdate(cluster.request("secret"), path, 7)));
        cluster.call(new NamespaceRequest.RenewLease("secret"));
        EcfsException refused = cluster.refusal(new NamespaceRequest.OpenUpdate(cluster.request("other"), path, 7));
        assertThat(refused.code()).isEqualTo(ErrorCode.LEASE_CONFLICT);
        assertThat(refused).hasMessage("/f is open: it is being written by another client at host7");
        assertThat(refused.hint()).contains("close it there, or wait until its lease expires");
    }

    @Test
    void healthFollowsTheDatanodesThatDieAndComeBack() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        for (int dead = 1; dead <= 3; dead++) {
            cluster.at(group.chunks().get(dead)).alive = false;
            cluster.time.advance(Duration.ofSeconds(15));
            assertThat(cluster.groups()).isEqualTo(dead < 3 ? new Groups(0, 1, 0, 0) : new Groups(0, 0, 1, 0));
        }
        assertThat(cluster.locate("/f").groups().get(0).chunks().stream()
                        .filter(c -> c.state() == ChunkLocation.State.UNREACHABLE))
                .hasSize(3);
        cluster.datanodes.values().forEach(PretendDatanode::restart);
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(cluster.groups()).isEqualTo(new Groups(1, 0, 0, 0));
    }

    @Test
    void aLostChunkDegradesItsGroupAndOnlyIt() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.file("/g", TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        ChunkLocation chunk = group.chunks().get(2);
        cluster.at(chunk).chunks.remove(chunk.chunk());
        cluster.call(new NamespaceRequest.ReportBadChunks(
                List.of(new BadChunk(chunk.chunk(), chunk.volume(), chunk.datanode(), BadChunk.Reason.MISSING))));
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(cluster.groups()).isEqualTo(new Groups(1, 1, 0, 0));
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
    void deletedFilesFreeTheirSpaceThoughMessagesAreLost() {
        cluster.ready();
        for (int i = 0; i < 10; i++) {
            cluster.file("/d/" + i, TestCluster.LENGTH);
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
        assertThat(cluster.groups()).isEqualTo(new Groups(0, 0, 0, 0));
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
    void aNewLeaderRefusesWritesUntilNearlyAllGroupsAreReported() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
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
        assertThat(cluster.status("/f").length()).isEqualTo(TestCluster.LENGTH);
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
        assertThat(refused)
                .hasMessageContaining("3 datanodes can take a chunk; not usable: 3 without a recent heartbeat");
    }

    @Test
    void aClusterOfTooFewDatanodesWritesGroupsWithLessParity() {
        cluster.ready();
        cluster.datanodes.get(1).alive = false;
        cluster.datanodes.get(2).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        NamespaceReply.Created created = cluster.create("writer", "/f");
        assertThat(created.first().chunks()).extracting(c -> c.chunk().index()).containsExactly(0, 1, 2, 3);
        cluster.complete("writer", created.status().inode(), cluster.write(created.first(), TestCluster.LENGTH, 4));
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.groups()).isEqualTo(new Groups(0, 1, 0, 0));
        assertThat(cluster.locate("/f").groups().get(0).chunks()).hasSize(4);
    }

    @Test
    void strangersAreRefusedByName() {
        cluster.ready();
        DatanodeReport.Register known = cluster.datanodes.get(1).register();
        Namenode leader = cluster.namenodes.get("nn0");
        EcfsException other = refused(leader, as(known, known.datanode(), known.uuid(), "another-cluster", LAYOUT));
        assertThat(other.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
        assertThat(other).hasMessageContaining("another-cluster").hasMessageContaining(leader.clusterId());
        EcfsException version = refused(leader, as(known, known.datanode(), known.uuid(), "", 7));
        assertThat(version.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION);
        EcfsException twin = refused(leader, as(known, known.datanode(), "another-uuid", "", LAYOUT));
        assertThat(twin.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(twin).hasMessageContainingAll("dn1", "another id", "ecfs admin admit dn1");
        assertThat(twin.getMessage()).doesNotContain(known.uuid(), "another-uuid");
        EcfsException renamed = refused(leader, as(known, new DatanodeId("dn9"), known.uuid(), "", LAYOUT));
        assertThat(renamed).hasMessageContainingAll("dn1", "dn9").hasMessageNotContaining(known.uuid());
        EcfsException thief = refused(leader, as(known, new DatanodeId("dn9"), "another-uuid", "", LAYOUT));
        assertThat(thief).hasMessageContainingAll("dn1", "dn9");
        assertThat(thief.getMessage())
                .doesNotContain("another-uuid", known.volumes().get(0).uuid());
    }

    private EcfsException refused(Namenode leader, DatanodeReport.Register registration) {
        return cluster.failure(leader.datanode(registration));
    }

    /** The registration of a datanode, under another name, id of its directory, cluster or version of its layout. */
    private static DatanodeReport.Register as(
            DatanodeReport.Register known, DatanodeId name, String uuid, String clusterId, int layoutVersion) {
        return new DatanodeReport.Register(
                name, uuid, known.sequence(), clusterId, layoutVersion, known.address(), "r", known.volumes());
    }

    /** One report could mute a datanode until its own numbers come that far. */
    @Test
    void aReportWhoseNumberLeapsIsNotTakenAndTheNextOneIs() {
        cluster.ready();
        PretendDatanode datanode = cluster.datanodes.get(1);
        Namenode leader = cluster.namenodes.get("nn0");
        long last = datanode.register().sequence();
        assertThat(cluster.result(leader.datanode(
                        new DatanodeReport.ChangeReport(datanode.id, datanode.uuid, Long.MAX_VALUE, List.of()))))
                .isInstanceOf(DatanodeReply.RegisterAgain.class);
        assertThat(cluster.result(leader.datanode(
                        new DatanodeReport.ChangeReport(datanode.id, datanode.uuid, last + 1, List.of()))))
                .isInstanceOf(DatanodeReply.Noted.class);
    }

    @Test
    void aDatanodeThatReportsMoreChunksThanAVolumeMayHaveIsRefused() {
        cluster.ready();
        PretendDatanode liar = cluster.datanodes.get(1);
        List<ChunkChange> many = LongStream.rangeClosed(1, TestCluster.CHUNKS_PER_VOLUME + 1)
                .<ChunkChange>mapToObj(group -> new ChunkChange.Present(
                        liar.volume(),
                        new ChunkRecord(
                                new ChunkId(new GroupId(group), 0, 0),
                                ChunkState.FINALISED,
                                4096,
                                4096,
                                9,
                                Stamp.NONE)))
                .toList();
        EcfsException refused = cluster.failure(cluster.namenodes
                .get("nn0")
                .datanode(new DatanodeReport.ChangeReport(
                        liar.id, liar.uuid, liar.register().sequence(), many)));
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

    /** Those that a datanode writes for it, where the namenode says that they are. */
    @Test
    void aWriterGetsARelayTokenForAllChunksOfItsGroup() throws EcfsException {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("c", "/a");
        LocatedGroup group = created.first();
        BlockTokenVerifier datanode =
                new BlockTokenVerifier(cluster.time, () -> cluster.report().clusterId());
        datanode.keys(cluster.facts("nn1").tokenKeys());
        List<RelayTarget> targets = group.relayTargets();
        assertThat(targets).hasSize(TestCluster.POLICY.chunks());
        datanode.requireRelay(group.relay().orElseThrow(), group.policy(), targets, TestCluster.USER.user());

        RelayTarget first = targets.get(0);
        List<RelayTarget> elsewhere = new ArrayList<>(targets);
        elsewhere.set(0, new RelayTarget(first.chunk(), new Address("elsewhere", 1)));
        assertThatThrownBy(() -> datanode.requireRelay(
                        group.relay().orElseThrow(), group.policy(), elsewhere, TestCluster.USER.user()))
                .isInstanceOf(EcfsException.class);
        assertThat(cluster.locate("/a").groups())
                .singleElement()
                .matches(read -> read.relay().isEmpty());
    }
}
