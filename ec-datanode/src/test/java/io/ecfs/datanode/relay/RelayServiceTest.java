package io.ecfs.datanode.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayServiceTest {
    private static final Policy POLICY = Policy.parse("rs-2-1-4k");
    private static final int CELL = POLICY.cellBytes();
    private static final GroupId GROUP = new GroupId(7);
    private static final long STRIPE_MEMORY = 3L * ChunkPayload.payloadBytes(CELL);

    private final ManualTime time = new ManualTime(1);
    private RelayService relays = new RelayService(
            "dn0",
            (target, write, payload) -> write(write, payload),
            new Codes(Kernels.java()),
            time.environment(),
            new RelaySettings(2 * STRIPE_MEMORY, 2, Duration.ofSeconds(8), Duration.ofSeconds(5), 1));
    private final List<CompletableFuture<ChunkReply.Written>> writes = new ArrayList<>();
    private final List<ByteBuf> sent = new ArrayList<>();

    @AfterEach
    void nothingLeaks() {
        sent.forEach(payload -> assertThat(payload.refCnt()).isZero());
        assertThat(relays.loans()).isZero();
        assertThat(relays.totals().bytes()).isZero();
    }

    private void begin(GroupId group, long writer) {
        List<RelayTarget> targets = IntStream.range(0, 3)
                .mapToObj(index -> new RelayTarget(new ChunkId(group, index, 0), new Address("dn" + index, 1)))
                .toList();
        byte[] signature = new byte[BlockToken.SIGNATURE_BYTES];
        CompletableFuture<ChunkReply.RelayBegun> begun = relays.begin(new ChunkRequest.BeginRelay(
                new ChunkId(group, 0, 0),
                POLICY,
                writer,
                targets,
                new RelayToken(group, 0, 1, 1, signature),
                new BlockToken(group, 0, BlockToken.Right.WRITE, 1, 1, signature)));
        time.until(begun::isDone, Duration.ofSeconds(1));
        assertThat(begun).isCompleted();
    }

    private CompletableFuture<ChunkReply.Relayed> cell(int index, long offset) {
        return cell(index, offset, CELL, CELL);
    }

    private CompletableFuture<ChunkReply.Relayed> cell(int index, long offset, int bytes, int carried) {
        ByteBuf payload = Unpooled.EMPTY_BUFFER;
        if (index < 2) {
            payload = Unpooled.directBuffer(ChunkPayload.payloadBytes(carried));
            payload.writeZero(ChunkPayload.payloadBytes(carried));
            ChunkPayload.seal(payload, carried);
            sent.add(payload);
        }
        ByteBuf own = payload;
        ChunkRequest.RelayCell cell =
                new ChunkRequest.RelayCell(new ChunkId(GROUP, index, 0), 5, offset, bytes, 0, true, Optional.empty());
        return relays.take(cell, payload, (target, write, given) -> write(write, given))
                .whenComplete((relayed, failure) -> own.release());
    }

    private CompletableFuture<ChunkReply.Written> write(ChunkRequest.WriteCells write, ByteBuf payload) {
        payload.release();
        CompletableFuture<ChunkReply.Written> written = new CompletableFuture<>();
        writes.add(written);
        return written.thenApply(ok -> new ChunkReply.Written(write.chunk(), write.offset() + write.bytes()));
    }

    private void answerAll() {
        time.advance(Duration.ofMillis(1));
        List.copyOf(writes).forEach(write -> write.complete(null));
        time.advance(Duration.ofMillis(1));
    }

    private static ErrorCode code(CompletableFuture<?> failed) {
        assertThat(failed).isCompletedExceptionally();
        return EcfsException.of(failed.handle((ok, why) -> why).join()).code();
    }

    @Test
    void noCellIsAnsweredBeforeItsDatanodeHasAnswered() throws EcfsException {
        begin(GROUP, 5);
        List<CompletableFuture<ChunkReply.Relayed>> answers = List.of(cell(0, 0), cell(2, 0), cell(1, 0));
        time.advance(Duration.ofSeconds(1));
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        assertThat(relays.totals().bytes()).isEqualTo(STRIPE_MEMORY);
        answerAll();
        answerAll();
        assertThat(answers).allMatch(answer -> answer.join().length() == CELL);
    }

    @Test
    void aCellThatComesTwiceIsRefusedAndCountsOnce() throws EcfsException {
        begin(GROUP, 5);
        CompletableFuture<ChunkReply.Relayed> first = cell(0, 0);
        CompletableFuture<ChunkReply.Relayed> parity = cell(2, 0);
        assertThat(code(cell(2, 0))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(cell(0, 0))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(cell(0, 0))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(relays.totals().bytes()).as("of a stripe that is not over").isEqualTo(STRIPE_MEMORY);
        List<CompletableFuture<ChunkReply.Relayed>> rest = List.of(cell(1, 0), parity);
        answerAll();
        answerAll();
        assertThat(first).isCompleted();
        assertThat(rest).allMatch(answer -> answer.join().length() == CELL);
    }

    @Test
    void parityOfADamagedCellIsRefusedThoughItComesLater() throws EcfsException {
        begin(GROUP, 5);
        List<CompletableFuture<ChunkReply.Relayed>> data = List.of(cell(0, 0), cell(1, 0));
        sent.get(1).setByte(ChunkPayload.payloadBytes(CELL) - 1, 1);
        answerAll();
        assertThat(data).as("their own datanodes verify them").allMatch(CompletableFuture::isDone);
        assertThat(relays.totals().bytes()).isEqualTo(STRIPE_MEMORY);
        assertThat(code(cell(2, 0))).isEqualTo(ErrorCode.CHUNK_CORRUPT);
    }

    @Test
    void aStripeThatIsNotCompletedIsDroppedThoughOthersGoOn() throws EcfsException {
        begin(GROUP, 5);
        CompletableFuture<ChunkReply.Relayed> lonely = cell(0, 0);
        for (int second = 0; second < 9; second++) {
            time.advance(Duration.ofSeconds(1));
            List<CompletableFuture<ChunkReply.Relayed>> other = IntStream.range(0, 3)
                    .mapToObj(index -> cell(index, 4L * CELL))
                    .toList();
            answerAll();
            answerAll();
            assertThat(other).allMatch(CompletableFuture::isDone);
        }
        time.advance(Duration.ofSeconds(3));
        assertThat(lonely).as("its own datanode has it").isCompleted();
        assertThat(code(cell(2, 0))).as("but the stripe is over").isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void withoutMemoryAStripeAndAllBehindItAreRefused() throws EcfsException {
        begin(GROUP, 5);
        cell(0, 0);
        cell(0, CELL);
        assertThat(code(cell(0, 2L * CELL))).isEqualTo(ErrorCode.BUSY);
        for (long offset : List.of(0L, (long) CELL)) {
            cell(1, offset);
            cell(2, offset);
        }
        answerAll();
        answerAll();
        assertThat(relays.totals().bytes()).isZero();
        assertThat(code(cell(0, 3L * CELL))).as("one may not be skipped").isEqualTo(ErrorCode.BUSY);
        begin(GROUP, 5);
        List<CompletableFuture<ChunkReply.Relayed>> anew = List.of(cell(0, 0), cell(1, 0), cell(2, 0));
        answerAll();
        answerAll();
        assertThat(anew).allMatch(answer -> answer.join().length() == CELL);
    }

    @Test
    void cellsThatNoGroupHasAreRefusedAndTakeNothing() throws EcfsException {
        begin(GROUP, 5);
        assertThat(code(cell(0, (1L << 61) - CELL))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(cell(0, Long.MAX_VALUE / CELL * CELL))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(cell(0, 0, CELL - 1, CELL - 1))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(cell(0, 0, CELL, 100))).as("less than it says").isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(cell(5, 0))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void aRelayBegunAnewFailsTheOldStripesAndGivesTheirMemoryBack() throws EcfsException {
        begin(GROUP, 5);
        CompletableFuture<ChunkReply.Relayed> data = cell(0, 0);
        CompletableFuture<ChunkReply.Relayed> parity = cell(2, 0);
        begin(GROUP, 5);
        assertThat(code(parity)).isEqualTo(ErrorCode.CHUNK_MISSING);
        assertThat(relays.totals().bytes())
                .as("until the data cell is answered")
                .isEqualTo(STRIPE_MEMORY);
        answerAll();
        assertThat(data).isCompleted();
    }

    @Test
    void aRelayTakesABoundedNumberOfStripesAndSaysWhyItTakesNoMore() {
        RelayService roomy = new RelayService(
                "dn1",
                (target, write, payload) -> write(write, payload),
                new Codes(Kernels.java()),
                time.environment(),
                new RelaySettings(1L << 30, 2, Duration.ofSeconds(8), Duration.ofSeconds(5), 1));
        relays.close();
        relays = roomy;
        begin(GROUP, 5);
        List<CompletableFuture<ChunkReply.Relayed>> cells = IntStream.range(0, Relay.MOST_STRIPES)
                .mapToObj(stripe -> cell(2, (long) stripe * CELL))
                .toList();
        assertThat(cells).noneMatch(CompletableFuture::isDone);
        for (int i = 0; i < 2; i++) {
            assertThat(cell(2, (long) (Relay.MOST_STRIPES + i) * CELL))
                    .failsWithin(Duration.ZERO)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining(Relay.MOST_STRIPES + " stripes")
                    .withMessageContaining("write directly");
        }
        time.advance(Duration.ofSeconds(20));
        assertThat(cells).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void theLeastRecentlyUsedRelayGivesWayUnlessItIsInUse() throws EcfsException {
        begin(GROUP, 5);
        CompletableFuture<ChunkReply.Relayed> used = cell(0, 0);
        begin(new GroupId(8), 5);
        begin(new GroupId(9), 5);
        assertThat(relays.totals().relays()).isEqualTo(2);
        cell(1, 0);
        cell(2, 0);
        answerAll();
        answerAll();
        assertThat(used).isCompleted();
    }
}
