package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChunkServiceTest {
    private static final VolumeId V1 = new VolumeId(1);
    private static final VolumeId V2 = new VolumeId(2);
    private static final ChunkId CHUNK = id(17, 3);
    private static final TokenKey KEY =
            new TokenKey(1, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 1_000_000);
    private static final BlockToken WRITE =
            BlockTokens.sign(KEY, CHUNK.group(), Stamp.NONE, Right.WRITE, ManualTime.EPOCH_AT_START + 500_000);
    private static final BlockToken READ =
            BlockTokens.sign(KEY, CHUNK.group(), Stamp.NONE, Right.READ, ManualTime.EPOCH_AT_START + 500_000);
    private static final Session SESSION =
            new Session(new Address("client", 1), "ann", List.of("staff"), "client", "", false);
    private static final int QUEUE = 6;

    private final ManualTime time = new ManualTime(7);
    private final MemoryVolumeIo firstDisk = new MemoryVolumeIo("disk1", 1 << 20, new Random(1));
    private final MemoryVolumeIo secondDisk = new MemoryVolumeIo("disk2", 1 << 20, new Random(2));
    private final BufferPool pool = new BufferPool("reads", 64 << 10, true);
    private final List<ChunkChange> changes = new ArrayList<>();
    private final List<ByteBuf> sent = new ArrayList<>();
    private int batches;
    private boolean onThisMachine = true;
    private ChunkService service;
    private Volumes volumes;

    @BeforeEach
    void build() throws IOException {
        DatanodeHome home = DatanodeHome.open(
                new MemoryVolumeIo("home", 1 << 20, new Random(3)), new DatanodeId("dn1"), time.randomness()::uuid);
        List<ServedVolume> served = new ArrayList<>();
        for (MemoryVolumeIo disk : List.of(firstDisk, secondDisk)) {
            Volume volume = Volume.open(disk, home.identity(), Chunks.terms(0), time.randomness()::uuid);
            served.add(
                    new ServedVolume(volume, new VolumeQueue(counted(time.workers("volume", 1, 100)), 1, QUEUE, time)));
        }
        volumes = new Volumes(served);
        volumes.number(
                Map.of(served.get(0).volume().uuid(), V1, served.get(1).volume().uuid(), V2));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        service = new ChunkService(
                volumes,
                tokens,
                pool,
                32 << 10,
                true,
                Optional.empty(),
                peer -> onThisMachine,
                changes::add,
                time,
                Optional.empty());
    }

    private static ChunkReply written(long length) {
        return new ChunkReply.Written(CHUNK, length, OptionalInt.of(0)); // no time passes
    }

    /** Counts what begins on the threads of the volumes. */
    private Workers counted(Workers workers) {
        return new Workers() {
            @Override
            public <T> CompletableFuture<T> submit(Callable<T> work) {
                batches++;
                return workers.submit(work);
            }

            @Override
            public int queued() {
                return workers.queued();
            }

            @Override
            public void close() {
                workers.close();
            }
        };
    }

    @AfterEach
    void everyBufferIsBack() {
        assertThat(pool.loans()).isZero();
        assertThat(sent).allSatisfy(payload -> assertThat(payload.refCnt()).isZero());
    }

    private CompletableFuture<Envelope> send(Message request) {
        return send(request, Unpooled.buffer(1));
    }

    private CompletableFuture<Envelope> send(Message request, ByteBuf payload) {
        sent.add(payload);
        return service.handle(SESSION, new Envelope(request, payload));
    }

    private CompletableFuture<Envelope> open() {
        return send(new ChunkRequest.OpenChunk(CHUNK, V1, POLICY, 5, WRITE));
    }

    private CompletableFuture<Envelope> write(long writer, int cell) {
        return send(
                new ChunkRequest.WriteCells(CHUNK, writer, (long) cell * CELL, CELL, 0),
                payload(CHUNK, (long) cell * CELL, CELL));
    }

    private CompletableFuture<Envelope> finish(int cells) {
        return send(new ChunkRequest.FinishChunk(CHUNK, 5, (long) cells * CELL, 3L * cells * CELL, false));
    }

    private Message after(CompletableFuture<Envelope> answer) {
        time.advance(Duration.ofSeconds(1));
        assertThat(answer).isCompleted();
        return answer.join().head();
    }

    private void assertRefused(ErrorCode code, CompletableFuture<Envelope> answer) {
        time.advance(Duration.ofSeconds(1));
        assertThat(answer).isCompletedExceptionally();
        assertThat(EcfsException.of(answer.handle((none, failure) -> failure).join())
                        .code())
                .isEqualTo(code);
    }

    @Test
    void aChunkIsWrittenWithoutWaitingForAnswersAndReadBack() {
        CompletableFuture<Envelope> opened = open();
        CompletableFuture<Envelope> first = write(5, 0);
        CompletableFuture<Envelope> second = write(5, 1);
        CompletableFuture<Envelope> finished = finish(2);
        assertThat(after(opened)).isEqualTo(new ChunkReply.Opened(CHUNK));
        assertThat(after(first)).isEqualTo(written(CELL));
        assertThat(after(second)).isEqualTo(written(2L * CELL));
        assertThat(after(finished)).isEqualTo(new ChunkReply.Finished(CHUNK, OptionalInt.of(0)));
        assertThat(changes)
                .extracting(change -> ((ChunkChange.Present) change).record().state())
                .containsExactly(ChunkState.BEING_WRITTEN, ChunkState.FINALISED);

        CompletableFuture<Envelope> read = send(new ChunkRequest.ReadChunk(CHUNK, V1, 5000, 10, READ));
        assertThat(after(read)).isEqualTo(new ChunkReply.Data(CHUNK, 4096, 4096));
        ByteBuf bytes = read.join().payload();
        assertThat(ChunkPayload.firstMismatch(bytes, 4096)).isEmpty();
        assertThat(bytes).isEqualTo(payload(CHUNK, 4096, 4096));
        assertThat(bytes.isDirect()).isTrue();
        bytes.release();

        CompletableFuture<Envelope> probe = send(new ChunkRequest.ProbeChunk(CHUNK, V1, READ));
        assertThat(after(probe))
                .isEqualTo(new ChunkReply.Probed(
                        new ChunkRecord(CHUNK, ChunkState.FINALISED, 2L * CELL, 2L * CELL, 6L * CELL, Stamp.NONE),
                        "disk1/finalised/11/17.3.0.data"));
    }

    @Test
    void whoIsOfAnotherMachineLearnsNoPathOfThisOne() {
        open();
        write(5, 0);
        finish(1);
        onThisMachine = false;
        assertThat(after(send(new ChunkRequest.ProbeChunk(CHUNK, V1, READ))))
                .isInstanceOfSatisfying(
                        ChunkReply.Probed.class,
                        probed -> assertThat(probed.file()).isEqualTo("finalised/11/17.3.0.data"));
        assertThat(send(new ChunkRequest.FindLocally(CHUNK, V1, READ)))
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("the caller is of another one");
    }

    // HORRORS 23 (HDDS-7462): a write that finds no chunk is an error and makes none.
    @Test
    void checksumsAloneAreThoseOfTheBytes() {
        open();
        write(5, 0);
        write(5, 1);
        assertRefused(ErrorCode.UNSUPPORTED, send(new ChunkRequest.ReadChecksums(CHUNK, V1, 0, CELL - 1, READ)));
        after(finish(2));

        CompletableFuture<Envelope> all = send(new ChunkRequest.ReadChecksums(CHUNK, V1, 0, 2 * CELL, READ));
        assertThat(after(all)).isEqualTo(new ChunkReply.Checksums(CHUNK, 0, 2 * CELL));
        ByteBuf checksums = all.join().payload();
        ByteBuf whole = payload(CHUNK, 0, 2 * CELL);
        assertThat(checksums).isEqualTo(whole.slice(0, ChunkPayload.checksumBytes(2 * CELL)));
        whole.release();
        checksums.release();

        CompletableFuture<Envelope> some = send(new ChunkRequest.ReadChecksums(CHUNK, V1, 5000, 10, READ));
        assertThat(after(some)).isEqualTo(new ChunkReply.Checksums(CHUNK, 4096, 4096));
        some.join().payload().release();
        assertRefused(
                ErrorCode.INVALID_ARGUMENT, send(new ChunkRequest.ReadChecksums(CHUNK, V1, 0, 2 * CELL + 1, READ)));
        assertRefused(
                ErrorCode.INVALID_ARGUMENT,
                send(new ChunkRequest.ReadChecksums(CHUNK, V1, Policy.MAX_CHUNK_BYTES, 1, READ)));
    }

    @Test
    void aWriteToAChunkThatWasNeverOpenedIsRefused() {
        assertRefused(ErrorCode.CHUNK_MISSING, write(5, 0));
        assertRefused(ErrorCode.CHUNK_MISSING, finish(0));
        assertThat(after(send(new ChunkRequest.AbortChunk(CHUNK, 5)))).isEqualTo(new ChunkReply.Aborted(CHUNK));
        assertRefused(ErrorCode.CHUNK_MISSING, send(new ChunkRequest.ReadChunk(CHUNK, V1, 0, 1, READ)));
        assertRefused(ErrorCode.CHUNK_MISSING, send(new ChunkRequest.ProbeChunk(CHUNK, V1, READ)));
        assertThat(volumes.holding(CHUNK)).isEmpty();
    }

    @Test
    void nothingIsOpenedReadOrProbedWithoutTheRightToken() {
        ChunkId other = id(18, 0);
        assertRefused(ErrorCode.TOKEN_REFUSED, send(new ChunkRequest.OpenChunk(CHUNK, V1, POLICY, 5, READ)));
        assertRefused(ErrorCode.TOKEN_REFUSED, send(new ChunkRequest.OpenChunk(other, V1, POLICY, 5, WRITE)));
        assertRefused(ErrorCode.TOKEN_REFUSED, send(new ChunkRequest.ReadChunk(other, V1, 0, 1, READ)));
        assertRefused(ErrorCode.TOKEN_REFUSED, send(new ChunkRequest.ReadChecksums(other, V1, 0, 1, READ)));
        assertRefused(ErrorCode.TOKEN_REFUSED, send(new ChunkRequest.ProbeChunk(other, V1, READ)));
        assertRefused(ErrorCode.TOKEN_REFUSED, send(new ChunkRequest.FindLocally(other, V1, READ)));
        time.advance(Duration.ofSeconds(500));
        assertRefused(ErrorCode.TOKEN_REFUSED, open());
        assertThat(changes).isEmpty();
    }

    /** Walks all requests, so that a new one cannot forget to ask. */
    @ParameterizedTest
    @MethodSource("readRequests")
    void noRequestShowsAChunkOfAnotherStamp(Class<? extends ChunkRequest> kind) {
        after(send(new ChunkRequest.OpenChunk(CHUNK, V1, POLICY, 5, token(Right.WRITE, 77))));
        after(write(5, 0));
        after(write(5, 1));
        boolean shownWhileWritten = shownToItsOwnStampAlone(kind);
        after(finish(2));
        assertThat(shownToItsOwnStampAlone(kind) || shownWhileWritten).isTrue();
    }

    private boolean shownToItsOwnStampAlone(Class<? extends ChunkRequest> kind) {
        assertRefused(ErrorCode.CHUNK_MISSING, send(request(kind, token(Right.READ, 78))));
        CompletableFuture<Envelope> own = send(request(kind, token(Right.READ, 77)));
        time.advance(Duration.ofSeconds(1));
        assertThat(own).isDone();
        return own.handle((answer, failure) -> {
                    if (answer != null) {
                        answer.release();
                    } // a disk in memory shows no file to anyone, which is another refusal
                    return answer != null || EcfsException.of(failure).code() != ErrorCode.CHUNK_MISSING;
                })
                .join();
    }

    static Stream<Class<?>> readRequests() {
        return Stream.of(ChunkRequest.class.getPermittedSubclasses())
                .filter(kind -> Stream.of(kind.getRecordComponents())
                        .anyMatch(component -> component.getType() == BlockToken.class))
                .filter(kind -> kind != ChunkRequest.OpenChunk.class
                        && kind != ChunkRequest.PutChunk.class
                        && kind != ChunkRequest.BeginRelay.class);
    }

    private static BlockToken token(Right right, int stamp) {
        return BlockTokens.sign(KEY, CHUNK.group(), stamp, right, ManualTime.EPOCH_AT_START + 500_000);
    }

    /** For the first byte of {@link #CHUNK}. */
    private static ChunkRequest request(Class<? extends ChunkRequest> kind, BlockToken token) {
        RecordComponent[] components = kind.getRecordComponents();
        Map<Class<?>, Object> values = Map.of(
                ChunkId.class,
                CHUNK,
                VolumeId.class,
                V1,
                BlockToken.class,
                token,
                long.class,
                0L,
                int.class,
                1,
                boolean.class,
                false);
        try {
            return kind.getDeclaredConstructor(
                            Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
                    .newInstance(Stream.of(components)
                            .map(component -> values.get(component.getType()))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aChunkIsOpenedOnceOnAllVolumesTogether() {
        CompletableFuture<Envelope> first = open();
        CompletableFuture<Envelope> elsewhere = send(new ChunkRequest.OpenChunk(CHUNK, V2, POLICY, 6, WRITE));
        assertRefused(ErrorCode.ALREADY_EXISTS, elsewhere);
        assertThat(after(first)).isEqualTo(new ChunkReply.Opened(CHUNK));
        assertRefused(ErrorCode.ALREADY_EXISTS, send(new ChunkRequest.OpenChunk(CHUNK, V2, POLICY, 6, WRITE)));
        assertRefused(ErrorCode.FENCED, write(6, 0));
        assertThat(after(send(new ChunkRequest.AbortChunk(CHUNK, 5)))).isEqualTo(new ChunkReply.Aborted(CHUNK));
        assertThat(changes).endsWith(new ChunkChange.Gone(V1, CHUNK));
        assertThat(after(send(new ChunkRequest.OpenChunk(CHUNK, V2, POLICY, 6, WRITE))))
                .isEqualTo(new ChunkReply.Opened(CHUNK));
    }

    @Test
    void aFencedWriterIsToldSo() throws IOException {
        after(open());
        after(write(5, 0));
        volumes.require(V1).volume().fence(CHUNK, 9);
        assertRefused(ErrorCode.FENCED, write(5, 1));
        assertRefused(ErrorCode.FENCED, finish(1));
        assertRefused(ErrorCode.FENCED, send(new ChunkRequest.AbortChunk(CHUNK, 5)));
    }

    @Test
    void damagedBytesAreRefusedAndTheirBufferIsReleased() {
        after(open());
        ByteBuf damaged = payload(CHUNK, 0, CELL);
        damaged.setByte(damaged.writerIndex() - 1, damaged.getByte(damaged.writerIndex() - 1) ^ 4);
        assertRefused(ErrorCode.CHUNK_CORRUPT, send(new ChunkRequest.WriteCells(CHUNK, 5, 0, CELL, 0), damaged));
        assertThat(after(write(5, 0))).isEqualTo(written(CELL));
    }

    @Test
    void moreThanTheQueueHoldsIsBusyAndReleased() {
        after(open());
        List<CompletableFuture<Envelope>> writes = new ArrayList<>();
        for (int cell = 0; cell < QUEUE + 4; cell++) {
            writes.add(write(5, cell));
        }
        assertRefused(ErrorCode.BUSY, writes.get(QUEUE));
        assertThat(after(writes.get(QUEUE - 1))).isEqualTo(written((long) QUEUE * CELL));
        assertThat(after(write(5, QUEUE))).isEqualTo(written((QUEUE + 1L) * CELL));
    }

    @Test
    void readsWaitForBuffersAndGiveThemBackWhenTheyFail() {
        after(open());
        for (int cell = 0; cell < 4; cell++) {
            after(write(5, cell));
        }
        List<CompletableFuture<Envelope>> reads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            reads.add(send(new ChunkRequest.ReadChunk(CHUNK, V1, 0, 4 * CELL, READ)));
        }
        reads.add(send(new ChunkRequest.ReadChunk(CHUNK, V1, 1, 4 * CELL, READ)));
        assertRefused(ErrorCode.INVALID_ARGUMENT, send(new ChunkRequest.ReadChunk(CHUNK, V1, 0, 5 * CELL, READ)));
        assertThat(pool.loans()).isEqualTo(1);
        for (CompletableFuture<Envelope> read : reads.subList(0, 5)) {
            assertThat(after(read)).isEqualTo(new ChunkReply.Data(CHUNK, 0, 4 * CELL));
            read.join().release();
        }
        assertRefused(ErrorCode.INVALID_ARGUMENT, reads.get(5));
    }

    @Test
    void aReadThatFindsTheChunkCutShortReportsItCorrupt() throws IOException {
        after(open());
        after(write(5, 0));
        after(finish(1));
        firstDisk.truncate("finalised/11/17.3.0.data", 100);
        assertRefused(ErrorCode.CHUNK_CORRUPT, send(new ChunkRequest.ReadChunk(CHUNK, V1, 0, CELL, READ)));
        assertThat(changes.get(changes.size() - 1))
                .isInstanceOfSatisfying(
                        ChunkChange.Present.class,
                        present -> assertThat(present.record().state()).isEqualTo(ChunkState.CORRUPT));
    }

    @Test
    void aWriteThatFindsAFileOfItsChunkLostReportsTheChunkCorrupt() throws IOException {
        after(open());
        after(write(5, 0));
        firstDisk.delete("writing/11/17.3.0.data");
        assertRefused(ErrorCode.CHUNK_CORRUPT, write(5, 1));
        assertThat(changes.get(changes.size() - 1))
                .isInstanceOfSatisfying(
                        ChunkChange.Present.class,
                        present -> assertThat(present.record().state()).isEqualTo(ChunkState.CORRUPT));
        assertThat(volumes.require(V1).volume().state()).isEqualTo(VolumeState.HEALTHY);
    }

    @Test
    void aBrokenDiskTakesOutItsVolumeOnly() {
        firstDisk.faults((operation, path, number) -> {
            if (operation.mutates()) {
                throw new IOException("Input/output error");
            }
        });
        assertRefused(ErrorCode.VOLUME_FAILED, open());
        assertRefused(ErrorCode.VOLUME_FAILED, open());
        assertThat(after(send(new ChunkRequest.OpenChunk(CHUNK, V2, POLICY, 5, WRITE))))
                .isEqualTo(new ChunkReply.Opened(CHUNK));
    }

    @Test
    void aMessageOfAnotherConversationIsMalformed() {
        assertRefused(ErrorCode.MALFORMED, send(new ChunkReply.Opened(CHUNK)));
    }

    private CompletableFuture<Envelope> put(VolumeId volume, long writer, BlockToken token) {
        return send(
                new ChunkRequest.PutChunk(CHUNK, volume, POLICY, writer, CELL, 3L * CELL, false, token),
                payload(CHUNK, 0, CELL));
    }

    @Test
    void aWholeChunkIsPutWithOneMessageAndReportedOnce() {
        assertThat(after(put(V1, 5, WRITE))).isEqualTo(new ChunkReply.Finished(CHUNK, OptionalInt.of(0)));
        assertThat(changes)
                .extracting(change -> ((ChunkChange.Present) change).record().state())
                .containsExactly(ChunkState.FINALISED);
        CompletableFuture<Envelope> read = send(new ChunkRequest.ReadChunk(CHUNK, V1, 0, CELL, READ));
        assertThat(after(read)).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL));
        read.join().release();
    }

    @Test
    void aRepeatedPutIsAnsweredAgainAndAnothersIsRefused() {
        after(put(V1, 5, WRITE));
        assertThat(after(put(V1, 5, WRITE))).isEqualTo(new ChunkReply.Finished(CHUNK, OptionalInt.of(0)));
        assertThat(after(finish(1))).isEqualTo(new ChunkReply.Finished(CHUNK, OptionalInt.of(0)));
        assertRefused(ErrorCode.ALREADY_EXISTS, put(V1, 6, WRITE));
        assertRefused(ErrorCode.ALREADY_EXISTS, put(V2, 5, WRITE));
        assertRefused(ErrorCode.ALREADY_EXISTS, open());
        assertThat(volumes.all().get(1).volume().find(CHUNK)).isEmpty();
    }

    @Test
    void aPutThatRacesAnOpenOrAPutElsewhereIsRefused() {
        CompletableFuture<Envelope> opened = open();
        CompletableFuture<Envelope> same = put(V1, 5, WRITE);
        CompletableFuture<Envelope> elsewhere = put(V2, 5, WRITE);
        assertThat(after(opened)).isEqualTo(new ChunkReply.Opened(CHUNK));
        assertRefused(ErrorCode.ALREADY_EXISTS, same);
        assertRefused(ErrorCode.ALREADY_EXISTS, elsewhere);
        assertRefused(ErrorCode.ALREADY_EXISTS, put(V1, 5, WRITE));
    }

    @Test
    void aPutNeedsATokenToWriteJustThisGroup() {
        BlockToken other = BlockTokens.sign(KEY, id(18, 0).group(), Stamp.NONE, Right.WRITE, 500_000);
        assertRefused(ErrorCode.TOKEN_REFUSED, put(V1, 5, READ));
        assertRefused(ErrorCode.TOKEN_REFUSED, put(V1, 5, other));
        assertRefused(ErrorCode.NOT_FOUND, put(new VolumeId(9), 5, WRITE));
        assertThat(changes).isEmpty();
    }

    @Test
    void aShutOutWritersPutIsFenced() throws EcfsException {
        after(open());
        volumes.all().get(0).volume().fence(CHUNK, 4);
        assertRefused(ErrorCode.FENCED, put(V1, 5, WRITE));
    }

    @Test
    void aDamagedPutIsRefusedAndNotReported() {
        ByteBuf damaged = payload(CHUNK, 0, CELL);
        damaged.setByte(damaged.writerIndex() - 1, ~damaged.getByte(damaged.writerIndex() - 1));
        assertRefused(
                ErrorCode.CHUNK_CORRUPT,
                send(new ChunkRequest.PutChunk(CHUNK, V1, POLICY, 5, CELL, 3L * CELL, false, WRITE), damaged));
        assertThat(changes).isEmpty();
        assertThat(after(put(V1, 5, WRITE))).isEqualTo(new ChunkReply.Finished(CHUNK, OptionalInt.of(0)));
    }

    @Test
    void aPutThatTheQueueHasNoRoomForIsToldSoAndCanBeRepeated() {
        List<CompletableFuture<Envelope>> reads = new ArrayList<>();
        for (int i = 0; i < QUEUE; i++) {
            reads.add(send(new ChunkRequest.ProbeChunk(id(17, 1), V1, READ)));
        }
        CompletableFuture<Envelope> tooMany = put(V1, 5, WRITE);
        assertRefused(ErrorCode.BUSY, tooMany);
        assertThat(reads).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(after(put(V1, 5, WRITE))).isEqualTo(new ChunkReply.Finished(CHUNK, OptionalInt.of(0)));
    }

    private List<CompletableFuture<Envelope>> together(ChunkRequest.ReadChunk... reads) {
        return service
                .handleAll(
                        SESSION,
                        Arrays.stream(reads)
                                .map(read -> Envelope.of((Message) read))
                                .toList())
                .stream()
                .map(CompletionStage::toCompletableFuture)
                .toList();
    }

    private static ChunkRequest.ReadChunk cell(ChunkId chunk, VolumeId volume, BlockToken token) {
        return new ChunkRequest.ReadChunk(chunk, volume, 0, CELL, token);
    }

    @Test
    void readsOfOneMessageVisitEachVolumeOnceAndABadOneFailsAlone() {
        ChunkId sibling = id(17, 4);
        ChunkId elsewhere = id(17, 1);
        after(put(V1, 5, WRITE));
        after(put(sibling, V1));
        after(put(elsewhere, V2));
        batches = 0;
        List<CompletableFuture<Envelope>> reads = together(
                cell(CHUNK, V1, READ),
                cell(elsewhere, V2, READ),
                cell(id(17, 2), V1, READ),
                cell(sibling, V1, READ),
                cell(
                        CHUNK,
                        V1,
                        BlockTokens.sign(KEY, id(18, 0).group(), Stamp.NONE, Right.READ, READ.expiresAtMillis())),
                new ChunkRequest.ReadChunk(CHUNK, V1, 0, 5 * CELL, READ),
                cell(CHUNK, new VolumeId(9), READ));
        assertThat(after(reads.get(0))).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL));
        assertThat(after(reads.get(1))).isEqualTo(new ChunkReply.Data(elsewhere, 0, CELL));
        assertRefused(ErrorCode.CHUNK_MISSING, reads.get(2));
        assertThat(after(reads.get(3))).isEqualTo(new ChunkReply.Data(sibling, 0, CELL));
        assertRefused(ErrorCode.TOKEN_REFUSED, reads.get(4));
        assertRefused(ErrorCode.INVALID_ARGUMENT, reads.get(5));
        assertRefused(ErrorCode.NOT_FOUND, reads.get(6));
        assertThat(batches).isEqualTo(2);
        for (int good : new int[] {0, 1, 3}) {
            reads.get(good).join().release();
        }
    }

    @Test
    void aReadOfAMessageThatWaitsForItsBufferGoesByItselfLater() {
        after(put(V1, 5, WRITE));
        ByteBuf taken = pool.acquire((int) pool.totalBytes() - 2 * ChunkPayload.payloadBytes(CELL))
                .join();
        batches = 0;
        List<CompletableFuture<Envelope>> reads =
                together(cell(CHUNK, V1, READ), cell(CHUNK, V1, READ), cell(CHUNK, V1, READ));
        for (CompletableFuture<Envelope> read : reads.subList(0, 2)) {
            assertThat(after(read)).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL));
        }
        assertThat(reads.get(2)).isNotDone();
        assertThat(batches).isEqualTo(1);
        taken.release();
        assertThat(after(reads.get(2))).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL));
        assertThat(batches).isEqualTo(2);
        reads.forEach(read -> read.join().release());
    }

    @Test
    void aReadThatIsCalledOffBeforeItBeginsTouchesNoDisk() throws EcfsException {
        after(put(V1, 5, WRITE));
        VolumeQueue queue = volumes.require(V1).queue();
        List<String> touched = new ArrayList<>();
        firstDisk.faults((operation, path, number) -> touched.add(operation + " " + path));
        List<CompletableFuture<Envelope>> reads =
                together(cell(CHUNK, V1, READ), cell(CHUNK, V1, READ), cell(id(17, 2), V1, READ));
        assertThat(queue.queued()).isEqualTo(3);
        assertThat(pool.loans()).isEqualTo(3);
        reads.forEach(read -> assertThat(read.cancel(false)).isTrue());
        assertThat(queue.queued()).isZero();
        assertThat(pool.loans()).isZero();
        time.advance(Duration.ofSeconds(1));
        assertThat(touched).isEmpty();
        assertThat(volumes.bytes().read()).as("what is told as load").isZero();
        CompletableFuture<Envelope> served = send(cell(CHUNK, V1, READ));
        after(served);
        assertThat(volumes.bytes().read()).isEqualTo(CELL);
        served.join().release();
    }

    @Test
    void aReadCancelledWhileItWaitsOrRunsLeavesNothing() throws EcfsException {
        after(put(V1, 5, WRITE));
        VolumeQueue queue = volumes.require(V1).queue();
        ByteBuf taken = pool.acquire((int) pool.totalBytes()).join();
        CompletableFuture<Envelope> waiting = send(cell(CHUNK, V1, READ));
        CompletableFuture<Envelope> behind = send(cell(CHUNK, V1, READ));
        waiting.cancel(false);
        taken.release();
        assertThat(queue.queued()).isEqualTo(1);
        assertThat(after(behind)).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL));
        behind.join().release();

        CompletableFuture<Envelope> running = send(cell(CHUNK, V1, READ));
        firstDisk.faults((operation, path, number) -> {
            running.cancel(false);
            assertThat(pool.loans()).as("its buffer is being filled").isEqualTo(1);
        });
        time.advance(Duration.ofSeconds(1));
        assertThat(running).isCancelled();
        assertThat(queue.queued()).isZero();
        assertThat(pool.loans()).isZero();
    }

    @Test
    void aSpareTakesItsBufferWhenItBeginsAndKeepsNoneFromOthers() throws EcfsException {
        after(put(V1, 5, WRITE));
        after(put(id(17, 4), V1));
        batches = 0;
        ChunkRequest.ReadChunk spare = new ChunkRequest.ReadChunk(CHUNK, V1, 0, CELL, READ, true);
        List<CompletableFuture<Envelope>> reads = together(spare, cell(id(17, 4), V1, READ), spare);
        assertThat(pool.loans()).isEqualTo(1);
        assertThat(batches).isEqualTo(1);
        reads.get(2).cancel(false);
        assertThat(volumes.require(V1).queue().queued()).isEqualTo(2);
        assertThat(after(reads.get(1))).isEqualTo(new ChunkReply.Data(id(17, 4), 0, CELL));
        assertThat(after(reads.get(0))).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL));
        assertThat(batches).isEqualTo(2);
        reads.subList(0, 2).forEach(read -> read.join().release());

        ByteBuf taken = pool.acquire((int) pool.totalBytes()).join();
        assertRefused(ErrorCode.BUSY, send(spare));
        taken.release();
        assertRefused(ErrorCode.CHUNK_MISSING, send(new ChunkRequest.ReadChunk(id(17, 2), V1, 0, CELL, READ, true)));
    }

    private CompletableFuture<Envelope> put(ChunkId chunk, VolumeId volume) {
        return send(
                new ChunkRequest.PutChunk(chunk, volume, POLICY, 5, CELL, 3L * CELL, false, WRITE),
                payload(chunk, 0, CELL));
    }
}
