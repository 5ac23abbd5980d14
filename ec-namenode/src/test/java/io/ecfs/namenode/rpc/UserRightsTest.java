package io.ecfs.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.NamespaceOperation;
import io.ecfs.message.namespace.NamespaceOperation.Access;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.FindProblems;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.report.FileProblem;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.leader.Complaints;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an ordinary user gets to know and to set going. */
class UserRightsTest {
    private static final CallerIdentity EVE = new CallerIdentity("eve", List.of("users"));
    private static final CallerIdentity DATANODE = new CallerIdentity("datanode dn1", List.of());

    private final TestCluster cluster = new TestCluster(1, 6);

    @BeforeEach
    void begin() {
        cluster.ready();
    }

    private List<NamespaceRequest> superusers() {
        return List.of(
                new NamespaceRequest.ListEvents(0, 10),
                new NamespaceRequest.ListIncidents(0, 10),
                new NamespaceRequest.ListRepairs(1, 0, 0, 10),
                new NamespaceRequest.FindOrphans(Optional.empty(), 10),
                new NamespaceRequest.ListAudit(Optional.empty(), "", 10),
                new NamespaceRequest.CheckStop(List.of(new DatanodeId("dn1")), 0, 0, 10),
                new NamespaceRequest.SumGroups(0, 10),
                new NamespaceRequest.ListPacks(0, 10),
                new NamespaceRequest.GetMoves(0, 10, true),
                new NamespaceRequest.Balance(NamespaceRequest.Balance.Wish.BEGIN, 0),
                new NamespaceRequest.FinalizeUpgrade(),
                new NamespaceRequest.GetHotGroups(new DatanodeId("dn1"), 10),
                new NamespaceRequest.SetSafeMode(cluster.request("eve"), true),
                new NamespaceRequest.PauseMover(cluster.request("eve"), true),
                new NamespaceRequest.SetThrottles(
                        cluster.request("eve"), Optional.of(0L), Optional.empty(), Optional.empty()),
                new NamespaceRequest.CreateRing(
                        cluster.request("eve"), "flash", 2, Optional.of(1), 10_000, List.of(), List.of()),
                new NamespaceRequest.SetRing(
                        cluster.request("eve"), "flash", Optional.of(1), Optional.empty(), Optional.empty()),
                new NamespaceRequest.AssignVolumes(cluster.request("eve"), "flash", List.of(), List.of(), List.of()),
                new NamespaceRequest.DropRing(
                        cluster.request("eve"), "flash", NamespaceRequest.DropRing.Remaining.REFUSE),
                new NamespaceRequest.AdmitDatanode(cluster.request("eve"), new DatanodeId("dn1")),
                new NamespaceRequest.SetAdminState(
                        cluster.request("eve"),
                        new DatanodeId("dn1"),
                        AdminState.State.DECOMMISSIONING,
                        Optional.empty()));
    }

    @Test
    void whatIsTheSuperusersIsRefusedToOthers() {
        Set<Class<?>> decided = HandlerTable.records(NamespaceRequest.class)
                .filter(kind -> kind.getAnnotation(NamespaceOperation.class).access() == Access.SUPERUSER)
                .collect(Collectors.toSet());
        assertThat(superusers().stream().map(NamespaceRequest::getClass).collect(Collectors.toSet()))
                .isEqualTo(decided);
        for (NamespaceRequest request : superusers()) {
            EcfsException refused = cluster.failure(ask(EVE, request));
            assertThat(refused.code()).as(request.toString()).isEqualTo(ErrorCode.ACCESS_DENIED);
            assertThat(refused)
                    .hasMessageStartingWith("user eve may not ")
                    .hasMessageEndingWith("only the superuser may");
        }
    }

    @Test
    void sumsOfTheClusterAreForEverybody() {
        for (NamespaceRequest request : List.of(
                new NamespaceRequest.GetReport(),
                new NamespaceRequest.GetRings(),
                new NamespaceRequest.GetSpace(),
                new NamespaceRequest.GetCluster(),
                new NamespaceRequest.GetSafeMode(),
                new NamespaceRequest.GetThrottles(),
                new NamespaceRequest.ListPolicies(),
                new NamespaceRequest.Balance(NamespaceRequest.Balance.Wish.LOOK, 0))) {
            assertThat(cluster.result(ask(EVE, request))).as(request.toString()).isNotNull();
        }
    }

    private CompletableFuture<NamespaceReply> ask(CallerIdentity caller, NamespaceRequest request) {
        return cluster.namenodes.get(cluster.leader()).namespace(caller, request);
    }

