package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceRequest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of less than a stripe: what they cost, and what becomes of them when datanodes fail. */
class SmallFileTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final int LENGTH = 100_000;

    /** Puts to chunks of these indexes in groups up to {@code lastGroup}. */
    private static Predicate<Message> puts(Set<Integer> indexes, long lastGroup) {
        return request -> request instanceof ChunkRequest.PutChunk put
                && put.chunk().group().value() <= lastGroup
                && indexes.contains(put.chunk().index());
    }

    private static Function<Message, Fate> fate(Predicate<Message> hit, Fate fate) {
        return request -> hit.test(request) ? fate : new Fate.Answered();
    }

    private List<String> kinds(List<? extends Message> requests) {
        return requests.stream().map(r -> r.getClass().getSimpleName()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 100_000, 3 * 65_536 - 1})
    void writingCostsTwoNamenodeCallsAndOneMessageAChunk(int length) throws IOException {
        start(5);
        write(FILE, POLICY, length);
        assertThat(namenodeRequests())
                .filteredOn(request -> request instanceof NamespaceRequest.Mutation)
                .extracting(request -> request.getClass().getSimpleName())
                .as("after the first call, which opens the client's session")
                .containsExactly("OpenSession", "Create", "CompleteFile");
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        assertThat(kinds(requests)).hasSize(5).containsOnly("PutChunk");
        assertThat(requests).extracting(r -> r.chunk().index()).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, length));
    }

    @Test
    void readingCostsOneNamenodeCallAndAtMostKReads() throws IOException {
        start(5, ClientConfig.defaults());
        write(FILE, POLICY, LENGTH);
        cluster.takeChunkRequests();
        int before = namenodeRequests().size();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        List<NamespaceRequest> calls = namenodeRequests();
        assertThat(kinds(calls.subList(before, calls.size())))
                .filteredOn(kind ->
                        !List.of("RenewLease", "GetCluster", "ReportAccesses").contains(kind))
                .containsExactly("Locate");
        assertThat(kinds(cluster.takeChunkRequests())).hasSize(3).containsOnly("ReadChunk");
    }

    @Test
    void fileOfOneFullStripeIsStreamed() throws IOException {
        start(5);
        write(FILE, POLICY, POLICY.stripeBytes());
        assertThat(kinds(cluster.takeChunkRequests()))
                .doesNotContain("PutChunk")
                .hasSize(15);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, POLICY.stripeBytes()));
    }

    @Test
    void flushesOfAFewBytesAreRecordsOfOneGroup() throws IOException {
        start(5);
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, 1000);
            out.hflush();
            append(out, 3000);
            out.hsync();
            assertThat(cluster.<Boolean>on(MemoryCluster::allSynced)).isTrue();
            out.hsync();
            append(out, LENGTH);
        }
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        assertThat(requests.stream().filter(r -> r instanceof ChunkRequest.WriteTail))
                .hasSize(6);
        // Those that got no record, and all before the records go: the stripe that takes their place was not synced.
        assertThat(requests.stream().filter(r -> r instanceof ChunkRequest.SyncChunk))
                .hasSize(2 + 5);
        assertThat(groups(FILE)).hasSize(1);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, 4})
    void oneFailingDatanodeSendsTheFileToAnotherGroupWhole(int index) throws IOException {
        for (Fate fate : List.of(
                new Fate.Fails(ErrorCode.VOLUME_FAILED),
                new Fate.Fails(ErrorCode.VOLUME_FULL),
                new Fate.Fails(ErrorCode.ALREADY_EXISTS),
                new Fate.Hangs(),
                new Fate.AnswerLost())) {
            start(8);
            cluster.fate(fate(puts(Set.of(index), 1), fate));
            write(FILE, POLICY, LENGTH);
            cluster.heal();
            assertThat(onlyGroup(FILE)).as("%s", fate).isEqualTo(new GroupId(2));
            assertThat(chunksOf(new GroupId(2))).as("%s", fate).isEqualTo(5);
            assertThat(readAll(FILE)).as("%s", fate).isEqualTo(Bytes.range(0, LENGTH));
            nothingIsLeftBehind();
        }
        client = null;
    }

    @Test
    void dataIsKeptUntilAGroupHasItHoweverManyDatanodesFail() throws IOException {
        start(15);
        cluster.fate(fate(puts(Set.of(0, 1, 2, 3, 4), 2), new Fate.Fails(ErrorCode.VOLUME_FAILED)));
        write(FILE, POLICY, LENGTH);
        assertThat(onlyGroup(FILE)).isEqualTo(new GroupId(3));
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    @Test
    void aPutOfFewerChunksThatStillHasParityIsRetained() throws IOException {
        start(5);
        cluster.stop(cluster.on(c -> c.addressOf(2)));
        write(FILE, POLICY, LENGTH);
        cluster.heal();
        assertThat(chunksOf(onlyGroup(FILE))).isEqualTo(4);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    @Test
    void withFewerDatanodesThanParityNeedsTheFileIsRefused() {
        start(5);
        cluster.stop(cluster.on(c -> c.addressOf(2)));
        cluster.stop(cluster.on(c -> c.addressOf(3)));
        assertThatThrownBy(() -> write(FILE, POLICY, LENGTH))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE))
                .hasMessageContaining("only 3 chunks could be begun, at least 4 are required")
                .hasMessageContaining("UNREACHABLE");
    }

    @Test
    void fencedWriterStops() {
        start(8);
        cluster.fate(fate(puts(Set.of(3), 1), new Fate.Fails(ErrorCode.FENCED)));
        assertThatThrownBy(() -> write(FILE, POLICY, LENGTH))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT))
                .hasMessageContaining("taken from this writer");
        assertThat(namenodeRequests()).noneMatch(r -> r instanceof NamespaceRequest.AddGroup);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Create", "CompleteFile"})
    void lostAnswerOfTheNamenodeIsAskedForAgainAndHasItsEffectOnce(String kind) throws IOException {
        start(5);
        int[] seen = {0};
        cluster.fate(request -> request.getClass().getSimpleName().equals(kind) && seen[0]++ == 0
                ? new Fate.AnswerLost()
                : new Fate.Answered());
        write(FILE, POLICY, LENGTH);
        assertThat(seen[0]).isEqualTo(2);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    @Test
    void aClientClosedDuringAPutReleasesItsMemory() throws Exception {
        start(5);
        cluster.fate(fate(puts(Set.of(0, 4), 1), new Fate.Hangs()));
        EcfsOutputStream out = create(new FilePath("/late"), POLICY);
        append(out, LENGTH);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread closing = new Thread(() -> outcome.complete(catchThrowable(out::close)));
        closing.start();
        await().until(() -> !cluster.takeChunkRequests().isEmpty());
        Throwable abort = catchThrowable(out::abort);
        assertThat(abort).isNull();
        assertThat(outcome.get(2, TimeUnit.MINUTES)).hasMessageContaining("given up");
    }
}
