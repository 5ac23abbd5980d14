package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ReadRange;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of one chunk in one message. */
class NeighbourReadsTest {
    private static final VolumeId V1 = new VolumeId(1);
    private static final ChunkId CHUNK = id(17, 3);
    private static final int WINDOW = ChunkPayload.WINDOW_BYTES;
    private static final int SUB_CHUNK = WINDOW;
    private static final int CELL = 81 * SUB_CHUNK;
    private static final int TAIL = 700;
    private static final int MOST = 1 << 20;
    /** Of the header, the checksums and the bytes; those of a chunk's beginning come with its header. */
    private static final int CALLS_OF_ONE = 3;

    private static final TokenKey KEY =
            new TokenKey(1, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 1_000_000);
    private static final BlockToken READ =
            BlockTokens.sign(KEY, CHUNK.group(), Stamp.NONE, Right.READ, ManualTime.EPOCH_AT_START + 500_000);

    private final ManualTime time = new ManualTime(7);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 16 << 20, new Random(1));
    private BufferPool pool;
    private Volume volume;
    private ChunkService service;
    private int calls;

    @BeforeEach
    void build() throws IOException {
        volume = Chunks.open(disk, new Random(2));
        Chunks.finalised(volume, CHUNK, 2 * CELL + TAIL);
        serve(8 << 20);
    }

    private void serve(int poolBytes) throws EcfsException {
        pool = new BufferPool("reads", poolBytes, true);
        Volumes volumes = new Volumes(
                List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 1000), 1, 1000, time))));
        volumes.number(Map.of(volume.uuid(), V1));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        service = new ChunkService(volumes, tokens, pool, MOST, false, change -> {}, time, Optional.empty());
        disk.faults((operation, path, number) -> count(operation));
    }

    private void count(DiskFaults.Operation operation) {
        calls += operation == DiskFaults.Operation.READ ? 1 : 0;
    }

    @AfterEach
    void everyBufferIsBack() {
        assertThat(pool.loans()).isZero();
        volume.close();
    }

    private static ChunkRequest.ReadChunk read(long offset, int bytes) {
        return new ChunkRequest.ReadChunk(CHUNK, V1, offset, bytes, READ);
    }

    private List<CompletableFuture<Envelope>> send(List<ChunkRequest.ReadChunk> reads) {
        Session session = new Session(new Address("client", 1), "ann", List.of(), "client", "", false);
        List<? extends CompletionStage<Envelope>> answers = service.handleAll(
                session,
                reads.stream()
                        .map(read -> new Envelope(read, Unpooled.EMPTY_BUFFER))
                        .toList());
        return answers.stream().map(CompletionStage::toCompletableFuture).toList();
    }

    private List<CompletableFuture<Envelope>> answers(List<ChunkRequest.ReadChunk> reads) {
        List<CompletableFuture<Envelope>> answers = send(reads);
        time.advance(Duration.ofSeconds(1));
        assertThat(answers).allMatch(CompletableFuture::isDone);
        return answers;
    }

    private static void assertIsWhatWasAskedFor(ChunkRequest.ReadChunk read, CompletableFuture<Envelope> answer) {
        ReadRange range =
                ReadRange.covering(read.offset(), read.bytes(), 2 * CELL + TAIL).orElseThrow();
        Envelope envelope = answer.join();
        assertThat(envelope.head()).isEqualTo(new ChunkReply.Data(CHUNK, range.from(), range.bytes()));
        ByteBuf expected = payload(CHUNK, range.from(), range.bytes());
        assertThat(envelope.payload()).isEqualTo(expected);
        expected.release();
        envelope.release();
    }

    private void assertAnswered(List<ChunkRequest.ReadChunk> reads) {
        List<CompletableFuture<Envelope>> answers = answers(reads);
        for (int i = 0; i < reads.size(); i++) {
            assertIsWhatWasAskedFor(reads.get(i), answers.get(i));
        }
    }

    private static ErrorCode failure(CompletableFuture<Envelope> answer) {
        return EcfsException.of(answer.handle((none, failure) -> failure).join())
                .code();
    }

    /** What the repair of a chunk reads of a source in a cell, here the second. */
    private static List<ChunkRequest.ReadChunk> runs(int lost) {
        ErasureCode clay = ErasureCodes.create(CodeSpec.parse("clay-9-3-11"), Kernels.java());
        RepairPlan plan = (RepairPlan) clay.plan(
                ChunkSet.of(lost), ChunkSet.range(0, clay.spec().chunks()).without(lost));
        List<ChunkRequest.ReadChunk> reads = new ArrayList<>();
        for (SubChunkRange run : plan.reads().get(lost == 5 ? 6 : 5)) {
            reads.add(read(CELL + (long) run.from() * SUB_CHUNK, run.count() * SUB_CHUNK));
        }
        return reads;
    }

    /** Each read by itself takes three calls: up to 81 a cell and source of this code, with cells of 324k. */
    @ParameterizedTest
    @CsvSource({"0, 1, 1", "3, 3, 3", "6, 9, 1", "11, 27, 1"})
    void runsOfACellAreReadInFewAccesses(int lost, int runs, int accesses) {
        List<ChunkRequest.ReadChunk> reads = runs(lost);
        assertThat(reads).hasSize(runs);
        calls = 0;
        assertAnswered(reads);
        assertThat(calls).isEqualTo(accesses * CALLS_OF_ONE);
    }

    @Test
    void anyRangesAreAnsweredWithTheirOwnBytes() {
        Random random = new Random(11);
        for (int round = 0; round < 60; round++) {
            List<ChunkRequest.ReadChunk> reads = new ArrayList<>();
            int most = random.nextBoolean() ? 100 : 2 * CELL;
            int begin = random.nextInt(2 * CELL);
            for (int i = 1 + random.nextInt(12); i > 0; i--) {
                int offset = Math.min(2 * CELL + TAIL - 1, begin + random.nextInt(60 * WINDOW));
                reads.add(read(offset, 1 + random.nextInt(Math.min(most, 2 * CELL + TAIL - offset))));
            }
            assertAnswered(reads);
            assertThat(pool.loans()).isZero();
        }
    }

    /** What is between ranges is nobody's business: it is neither verified nor sent. */
    @Test
    void aCorruptWindowFailsTheReadsOfItAlone() throws IOException {
        List<ChunkRequest.ReadChunk> reads = List.of(read(0, WINDOW), read(2 * WINDOW, 10), read(5 * WINDOW, WINDOW));
        String data = volume.dataFile(CHUNK, false).orElseThrow();
        disk.flipBit(data, WINDOW + 5, 3);
        assertAnswered(reads);
        disk.flipBit(data, 2 * WINDOW + 5, 3);
        List<CompletableFuture<Envelope>> answers = answers(reads);
        assertIsWhatWasAskedFor(reads.get(0), answers.get(0));
        assertThat(ChunkPayload.firstMismatch(answers.get(1).join().payload(), WINDOW))
                .hasValue(0);
        answers.get(1).join().release();
        assertIsWhatWasAskedFor(reads.get(2), answers.get(2));
    }

    @Test
    void aSectorBetweenRangesThatCannotBeReadFailsNoneAndCondemnsNothing() {
        String data = volume.dataFile(CHUNK, false).orElseThrow();
        boolean[] failed = {false};
        disk.faults((operation, path, number) -> {
            count(operation);
            if (operation == DiskFaults.Operation.READ && path.equals(data) && !failed[0]) {
                failed[0] = true; // the first is that of the span
                throw new UnreadableFileException(path, "Input/output error");
            }
        });
        calls = 0;
        assertAnswered(List.of(read(CELL, 10), read(CELL + 2 * WINDOW, 10), read(CELL + 4 * WINDOW, 10)));
        assertThat(calls).isEqualTo(4 * CALLS_OF_ONE);
        assertThat(volume.find(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.FINALISED);
    }

    @Test
    void aReadPastTheEndFailsAlone() {
        List<ChunkRequest.ReadChunk> reads = List.of(read(2 * CELL, TAIL), read(2 * CELL, TAIL + 1));
        List<CompletableFuture<Envelope>> answers = answers(reads);
        assertIsWhatWasAskedFor(reads.get(0), answers.get(0));
        assertThat(failure(answers.get(1))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void withoutABufferForAllEachIsReadByItself() throws IOException {
        List<ChunkRequest.ReadChunk> reads = List.of(read(WINDOW, WINDOW), read(3 * WINDOW, WINDOW));
        serve(2 * ChunkPayload.payloadBytes(WINDOW) + 100);
        calls = 0;
        assertAnswered(reads);
        assertThat(calls).isEqualTo(2 * CALLS_OF_ONE);
    }

    /** One of them waits until the others are answered. */
    @Test
    void aReadThatWaitsForItsBufferHoldsNobodyUp() throws IOException {
        List<ChunkRequest.ReadChunk> reads =
                List.of(read(0, WINDOW), read(3 * WINDOW, WINDOW), read(5 * WINDOW, WINDOW));
        serve(2 * ChunkPayload.payloadBytes(WINDOW));
        List<CompletableFuture<Envelope>> answers = send(reads);
        time.advance(Duration.ofSeconds(1));
        assertIsWhatWasAskedFor(reads.get(0), answers.get(0));
        time.advance(Duration.ofSeconds(1));
        assertIsWhatWasAskedFor(reads.get(1), answers.get(1));
        assertIsWhatWasAskedFor(reads.get(2), answers.get(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatIsCalledOffIsNotReadAndLeavesNoBuffer(int left) {
        List<ChunkRequest.ReadChunk> reads =
                List.of(read(WINDOW, WINDOW), read(3 * WINDOW, WINDOW), read(5 * WINDOW, WINDOW));
        List<CompletableFuture<Envelope>> answers = send(reads);
        calls = 0;
        for (int i = left; i < reads.size(); i++) {
            answers.get(i).cancel(false);
        }
        time.advance(Duration.ofSeconds(1));
        for (int i = 0; i < left; i++) {
            assertIsWhatWasAskedFor(reads.get(i), answers.get(i));
        }
        assertThat(calls).isEqualTo(left == 0 ? 0 : CALLS_OF_ONE);
        assertThat(pool.loans()).isZero();
    }
}
