package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriteFailureTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final long LENGTH = 12_288L * 6 + 5000;

    /** The kinds of requests that a write makes of a datanode. */
    private enum Step {
        OPEN(ChunkRequest.OpenChunk.class),
        WRITE(ChunkRequest.WriteCells.class),
        FINISH(ChunkRequest.FinishChunk.class);

        private final Class<? extends ChunkRequest> kind;

        Step(Class<? extends ChunkRequest> kind) {
            this.kind = kind;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OPEN, 0",
        "OPEN, 3",
        "WRITE, 0",
        "WRITE, 1",
        "WRITE, 2",
        "WRITE, 3",
        "WRITE, 4",
        "FINISH, 0",
        "FINISH, 2",
        "FINISH, 4"
    })
    void oneFailingChunkAtAnyStepCostsNothing(Step step, int index) throws IOException {
        for (int occurrence = 0; occurrence < (step == Step.WRITE ? 7 : 1); occurrence++) {
            start(8);
            cluster.fate(failing(step, Set.of(index), occurrence, new Fate.Fails(ErrorCode.VOLUME_FAILED)));
            write(FILE, POLICY, LENGTH);
            cluster.fate(request -> new Fate.Answered());
            assertThat(readAll(FILE)).as("occurrence %d", occurrence).isEqualTo(Bytes.range(0, LENGTH));
            nothingIsLeftBehind();
        }
        client = null;
    }

    /** Every request of one kind to the first group's chunks of these indexes, from the given occurrence on. */
    private static java.util.function.Function<Message, Fate> failing(
            Step step, Set<Integer> indexes, int occurrence, Fate fate) {
        AtomicInteger[] seen = new AtomicInteger[16];
        java.util.Arrays.setAll(seen, i -> new AtomicInteger());
        return request -> {
            boolean hit = step.kind.isInstance(request)
                    && ((ChunkRequest) request).chunk().group().value() == 1
                    && indexes.contains(((ChunkRequest) request).chunk().index())
                    && seen[((ChunkRequest) request).chunk().index()].getAndIncrement() >= occurrence;
            return hit ? fate : new Fate.Answered();
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void hangingDatanodeIsGivenUpAfterTheTimeoutAndAvoided(int index) throws IOException {
        start(8);
        cluster.fate(failing(Step.WRITE, Set.of(index), 2, new Fate.Hangs()));
        write(FILE, POLICY, LENGTH);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        List<NamespaceRequest.AddGroup> added = cluster.on(c -> c.namenode().requests.stream()
                .filter(r -> r instanceof NamespaceRequest.AddGroup)
                .map(r -> (NamespaceRequest.AddGroup) r)
                .toList());
        assertThat(added).allSatisfy(a -> assertThat(a.avoid()).hasSize(1));
    }

    @Test
    void lostAcknowledgementOfAFinishDoesNotLoseTheFile() throws IOException {
        start(8);
        cluster.fate(failing(Step.FINISH, Set.of(1), 0, new Fate.AnswerLost()));
        write(FILE, POLICY, LENGTH);
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(chunksOf(new GroupId(1))).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WRITE", "FINISH"})
    void aReadableGroupOfTooFewChunksIsCopiedBeforeItIsAcknowledged(Step step) throws IOException {
        start(12);
        cluster.fate(failing(step, Set.of(0, 4), step == Step.WRITE ? 3 : 0, new Fate.Fails(ErrorCode.VOLUME_FAILED)));
        write(FILE, POLICY, LENGTH);
        cluster.fate(request -> new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(groups(FILE)).doesNotContain(new GroupId(1));
        for (GroupId group : groups(FILE)) {
            assertThat(chunksOf(group)).isEqualTo(5);
        }
    }

    @Test
    void rewriteSurvivesAFailureOfTheFreshGroup() throws IOException {
        start(15);
        AtomicInteger writesToSecond = new AtomicInteger();
        java.util.function.Function<Message, Fate> first =
                failing(Step.WRITE, Set.of(1, 2), 5, new Fate.Fails(ErrorCode.VOLUME_FAILED));
        cluster.fate(request -> {
            boolean second = request instanceof ChunkRequest.WriteCells write
                    && write.chunk().group().value() == 2
                    && (write.chunk().index() == 0 || write.chunk().index() == 3);
            return second && writesToSecond.getAndIncrement() >= 4
                    ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                    : first.apply(request);
        });
        write(FILE, POLICY, LENGTH);
        cluster.fate(request -> new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(groups(FILE)).doesNotContain(new GroupId(1), new GroupId(2));
    }

    @Test
    void groupThatIsDeletedDuringItsRewriteFailsTheWriteClearly() throws IOException {
        start(12);
        cluster.on(c -> {
            c.namenode().onDrop = group -> c.forget(group);
            return null;
        });
        cluster.fate(failing(Step.FINISH, Set.of(0, 4), 0, new Fate.Fails(ErrorCode.VOLUME_FAILED)));
        assertThatThrownBy(() -> write(FILE, POLICY, LENGTH))
                .hasMessageContaining("could not be copied to others")
                .hasMessageContaining("3 needed");
    }

    @Test
    void groupWithFewerThanKChunksFailsTheWriteAndSaysWhy() {
        start(12);
        cluster.fate(failing(Step.WRITE, Set.of(0, 1, 2), 2, new Fate.Fails(ErrorCode.VOLUME_FAILED)));
        assertThatThrownBy(() -> write(FILE, POLICY, LENGTH))
                .hasMessageContaining("2 chunks left, at least 4 are required")
                .hasMessageContaining("VOLUME_FAILED");
    }

    @Test
    void whatWasAcknowledgedStaysReadableWhenTheWriteFailsLater() throws IOException {
        start(5);
        EcfsOutputStream out = create(FILE, POLICY);
        append(out, 30_000);
        out.hflush();
        cluster.fate(request -> request instanceof ChunkRequest.WriteCells
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered());
        assertThatThrownBy(() -> append(out, 500_000)).hasMessageContaining("of which bytes were acknowledged");
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        out.close();
        cluster.fate(request -> new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 30_000));
    }

    /** Repair and balance put on disk what they make; the datanodes that had it before answer no sync. */
    @Test
    void aSyncCountsChunksOfASealedGroupThatWereMovedSince() throws IOException {
        start(8);
        cluster.fate(failing(Step.WRITE, Set.of(1), 3, new Fate.Fails(ErrorCode.VOLUME_FAILED)));
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, 60_000);
            out.hflush();
            GroupId sealed = groups(FILE).get(0);
            assertThat(chunksOf(sealed)).isEqualTo(4);
            cluster.on(c -> {
                c.move(sealed, 2);
                return null;
            });
            out.hsync();
            append(out, 70_000);
        }
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 70_000));
    }

    @Test
    void aGroupOfFewerChunksThatStillHasParityIsWritten() throws IOException {
        start(5);
        cluster.stop(cluster.on(c -> c.addressOf(2)));
        write(FILE, POLICY, LENGTH);
        cluster.heal();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        for (GroupId group : groups(FILE)) {
            assertThat(chunksOf(group)).isEqualTo(4);
        }
    }

    /** It asks every two seconds at most, and stays while the next group would be no better. */
    @Test
    void aStreamLeavesAShortGroupWhenTheNextOneIsWhole() throws IOException {
        start(5);
        cluster.holdClock();
        cluster.on(c -> c.namenode().unplaced = 1);
        EcfsOutputStream out = create(FILE, POLICY);
        int[] seconds = {0, 60, 1, 1, 1, 60};
        for (int i = 0; i < seconds.length; i++) {
            cluster.advanceClock(Duration.ofSeconds(seconds[i]));
            append(out, 1000L * (i + 1));
            out.hflush();
            if (i == 1) {
                cluster.on(c -> c.namenode().unplaced = 0);
            }
        }
        out.close();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 6000));
        assertThat(groups(FILE)).extracting(this::chunksOf).containsExactly(4, 5);
        assertThat(namenodeRequests())
                .filteredOn(r -> r instanceof NamespaceRequest.CountPlaces)
                .hasSize(2);
    }

    /** As when the question is of a release that the namenode does not know. */
    @Test
    void aStreamStaysInAShortGroupWithoutAnAnswer() throws IOException {
        start(5);
        cluster.holdClock();
        cluster.on(c -> c.namenode().unplaced = 1);
        cluster.fate(request -> request instanceof NamespaceRequest.CountPlaces
                ? new Fate.Fails(ErrorCode.UNSUPPORTED)
                : new Fate.Answered());
        EcfsOutputStream out = create(FILE, POLICY);
        for (int i = 1; i <= 4; i++) {
            append(out, 1000L * i);
            out.hflush();
            cluster.advanceClock(Duration.ofMinutes(1));
        }
        out.close();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 4000));
        assertThat(groups(FILE)).hasSize(1);
    }

    @Test
    void withFewerDatanodesThanParityNeedsTheWriteIsRefused() {
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
    void writerThatWasFencedStopsAtOnce() {
        start(8);
        cluster.fate(failing(Step.WRITE, Set.of(3), 1, new Fate.Fails(ErrorCode.FENCED)));
        assertThatThrownBy(() -> write(FILE, POLICY, LENGTH))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT))
                .hasMessageContaining("taken from this writer");
        assertThat(namenodeRequests()).noneMatch(r -> r instanceof NamespaceRequest.RecoverLease);
    }

    @Test
    void nothingIsAcknowledgedInAGroupOfAnotherWriter() throws IOException {
        start(8);
        cluster.fate(request -> request instanceof NamespaceRequest.ConfirmGroup
                ? new Fate.Fails(ErrorCode.LEASE_CONFLICT)
                : new Fate.Answered());
        EcfsOutputStream out = create(FILE, POLICY);
        append(out, LENGTH);
        assertThatThrownBy(out::hflush)
                .isInstanceOf(EcfsException.class)
                .extracting(e -> ((EcfsException) e).code())
                .isEqualTo(ErrorCode.LEASE_CONFLICT);
        assertThatThrownBy(out::close).isInstanceOf(EcfsException.class);
        assertThat(namenodeRequests()).noneMatch(r -> r instanceof NamespaceRequest.RecoverLease);
    }

    /**
     * Its datanode may have begun the chunk all the same: recovery must not take that for proof that there was no
     * acknowledgement.
     */
    @Test
    void aChunkThatWasNotCreatedLeavesTheFactsBeforeAFlush() throws IOException {
        start(5);
        cluster.fate(failing(Step.OPEN, Set.of(2), 0, new Fate.AnswerLost()));
        EcfsOutputStream out = create(FILE, POLICY);
        append(out, LENGTH);
        out.hflush();
        assertThat(namenodeRequests())
                .filteredOn(r -> r instanceof NamespaceRequest.LeaveOut)
                .singleElement()
                .extracting(r -> ((NamespaceRequest.LeaveOut) r).indexes())
                .isEqualTo(List.of(2));
        assertThat(namenodeRequests()).noneMatch(r -> r instanceof NamespaceRequest.ConfirmGroup);
        out.close();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(chunksOf(groups(FILE).get(0))).isEqualTo(4);
    }

    @Test
    void nothingIsFlushedWhileALostChunkIsInTheFacts() throws IOException {
        start(5);
        java.util.function.Function<Message, Fate> opens = failing(Step.OPEN, Set.of(2), 0, new Fate.AnswerLost());
        cluster.fate(request -> request instanceof NamespaceRequest.LeaveOut
                ? new Fate.Fails(ErrorCode.LEASE_CONFLICT)
                : opens.apply(request));
        EcfsOutputStream out = create(FILE, POLICY);
        append(out, LENGTH);
        assertThatThrownBy(out::hflush)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT));
        assertThatThrownBy(out::close).isInstanceOf(EcfsException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Create", "AddGroup", "CompleteFile", "ConfirmGroup"})
    void lostAnswerOfTheNamenodeIsAskedForAgainAndHasItsEffectOnce(String kind) throws IOException {
        start(8);
        AtomicBoolean lost = new AtomicBoolean();
        Predicate<Message> hit = request -> request.getClass().getSimpleName().equals(kind) && !lost.getAndSet(true);
        java.util.function.Function<Message, Fate> broken =
                failing(Step.WRITE, Set.of(1), 3, new Fate.Fails(ErrorCode.VOLUME_FAILED));
        cluster.fate(request -> hit.test(request) ? new Fate.AnswerLost() : broken.apply(request));
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, LENGTH);
            out.hflush();
            append(out, LENGTH + 10);
        }
        assertThat(lost).isTrue();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH + 10));
    }

    @Test
    void fullGroupIsFollowedByTheNext() throws IOException {
        Policy policy = Policy.parse("replication-2-8192k");
        start(
                2,
                config().with(
                                "callTimeout=20s",
                                "writeBudgetBytes=64MiB",
                                "writeWindowStripes=2",
                                "stallAfter=20s",
                                "readBudgetBytes=128MiB",
                                "readAheadBudgetBytes=128MiB",
                                "readAheadSpans=1",
                                "spanBytes=1MiB",
                                "lateAfter=20s",
                                "budgetWait=60s"));
        byte[] piece = Bytes.range(0, 1 << 20);
        try (EcfsOutputStream out = create(FILE, policy)) {
            for (int i = 0; i < 129; i++) {
                out.write(piece);
            }
        }
        assertThat(groups(FILE)).hasSize(2);
        LocatedGroup first = cluster.on(k -> k.namenode().groups.get(groupsOf(k).get(0)));
        assertThat(first.length()).isEqualTo(policy.groupBytes());
        byte[] last = read(Await.result(client.open(FILE)), (128L << 20) - 10, (128L << 20) + 10);
        assertThat(java.util.Arrays.copyOf(last, 10))
                .isEqualTo(java.util.Arrays.copyOfRange(piece, (1 << 20) - 10, 1 << 20));
        assertThat(java.util.Arrays.copyOfRange(last, 10, 20)).isEqualTo(java.util.Arrays.copyOf(piece, 10));
    }

    private static List<GroupId> groupsOf(MemoryCluster cluster) {
        try {
            return cluster.namenode().file(FILE).extents.stream()
                    .map(e -> e.group())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void streamsOfAClosedClientSaySoAndDoNotWaitForEver() throws IOException {
        start(8);
        List<EcfsOutputStream> outs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            EcfsOutputStream out = create(new FilePath("/file" + i), POLICY);
            append(out, LENGTH);
            out.hflush();
            append(out, LENGTH + 1);
            outs.add(out);
        }
        client.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                outs.get(0)::hflush,
                outs.get(0)::close,
                () -> Await.result(outs.get(1).closeLater()),
                outs.get(2)::abort)) {
            assertTimeoutPreemptively(
                    Duration.ofMinutes(2),
                    () -> assertThatThrownBy(call).hasMessageContaining("this client was closed"));
        }
    }

    @Test
    void closingTheClientWakesAThreadThatWaitsForMemory() throws Exception {
        start(8);
        cluster.fate(request -> request instanceof ChunkRequest.WriteCells
                ? new Fate.Late(Duration.ofSeconds(60))
                : new Fate.Answered());
        EcfsOutputStream out = create(FILE, POLICY);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread writing = new Thread(() -> outcome.complete(catchThrowable(() -> append(out, 10 * LENGTH))));
        writing.start();
        await().until(() -> writing.getState() == Thread.State.WAITING);
        client.close();
        assertThat(outcome.get(2, TimeUnit.MINUTES)).hasMessageContaining("this client was closed");
        client = null; // the stripes on their way are answered by nobody
    }
}
