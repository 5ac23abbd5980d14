package io.ecfs.client.write.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.StripeCell;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cells of a parity chunk, call by call. */
class ChunkLaneTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final int CELL = POLICY.cellBytes();
    private static final int PARITY = 3;
    private static final ChunkLocation CHUNK = new ChunkLocation(
            new ChunkId(new GroupId(7), PARITY, 0),
            new VolumeId(1),
            new DatanodeId("dn3"),
            new Address("dn3", 1),
            "/rack",
            ChunkLocation.State.LIVE);

    private record Call(Message request, CompletableFuture<Envelope> answer) {}

    /** Answers nothing by itself. */
    private final List<Call> calls = new ArrayList<>();

    private final Caller datanode = new Caller() {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            payload.release();
            calls.add(new Call(request, new CompletableFuture<>()));
            return calls.get(calls.size() - 1).answer();
        }

        @Override
        public void close() {}
    };

    private final ManualTime time = new ManualTime(1);
    private final BufferPool pool = new BufferPool("cells", 1 << 20);
    private final List<Stripe> stripes = new ArrayList<>();
    private final ErasureCode code = new Codes(Kernels.java()).of(POLICY.code());
    private final BlockToken token = new BlockToken(
            CHUNK.chunk().group(), 0, BlockToken.Right.WRITE, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
    private final DirectCalls direct = new DirectCalls(
            new ChunkClient(datanode, Duration.ofSeconds(9)),
            time.workers("codecs", 1, 10),
            code,
            POLICY.dataChunks(),
            5,
            () -> token,
            Runnable::run);
    private final ChunkLane lane = new ChunkLane(CHUNK, LaneState.RELAYED, direct);

    @AfterEach
    void nothingIsLeftOver() {
        stripes.forEach(Stripe::close);
        assertThat(pool.loans()).isZero();
    }

    private StripeCell cell(int number) throws IOException {
        Stripe stripe = new Stripe(POLICY, pool, () -> {});
        stripe.fill(ByteBuffer.allocate((int) POLICY.stripeBytes()));
        stripe.seal(code);
        stripes.add(stripe);
        return new StripeCell(CHUNK, stripe, (long) number * CELL, CELL, 0);
    }

    /** Answers the call with this number, which must be a probe. */
    private void probed(int call, ChunkState state, long bytes) {
        assertThat(calls.get(call).request()).isInstanceOf(ChunkRequest.ProbeChunk.class);
        long groupLength = state == ChunkState.FINALISED ? POLICY.dataChunks() * bytes : -1;
        ChunkRecord record = new ChunkRecord(CHUNK.chunk(), state, bytes, bytes, groupLength, 0);
        calls.get(call).answer().complete(Envelope.of(new ChunkReply.Probed(record, "")));
    }

    private static EcfsException refusal() {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, "another length");
    }

    private ChunkRequest.WriteCells writeOf(int call) {
        return (ChunkRequest.WriteCells) calls.get(call).request();
    }

    private void written(int call) {
        long end = writeOf(call).offset() + CELL;
        calls.get(call).answer().complete(Envelope.of(new ChunkReply.Written(CHUNK.chunk(), end)));
    }

    @Test
    void whatTheMasterWroteIsAcknowledgedAndTheRestIsSentAgain() throws IOException {
        LaneCell first = lane.relay(cell(0));
        LaneCell second = lane.relay(cell(1));
        lane.relayFailed();
        lane.becomeDirect();
        assertThat(calls).as("while a call is under way").isEmpty();
        lane.relayFailed();
        CompletableFuture<ChunkReply> third = lane.write(cell(2));
        probed(0, ChunkState.BEING_WRITTEN, CELL);
        assertThat(first.answer()).isCompletedWithValue(new ChunkReply.Written(CHUNK.chunk(), CELL));
        assertThat(List.of(writeOf(1).offset(), writeOf(2).offset())).containsExactly((long) CELL, 2L * CELL);
        written(1);
        written(2);
        assertThat(second.answer()).isCompleted();
        assertThat(third).isCompleted();
        assertThat(lane.holdsCells()).isFalse();
    }

    @Test
    void aCellThatTheMasterWroteMeanwhileIsFoundByAnotherProbe() throws IOException {
        LaneCell one = lane.relay(cell(0));
        lane.becomeDirect();
        lane.relayFailed();
        probed(0, ChunkState.BEING_WRITTEN, 0);
        calls.get(1).answer().completeExceptionally(refusal());
        assertThat(lane.holdsCells()).isTrue();
        probed(2, ChunkState.BEING_WRITTEN, CELL);
        assertThat(one.answer()).isCompleted();
        assertThat(lane.holdsCells()).isFalse();
    }

    @Test
    void aChunkThatRefusesForEverFails() throws IOException {
        LaneCell one = lane.relay(cell(0));
        lane.becomeDirect();
        lane.relayFailed();
        for (int call = 0; !one.answer().isDone(); call += 2) {
            probed(call, ChunkState.BEING_WRITTEN, 0);
            calls.get(call + 1).answer().completeExceptionally(refusal());
        }
        assertThat(one.answer()).isCompletedExceptionally();
        assertThat(calls).hasSize(2 * 16);
    }

    @Test
    void aChunkThatAnotherPublishedIsFenced() throws IOException {
        LaneCell one = lane.relay(cell(0));
        lane.becomeDirect();
        lane.relayFailed();
        probed(0, ChunkState.FINALISED, CELL);
        assertThat(one.answer())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .satisfies(
                        failure -> assertThat(EcfsException.of(failure).code()).isEqualTo(ErrorCode.FENCED));
    }

    @Test
    void aRelayedCellIsNotCalledOffWithItsChunkAndADirectOneIs() throws IOException {
        LaneCell one = lane.relay(cell(0));
        one.answer().cancel(false);
        lane.becomeDirect();
        lane.relayFailed();
        assertThat(calls).as("nothing waits for a probe").isEmpty();
        CompletableFuture<ChunkReply> other = lane.write(cell(1));
        probed(0, ChunkState.BEING_WRITTEN, CELL);
        other.cancel(false);
        assertThat(calls.get(1).answer()).isCancelled();
        assertThat(lane.holdsCells()).isFalse();
    }
}
