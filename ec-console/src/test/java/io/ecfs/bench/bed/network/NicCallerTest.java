package io.ecfs.bench.bed.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.plan.write.Network;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One machine that calls another over 1 Gb/s with 20 us one way. */
class NicCallerTest {
    private static final Address PEER = new Address("peer", 1);
    private static final Message REQUEST = new VolumeLoad.Ask(new VolumeId(1));
    private static final BlockToken TOKEN =
            new BlockToken(new GroupId(1), 0, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int BYTES = 32_768;
    private static final int HEAD = 160;
    private static final long WAY = 8 * (BYTES + HEAD) + 20_000;
    private static final long WAY_OF_HEAD = 8 * HEAD + 20_000;

    private final ManualTime time = new ManualTime(1);
    private final LimitedNetwork network = new LimitedNetwork(time, 2, () -> {});
    private final Peer peer = new Peer();
    private final Caller caller = new NicCaller(peer, network, network.machine(new Address("own", 1)), time);

    /** What reached the real caller. */
    private static final class Peer implements Caller {
        private record Call(Message request, ByteBuf payload, Duration timeout, CompletableFuture<Envelope> answer) {}

        private final List<Call> calls = new ArrayList<>();
        private boolean closed;

        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            CompletableFuture<Envelope> answer = new CompletableFuture<>();
            calls.add(new Call(request, payload, timeout, answer));
            return answer;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private NicCallerTest limited() {
        network.limit(Network.ofGigabits(1, 20_000));
        return this;
    }

    private void pass(long nanos) {
        time.advance(Duration.ofNanos(nanos));
        network.deliver(late -> {});
    }

    private static ByteBuf payload() {
        return Unpooled.buffer(BYTES).writeZero(BYTES);
    }

    @Test
    void aRequestIsMadeWhenItsBytesHavePassed() {
        ByteBuf payload = payload();
        limited().caller.call(PEER, REQUEST, payload, PATIENCE);
        pass(WAY - 1);
        assertThat(peer.calls).isEmpty();
        pass(1);
        assertThat(peer.calls).singleElement().satisfies(call -> {
            assertThat(call.request()).isEqualTo(REQUEST);
            assertThat(call.payload()).isSameAs(payload);
            assertThat(call.timeout()).isEqualTo(PATIENCE.minusNanos(WAY));
        });
        assertThat(payload.refCnt()).as("the real caller's now").isOne();
    }

    @Test
    void anAnswerIsGivenWhenItsBytesHavePassed() {
        CompletableFuture<Envelope> result = limited().caller.call(PEER, REQUEST, PATIENCE);
        pass(WAY_OF_HEAD);
        Envelope answer = new Envelope(REQUEST, payload());
        peer.calls.get(0).answer().complete(answer);
        pass(WAY - 1);
        assertThat(result).isNotDone();
        pass(1);
        assertThat(result).isCompletedWithValue(answer);
        assertThat(answer.payload().refCnt()).isOne();
    }

    @Test
    void aFailureComesBackAsItWas() {
        CompletableFuture<Envelope> result = limited().caller.call(PEER, REQUEST, PATIENCE);
        pass(WAY_OF_HEAD);
        EcfsException reason = new EcfsException(ErrorCode.BUSY, "no");
        peer.calls.get(0).answer().completeExceptionally(reason);
        assertThat(result).isNotDone();
        pass(WAY_OF_HEAD);
        assertThat(result.handle((answer, failure) -> failure).join()).isSameAs(reason);
    }

    @Test
    void requestsOfOneThreadKeepTheirOrder() {
        limited();
        List<VolumeLoad.Ask> asked = IntStream.range(1, 20)
                .mapToObj(i -> new VolumeLoad.Ask(new VolumeId(i)))
                .toList();
        asked.forEach(one ->
                caller.call(PEER, one, one.volume().value() % 3 == 0 ? payload() : Unpooled.EMPTY_BUFFER, PATIENCE));
        pass(20 * WAY);
        assertThat(peer.calls.stream().map(Peer.Call::request)).isEqualTo(asked);
    }

    @Test
    void aRequestThatIsCancelledOnItsWayIsNotMade() {
        ByteBuf payload = payload();
        limited().caller.call(PEER, REQUEST, payload, PATIENCE).cancel(false);
        pass(WAY);
        assertThat(peer.calls).isEmpty();
        assertThat(payload.refCnt()).isZero();
    }

    @Test
    void aCancelReachesTheCallAndALateAnswerIsReleased() {
        CompletableFuture<Envelope> result = limited().caller.call(PEER, REQUEST, PATIENCE);
        pass(WAY_OF_HEAD);
        Envelope answer = new Envelope(REQUEST, payload());
        peer.calls.get(0).answer().complete(answer);
        result.cancel(false);
        pass(WAY);
        assertThat(answer.payload().refCnt()).isZero();

        CompletableFuture<Envelope> other = caller.call(PEER, REQUEST, PATIENCE);
        pass(WAY_OF_HEAD);
        other.cancel(false);
        assertThat(peer.calls.get(1).answer()).isCancelled();
    }

    @Test
    void aRequestThatIsTooLateFailsUnsent() {
        ByteBuf payload = payload();
        CompletableFuture<Envelope> result = limited().caller.call(PEER, REQUEST, payload, Duration.ofNanos(WAY / 2));
        pass(WAY);
        assertThat(peer.calls).isEmpty();
        assertThat(payload.refCnt()).isZero();
        assertThat(result.handle((answer, failure) -> EcfsException.of(failure).code())
                        .join())
                .isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void severalReadsGoInOneMessageAndAreAnsweredOneByOne() {
        List<ChunkRequest.ReadChunk> reads = IntStream.range(0, 3)
                .mapToObj(i ->
                        new ChunkRequest.ReadChunk(new ChunkId(TOKEN.group(), i, 0), new VolumeId(1), 0, 4096, TOKEN))
                .toList();
        List<CompletableFuture<Envelope>> results = limited().caller.callAll(PEER, reads, PATIENCE);
        pass(8 * 3 * HEAD + 20_000);
        assertThat(peer.calls.stream().map(Peer.Call::request)).isEqualTo(reads);
        peer.calls.get(1).answer().complete(Envelope.of(REQUEST));
        pass(WAY_OF_HEAD);
        assertThat(results.get(0)).isNotDone();
        assertThat(results.get(1)).isDone();
    }

    @Test
    void closesTheRealCaller() {
        caller.close();
        assertThat(peer.closed).isTrue();
    }
}
