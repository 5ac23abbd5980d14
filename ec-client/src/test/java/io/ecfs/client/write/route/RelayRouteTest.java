package io.ecfs.client.write.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.EncodingSide;
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
import io.ecfs.message.chunk.RelayTimes;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.StripeCell;
import io.ecfs.stripe.write.StripeRoute;
import io.ecfs.stripe.write.WriteToken;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayRouteTest {
    private static final Policy POLICY = Policy.parse("rs-2-1-4k");
    private static final int CELL = POLICY.cellBytes();
    private static final int PARITY = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long WRITER = 5;

    private record Asked(ChunkRequest request, CompletableFuture<Envelope> answer) {
        private void well(ChunkReply reply) {
            answer.complete(Envelope.of(reply));
        }

        private void refuse(ErrorCode code) {
            answer.completeExceptionally(new EcfsException(code, "refused"));
        }
    }

    private record Encoding(Callable<?> work, CompletableFuture<Object> result) {
        private void run() throws Exception {
            result.complete(work.call());
        }
    }

    private final ManualTime time = new ManualTime(1);
    private final Scheduler owner = time.scheduler("owner");
    private final BufferPool pool = new BufferPool("cells", Long.MAX_VALUE);
    private final List<Stripe> stripes = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();
    private final List<Encoding> encodings = new ArrayList<>();
    private final StripeRoutes routes = new StripeRoutes(
            new RelayRoute.Services(new ChunkClient(new Network(), Duration.ofMinutes(5)), new Encoders(), time),
            new Codes(Kernels.java()),
            Optional.of(datanode(0)));

    private final class Network implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            payload.release();
            Asked call = new Asked((ChunkRequest) request, new CompletableFuture<>());
            asked.add(call);
            return call.answer;
        }

        @Override
        public void close() {}
    }

    private final class Encoders implements Workers {
        @Override
        @SuppressWarnings("unchecked")
        public <T> CompletableFuture<T> submit(Callable<T> work) {
            CompletableFuture<T> result = new CompletableFuture<>();
            encodings.add(new Encoding(work, (CompletableFuture<Object>) result));
            return result;
        }

        @Override
        public int queued() {
            return 0;
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void nothingLeaks() {
        stripes.forEach(Stripe::close);
        assertThat(pool.loans()).isZero();
    }

    private static DatanodeId datanode(int index) {
        return new DatanodeId("dn" + index);
    }

    private static ChunkLocation chunk(GroupId group, int index) {
        return new ChunkLocation(
                new ChunkId(group, index, 0),
                new VolumeId(index + 1),
                datanode(index),
                new Address("dn" + index, 1),
                "/rack",
                ChunkLocation.State.LIVE);
    }

    /** A route through the datanode of chunk 0, begun. */
    private StripeRoute route(long number) {
        GroupId group = new GroupId(number);
        BlockToken token = new BlockToken(group, 0, BlockToken.Right.WRITE, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        List<ChunkLocation> chunks =
                IntStream.range(0, 3).mapToObj(index -> chunk(group, index)).toList();
        RelayToken relay = new RelayToken(group, 0, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        LocatedGroup located = new LocatedGroup(group, POLICY, LocatedGroup.OPEN, chunks, token, Optional.of(relay));
        StripeRoute route = routes.of(
                EncodingSide.MASTER,
                located,
                WRITER,
                new WriteToken(located, time),
                owner::execute,
                Set.of(),
                () -> {});
        CompletableFuture<Void> begun = route.begin();
        take(ChunkRequest.BeginRelay.class).well(new ChunkReply.RelayBegun(new ChunkId(group, 0, 0)));
        settle();
        assertThat(begun).isCompleted();
        return route;
    }

    /** The oldest call of this kind that was not taken. */
    private Asked take(Class<? extends ChunkRequest> kind) {
        Asked first = asked.stream()
                .filter(call -> kind.isInstance(call.request))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " was sent, but " + asked));
        asked.remove(first);
        return first;
    }

    private void settle() {
        time.advance(Duration.ofMillis(1));
    }

    private CompletableFuture<? extends ChunkReply> parity(StripeRoute route, long group, int stripe)
            throws IOException {
        Stripe whole = new Stripe(POLICY, pool, () -> {});
        whole.fill(ByteBuffer.allocate((int) POLICY.stripeBytes()));
        whole.seal();
        stripes.add(whole);
        return route.write(new StripeCell(chunk(new GroupId(group), PARITY), whole, (long) stripe * CELL, CELL, 0));
    }

    private static ChunkReply.Relayed relayed(Asked cell) {
        return new ChunkReply.Relayed(cell.request.chunk(), CELL, new RelayTimes(1, 1, 1, 1));
    }

    @Test
    void aMasterThatAnswersOtherWritersIsBusyAndNotSilent() throws IOException {
        StripeRoute waits = route(7);
        StripeRoute other = route(8);
        parity(waits, 7, 0);
        take(ChunkRequest.RelayCell.class);
        for (int i = 0; i < 5; i++) {
            time.advance(PATIENCE.minusSeconds(1));
            parity(other, 8, 0);
            Asked cell = take(ChunkRequest.RelayCell.class);
            cell.well(relayed(cell));
            settle();
            waits.giveUpSilent(PATIENCE);
            assertThat(waits.relays())
                    .as("after %d answers to the other", i + 1)
                    .isTrue();
        }
        time.advance(PATIENCE);
        waits.giveUpSilent(PATIENCE);
        assertThat(waits.relays()).as("it answers nobody").isFalse();
    }

    /** Calls that writers give up are no signs of life. */
    @Test
    void writersThatGiveUpAMasterDoNotMakeOthersWaitForIt() throws IOException {
        StripeRoute first = route(7);
        StripeRoute second = route(8);
        parity(first, 7, 0);
        parity(second, 8, 0);
        time.advance(PATIENCE);
        first.giveUpSilent(PATIENCE);
        settle();
        second.giveUpSilent(PATIENCE);
        assertThat(List.of(first.relays(), second.relays())).containsOnly(false);
    }

    @Test
    void aMasterIsNotSilentWhenOnlyACellIsMissingThatWasGivenUp() throws IOException {
        StripeRoute route = route(7);
        CompletableFuture<? extends ChunkReply> cell = parity(route, 7, 0);
        cell.cancel(false); // its datanode answered nothing while the others did
        time.advance(PATIENCE.multipliedBy(2));
        route.giveUpSilent(PATIENCE);
        assertThat(route.relays()).isTrue();
    }

    @Test
    void aCellThatWasRefusedIsProbedAgainWhenTheOneBehindItCannotBeEncoded() throws Exception {
        StripeRoute route = route(7);
        CompletableFuture<? extends ChunkReply> first = parity(route, 7, 0);
        CompletableFuture<? extends ChunkReply> second = parity(route, 7, 1);
        take(ChunkRequest.RelayCell.class).refuse(ErrorCode.CONNECTION_LOST);
        take(ChunkRequest.RelayCell.class).refuse(ErrorCode.CONNECTION_LOST);
        settle();
        probed(0);
        encodings.get(0).run();
        settle();
        take(ChunkRequest.WriteCells.class).refuse(ErrorCode.INVALID_ARGUMENT); // the master's came first
        settle();
        encodings.get(1).result.completeExceptionally(new EcfsException(ErrorCode.BUSY, "no worker"));
        settle();
        assertThat(second).isCompletedExceptionally();
        probed(CELL);
        assertThat(first).isCompleted();
    }

    private void probed(long bytes) {
        ChunkId chunk = new ChunkId(new GroupId(7), PARITY, 0);
        take(ChunkRequest.ProbeChunk.class)
                .well(new ChunkReply.Probed(new ChunkRecord(chunk, ChunkState.BEING_WRITTEN, bytes, bytes, -1, 0), ""));
        settle();
    }
}
