package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ControlConversion;
import io.ecfs.message.namespace.NamespaceRequest.ControlConversion.Control;
import io.ecfs.message.namespace.NamespaceRequest.ConvertFiles;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.GetConversions;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.OpenUpdate;
import io.ecfs.message.namespace.NamespaceRequest.Rename;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.PretendDatanode.Rewriting;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Conversions at the leader, of files whose datanodes are pretended. */
class RewritingTest {
    private static final Policy TARGET = Policy.parse("rs-2-1-4k");
    private static final FilePath FILE = new FilePath("/f");

    private final TestCluster cluster =
            new TestCluster(1, 6, TestCluster.RECOVERY.off(), new CommandCodec(), Duration.ofMinutes(2)).ready();

    private ConvertFiles request(FilePath path) {
        return new ConvertFiles(cluster.request("operator"), path, TARGET, false);
    }

    private long convert(FilePath path) {
        return ((NamespaceReply.ConversionBegun) cluster.call(request(path))).job();
    }

    private List<Conversion> conversions() {
        return ((NamespaceReply.Conversions) cluster.call(new GetConversions())).conversions();
    }

    private Conversion conversion(long job) {
        return conversions().stream()
                .filter(each -> each.job() == job)
                .findFirst()
                .orElseThrow();
    }

    private Conversion ended(long job) {
        cluster.await(() -> conversion(job).state().ended(), Duration.ofMinutes(20));
        return conversion(job);
    }

    private List<Extent> extents() {
        return cluster.locate(FILE.text()).extents();
    }

    private List<GroupId> underWay() {
        try (MetadataView view = cluster.states.get(cluster.leader()).view()) {
            return view.rewrites(100);
        }
    }

    private List<DatanodeOrder.Rewrite> orders() {
        return cluster.datanodes.values().stream()
                .flatMap(datanode -> datanode.rewritten.stream())
                .toList();
    }

    private void datanodes(Rewriting will) {
        for (PretendDatanode datanode : cluster.datanodes.values()) {
            datanode.rewriting = will;
        }
    }