    @Test
    void fsckTellsOfFilesThatItsCallerCouldList() {
        for (String file : List.of("/open/f", "/open/closed/f", "/other/f")) {
            lose(file);
        }
        cluster.call(new SetMode(cluster.request("root"), new FilePath("/open/closed"), 0711));
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(problems(TestCluster.USER, "/")).hasSize(3);
        assertThat(problems(EVE, "/")).containsExactlyInAnyOrder("/open/f", "/other/f");
        assertThat(problems(EVE, "/open")).containsExactly("/open/f");
        assertThat(cluster.failure(ask(EVE, new FindProblems(new FilePath("/open/closed"), false, 0, 10)))
                        .code())
                .isEqualTo(ErrorCode.ACCESS_DENIED);
    }

    private List<String> problems(CallerIdentity caller, String path) {
        NamespaceReply.Problems found = (NamespaceReply.Problems)
                cluster.result(ask(caller, new FindProblems(new FilePath(path), false, 0, 10)));
        return found.problems().stream()
                .map(FileProblem::path)
                .map(FilePath::text)
                .toList();
    }

    private void lose(String file) {
        ChunkLocation chunk =
                cluster.file(file, TestCluster.LENGTH).first().chunks().get(0);
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.at(chunk).chunks.remove(chunk.chunk());
        complain(TestCluster.USER, chunk);
        cluster.time.advance(Duration.ofSeconds(3));
    }

    private void complain(CallerIdentity caller, ChunkLocation chunk) {
        cluster.result(ask(caller, bad(chunk)));
    }

    private static NamespaceRequest bad(ChunkLocation chunk) {
        return new NamespaceRequest.ReportBadChunks(
                List.of(new BadChunk(chunk.chunk(), chunk.volume(), chunk.datanode(), BadChunk.Reason.CORRUPT)));
    }

    @Test
    void aComplaintCountsFromWhoMayReadTheFileAndFromDatanodes() {
        ChunkLocation hidden =
                cluster.file("/hidden/f", TestCluster.LENGTH).first().chunks().get(0);
        ChunkLocation open =
                cluster.file("/open/f", TestCluster.LENGTH).first().chunks().get(1);
        cluster.call(new SetMode(cluster.request("root"), new FilePath("/hidden"), 0700));
        cluster.time.advance(Duration.ofSeconds(2));
        complain(EVE, hidden);
        assertThat(verified(hidden)).isFalse();
        complain(EVE, open);
        assertThat(verified(open)).isTrue();
        assertThat(cluster.failure(ask(DATANODE, bad(hidden))).code())
                .as("says that it is a datanode, and does not prove it")
                .isEqualTo(ErrorCode.ACCESS_DENIED);
        cluster.result(cluster.namenodes.get(cluster.leader()).handle(DATANODE, true, bad(hidden)));
        assertThat(verified(hidden)).isTrue();
    }

    /** Whether the chunk's datanode is told to read it. */
    private boolean verified(ChunkLocation chunk) {
        cluster.at(chunk).verified.clear();
        cluster.time.advance(Duration.ofSeconds(2));
        return cluster.at(chunk).verified.contains(chunk.chunk());
    }

    /** Each order has a datanode read a whole chunk. */
    @Test
    void complaintsOfOneUserSetNoMoreReadsGoingThanItsShare() {
        ChunkLocation chunk =
                cluster.file("/open/f", TestCluster.LENGTH).first().chunks().get(0);
        cluster.time.advance(Duration.ofSeconds(2));
        List<BadChunk> many = IntStream.range(0, Complaints.AT_ONCE)
                .mapToObj(i -> new BadChunk(
                        new ChunkId(chunk.chunk().group(), 1, 99 + i),
                        chunk.volume(),
                        chunk.datanode(),
                        BadChunk.Reason.CORRUPT))
                .toList();
        cluster.result(ask(EVE, new NamespaceRequest.ReportBadChunks(many)));
        complain(EVE, chunk);
        assertThat(verified(chunk)).as("its share is used up").isFalse();
        complain(TestCluster.USER, chunk);
        assertThat(verified(chunk)).as("others have their own").isTrue();
        cluster.time.advance(Duration.ofSeconds(2));
        complain(EVE, chunk);
        assertThat(verified(chunk)).as("it grows again").isTrue();
    }

    @Test
    void aUserWhoseNameIsNoneIsRefusedWithoutRepeatingIt() {
        for (String name : List.of("eve\nevent=forged", "a b", "x".repeat(10_000), "datanode dn1")) {
            EcfsException refused = cluster.failure(
                    ask(new CallerIdentity(name, List.of()), new NamespaceRequest.GetStatus(FilePath.ROOT)));
            assertThat(refused.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            assertThat(refused).message().doesNotContain(name).hasLineCount(1);
        }
    }
}