    @Test
    void anExtentThatIsLongerThanANewGroupGoesToSeveral() {
        long length = TARGET.groupBytes() + 1_000_000;
        cluster.file(FILE.text(), length);
        GroupId before = extents().get(0).group();
        Conversion done = ended(convert(FILE));
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.progress().bytesDone()).isEqualTo(length);
        assertThat(extents()).extracting(Extent::length).containsExactly(TARGET.groupBytes(), 1_000_000L);
        assertThat(extents())
                .extracting(extent -> extent.origin().orElseThrow())
                .containsExactly(new Extent.Origin(before, 0), new Extent.Origin(before, TARGET.groupBytes()));
        assertThat(cluster.status(FILE.text()).policy()).isEqualTo(TARGET);
        assertThat(cluster.locate(FILE.text()).groups())
                .allSatisfy(group -> assertThat(group.policy()).isEqualTo(TARGET));
    }

    @Test
    void aTreeOfMoreNamesThanOneStepTakesIsWalkedWhole() {
        for (int i = 0; i < 600; i++) {
            cluster.call(new Mkdirs(cluster.request("operator"), new FilePath("/tree/d" + i), 0755, true));
        }
        List<String> files = List.of("/tree/a", "/tree/d0/f", "/tree/d599/f", "/tree/d99/deep", "/tree/z");
        files.forEach(file -> cluster.file(file, TestCluster.LENGTH));
        Conversion done = ended(convert(new FilePath("/tree")));
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.progress().converted()).isEqualTo(files.size());
        assertThat(files)
                .allSatisfy(file -> assertThat(cluster.status(file).policy()).isEqualTo(TARGET));
    }

    @Test
    void whatFailsIsTriedAgainAndReportedInTheEnd() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        List<Extent> before = extents();
        datanodes(Rewriting.FAILS);
        Conversion failed = ended(convert(FILE));
        assertThat(failed.state()).isEqualTo(State.FAILED);
        assertThat(failed.progress().failed()).isEqualTo(1);
        assertThat(failed.firstFailure()).contains("/f: a source is corrupt");
        assertThat(orders().stream().map(order -> order.target().group()).distinct())
                .hasSize(4);
        assertThat(extents()).isEqualTo(before);
        assertThat(underWay()).isEmpty();
        datanodes(Rewriting.SUCCEEDS);
        assertThat(ended(convert(FILE)).progress().converted()).isEqualTo(1);
    }

    @Test
    void aFileWithPatchesOrOpenForUpdateIsNotConvertedAndIsReported() {
        cluster.file("/tree/f", TestCluster.LENGTH);
        cluster.file("/tree/g", TestCluster.LENGTH);
        cluster.update("/tree/f", 100);
        Conversion failed = ended(convert(new FilePath("/tree")));
        assertThat(failed.progress().converted()).isEqualTo(1);
        assertThat(failed.firstFailure()).contains("/tree/f: it has patches: compact it first");
        cluster.file("/other", TestCluster.LENGTH);
        cluster.call(new OpenUpdate(cluster.request("writer"), new FilePath("/other"), 7));
        assertThat(ended(convert(new FilePath("/other"))).firstFailure())
                .contains("/other: it is open for writing: convert it again when it is closed");
    }

    @Test
    void aDatanodeThatNeverAnswersCostsTheAttempt() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convert(FILE);
        cluster.await(() -> !orders().isEmpty());
        GroupId first = orders().get(0).target().group();
        cluster.time.advance(Duration.ofMinutes(9));
        assertThat(underWay()).containsExactly(first);
        datanodes(Rewriting.SUCCEEDS);
        for (PretendDatanode datanode : cluster.datanodes.values()) {
            datanode.rewritten.clear();
        }
        assertThat(ended(job).state()).isEqualTo(State.DONE);
    }

    private void lead(String namenode) {
        cluster.elect(namenode);
        cluster.ready();
    }

    @Test
    void theNextLeaderAbortsWhatItFindsUnderWayAndGoesOn() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        cluster.file("/g", TestCluster.LENGTH);
        long first = convert(new FilePath("/g"));
        assertThat(ended(first).state()).isEqualTo(State.DONE);
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convert(FILE);
        cluster.await(() -> !orders().isEmpty() && underWay().size() == 1);
        GroupId begun = underWay().get(0);
        datanodes(Rewriting.SUCCEEDS);
        lead("nn2");
        assertThat(ended(job).state()).isEqualTo(State.DONE);
        assertThat(conversion(job).progress().converted()).isEqualTo(1);
        assertThat(conversion(first).state()).as("remembered").isEqualTo(State.DONE);
        assertThat(underWay()).isEmpty();
        assertThat(cluster.groups().open()).isZero();
        assertThat(extents()).extracting(Extent::group).doesNotContain(begun);
    }

    private void control(long job, Control control) {
        cluster.call(new ControlConversion(cluster.request("operator"), job, control));
    }

    private long convertTree(int files) {
        for (int i = 0; i < files; i++) {
            cluster.file("/tree/f" + i, TestCluster.LENGTH);
        }
        return convert(new FilePath("/tree"));
    }

    @Test
    void aPausedConversionStandsStillUnderEachLeaderUntilItIsResumed() {
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convertTree(10);
        cluster.await(() -> underWay().size() == 2);
        control(job, Control.PAUSE);
        assertThat(conversion(job).state()).isEqualTo(State.PAUSED);
        datanodes(Rewriting.SUCCEEDS);
        lead("nn2");
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(underWay()).isEmpty();
        assertThat(conversion(job).state()).isEqualTo(State.PAUSED);
        assertThat(conversion(job).progress().converted()).isZero();
        control(job, Control.RESUME);
        assertThat(ended(job).progress().converted()).isEqualTo(10);
    }

    /** What was under way when a conversion was paused ends later, and nothing is left to do when it is resumed. */
    @Test
    void theIncidentGoesOnUntilWhatWasUnderWayHasEnded() {
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convertTree(2);
        cluster.await(() -> underWay().size() == 2);
        control(job, Control.PAUSE);
        cluster.time.advance(Duration.ofSeconds(10));
        datanodes(Rewriting.SUCCEEDS);
        cluster.await(() -> underWay().isEmpty(), Duration.ofMinutes(20));
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.cause().kind()).isEqualTo(IncidentCause.Kind.FILES_REWRITTEN);
            assertThat(incident.repaired()).isEqualTo(2L * TARGET.chunks());
            assertThat(incident.healedMillis()).isPresent();
        });
        control(job, Control.RESUME);
        assertThat(ended(job).progress().converted()).isEqualTo(2);
    }

    private List<Incident> incidents() {
        try (MetadataView view = cluster.states.get(cluster.leader()).view()) {
            return view.incidents(0, 100);
        }
    }

    /** Time stands still while the event thread has something to do at once: a busy wait would never end here. */
    @Test
    void aConversionWithoutRoomWaitsForTheNextTick() {
        long job = convertTree(10);
        datanodes(Rewriting.TAKES_FOR_EVER);
        cluster.await(() -> underWay().size() == 2);
        List<PretendDatanode> full =
                cluster.datanodes.values().stream().limit(4).toList();
        long capacity = full.get(0).capacity;
        full.forEach(datanode -> datanode.capacity = 0);
        cluster.time.advance(Duration.ofSeconds(5));
        datanodes(Rewriting.SUCCEEDS);
        cluster.await(
                () -> conversion(job)
                        .waiting()
                        .filter(why -> why.contains("needs 3 datanodes"))
                        .isPresent(),
                Duration.ofMinutes(20));
        full.forEach(datanode -> datanode.capacity = capacity);
        assertThat(ended(job).progress().converted()).isEqualTo(10);
    }

    @Test
    void aCancelledConversionLeavesTheRestAsItIs() {
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convertTree(10);
        cluster.await(() -> underWay().size() == 2);
        control(job, Control.CANCEL);
        assertThat(conversion(job).state()).isEqualTo(State.CANCELLED);
        datanodes(Rewriting.SUCCEEDS);
        cluster.time.advance(Duration.ofMinutes(20));
        cluster.await(() -> underWay().isEmpty());
        assertThat(IntStream.range(0, 10)
                        .filter(i -> cluster.status("/tree/f" + i).policy().equals(TARGET))
                        .count())
                .isLessThanOrEqualTo(2);
        assertThat(cluster.refusal(new ControlConversion(cluster.request("operator"), job, Control.RESUME))
                        .getMessage())
                .contains("has ended: it is CANCELLED");
        assertThat(cluster.refusal(new ControlConversion(cluster.request("operator"), 77, Control.PAUSE))
                        .code())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void whatWasConvertedBeforeTheLeaderChangedIsCounted() {
        long job = convertTree(40);
        cluster.await(() -> conversion(job).progress().converted() >= 5, Duration.ofMinutes(2));
        datanodes(Rewriting.TAKES_FOR_EVER);
        cluster.time.advance(Duration.ofSeconds(61));
        long before = conversion(job).progress().converted();
        assertThat(before).isLessThan(40);
        datanodes(Rewriting.SUCCEEDS);
        lead("nn2");
        Conversion done = ended(job);
        assertThat(done.progress().converted()).isEqualTo(40);
        assertThat(done.progress().files()).isEqualTo(40);
        assertThat(done.progress().bytesDone()).isEqualTo(40 * TestCluster.LENGTH);
        assertThat(done.progress().bytes()).isEqualTo(40 * TestCluster.LENGTH);
    }

    @Test
    void aRequestThatIsSentAgainBeginsNothing() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        datanodes(Rewriting.TAKES_FOR_EVER);
        ConvertFiles request = request(FILE);
        NamespaceReply first = cluster.call(request);
        assertThat(cluster.call(request)).isEqualTo(first);
        assertThat(cluster.refusal(request(new FilePath("/"))).code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(conversions()).hasSize(1);
    }

    @Test
    void aDirectoryThatIsConvertedIsKnownWhereverItIsRenamed() {
        datanodes(Rewriting.TAKES_FOR_EVER);
        convertTree(3);
        mkdir("/other");
        cluster.call(
                new Rename(cluster.request("operator"), new FilePath("/tree"), new FilePath("/other/tree"), false));
        assertThat(cluster.refusal(request(new FilePath("/other/tree/f0"))))
                .hasMessageStartingWith("/other/tree is being converted");
        assertThat(cluster.refusal(request(new FilePath("/other"))))
                .hasMessageStartingWith("/other/tree is being converted");
        mkdir("/tree");
        datanodes(Rewriting.SUCCEEDS);
        assertThat(ended(convert(new FilePath("/tree"))).state()).isEqualTo(State.DONE);
    }

    private void mkdir(String path) {
        cluster.call(new Mkdirs(cluster.request("operator"), new FilePath(path), 0755, true));
    }

    @Test
    void aFileThatIsDeletedMeanwhileLeavesNothing() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convert(FILE);
        cluster.await(() -> !orders().isEmpty());
        cluster.call(new Delete(cluster.request("operator"), FILE, false));
        datanodes(Rewriting.SUCCEEDS);
        assertThat(ended(job).state()).isEqualTo(State.DONE);
        cluster.await(() -> cluster.groups().healthy() == 0 && cluster.groups().open() == 0, Duration.ofMinutes(5));
    }

    @Test
    void othersMayNotConvertAFileAndSeeNothingOfIt() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        CallerIdentity eve = new CallerIdentity("eve", List.of("staff"));
        EcfsException refused =
                cluster.failure(cluster.namenodes.get(cluster.leader()).namespace(eve, request(FILE)));
        assertThat(refused.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
        convert(FILE);
        assertThat(((NamespaceReply.Conversions) cluster.result(
                                cluster.namenodes.get(cluster.leader()).namespace(eve, new GetConversions())))
                        .conversions())
                .isEmpty();
    }

    @Test
    void nothingIsRewrittenWhileASourceLacksChunks() {
        NamespaceReply.Created file = cluster.file(FILE.text(), TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        ChunkLocation last = file.first().chunks().get(4);
        cluster.at(last).chunks.remove(last.chunk());
        cluster.at(last).restart();
        cluster.await(() -> cluster.groups().degraded() == 1);
        long job = convert(FILE);
        cluster.await(() -> conversion(job).waiting().isPresent());
        assertThat(conversion(job).waiting())
                .isEqualTo(Optional.of("group " + file.first().group() + " lacks chunks"));
        assertThat(orders()).isEmpty();
    }

    /** A datanode's word about chunks of others ends no group: meanwhile they may have been lost one after the other. */
    @Test
    void aGroupIsNotCommittedBeforeEachOfItsDatanodesHasReportedItsChunk() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        List<Extent> before = extents();
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convert(FILE);
        cluster.await(() -> !orders().isEmpty());
        DatanodeOrder.Rewrite order = orders().get(0);
        PretendDatanode silent = cluster.at(order.target().chunks().get(1));
        silent.alive = false;
        datanodes(Rewriting.SUCCEEDS);
        cluster.await(
                () -> silent.chunks.containsKey(order.target().chunks().get(1).chunk()));
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(extents()).isEqualTo(before);
        assertThat(underWay()).containsExactly(order.target().group());
        silent.restart();
        assertThat(ended(job).state()).isEqualTo(State.DONE);
        assertThat(extents().get(0).group()).isEqualTo(order.target().group());
    }

    /** Its chunks may be on disk already, and not yet compared with the sources. */
    @Test
    void anAnswerForTheSameNumberFromBeforeARollbackCommitsNoGroup() {
        cluster.file(FILE.text(), TestCluster.LENGTH);
        List<Extent> before = extents();
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convert(FILE);
        cluster.await(() -> !orders().isEmpty());
        DatanodeOrder.Rewrite order = orders().get(0);
        cluster.at(order.target().chunks().get(0)).rewriteAndAnswerForAnotherStamp(order);
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(extents()).isEqualTo(before);
        assertThat(underWay()).containsExactly(order.target().group());
        datanodes(Rewriting.SUCCEEDS);
        assertThat(ended(job).state()).isEqualTo(State.DONE);
        assertThat(extents().get(0).group()).isEqualTo(order.target().group());
    }

    @Test
    void aFileWhoseChunksAreLostForGoodHoldsUpNoOther() {
        FilePath directory = new FilePath("/d");
        NamespaceReply.Created lost = cluster.file("/d/a", TestCluster.LENGTH);
        cluster.file("/d/z", TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        for (ChunkLocation chunk : lost.first().chunks().subList(0, 3)) {
            cluster.at(chunk).chunks.remove(chunk.chunk());
            cluster.at(chunk).restart();
        }
        cluster.await(() -> cluster.groups().lost() == 1);
        long job = convert(directory);
        cluster.await(() -> cluster.status("/d/z").policy().equals(TARGET));
        assertThat(conversion(job).waiting().orElseThrow()).endsWith("lacks chunks");
        cluster.await(() -> conversion(job).state().ended(), Duration.ofMinutes(40));
        assertThat(conversion(job).state()).isEqualTo(State.FAILED);
        assertThat(conversion(job).firstFailure().orElseThrow())
                .isEqualTo("/d/a: group " + lost.first().group() + " lacks chunks");
    }

    @Test
    void filesThatAreDeletedWithTheirDirectoryAreNoFailures() {
        for (int i = 0; i < 5; i++) {
            cluster.file("/d/e/f" + i, TestCluster.LENGTH);
        }
        datanodes(Rewriting.TAKES_FOR_EVER);
        long job = convert(new FilePath("/d"));
        cluster.await(() -> orders().stream()
                        .map(order -> order.target().group())
                        .distinct()
                        .count()
                == 2);
        cluster.call(new Delete(cluster.request("operator"), new FilePath("/d"), true));
        datanodes(Rewriting.SUCCEEDS);
        assertThat(ended(job).firstFailure()).isEmpty();
        assertThat(conversion(job).state()).isEqualTo(State.DONE);
        cluster.await(() -> cluster.groups().healthy() == 0 && cluster.groups().open() == 0, Duration.ofMinutes(5));
    }

    /** Data chunks are copied and parity is not: with the old group the last trace of the wrong chunk would go. */
    @Test
    void aGroupWhoseChunksContradictEachOtherIsNotCopied() {
        NamespaceReply.Created file = cluster.file(FILE.text(), TestCluster.LENGTH);
        cluster.parity = Finding.UNCLEAR;
        var gauges = cluster.namenodes.get(cluster.leader());
        cluster.await(() -> cluster.result(gauges.gauges()).parityUnclear() > 0, Duration.ofMinutes(5));
        long job = convert(FILE);
        cluster.await(() -> conversion(job).waiting().isPresent());
        assertThat(conversion(job).waiting())
                .isEqualTo(Optional.of("chunks of group " + file.first().group() + " contradict each other"));
        assertThat(orders()).isEmpty();
    }

    @Test
    void anOpenFileIsLeftAsItIs() {
        cluster.call(new Create(cluster.request("writer"), FILE, 0644, false, true, Optional.empty()));
        Conversion left = ended(convert(new FilePath("/")));
        assertThat(left.state()).isEqualTo(State.FAILED);
        assertThat(left.firstFailure().orElseThrow()).startsWith("/f: it is open for writing");
    }
}
