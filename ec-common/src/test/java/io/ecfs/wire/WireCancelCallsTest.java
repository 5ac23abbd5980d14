package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.options;
import static io.ecfs.wire.WireFixture.result;
import static io.ecfs.wire.WireFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.Metering;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.frame.FrameHeader;
import io.ecfs.wire.server.WireServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that nobody waits for any more. */
@Timeout(300)
class WireCancelCallsTest {
    private static final int KIB = 1024;
    private static final BlockToken TOKEN = new BlockToken(
            new GroupId(17), Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);

    private final Map<Long, CompletableFuture<Envelope>> asked = new ConcurrentHashMap<>();

    private static ChunkRequest.ReadChunk read(long offset) {
        return new ChunkRequest.ReadChunk(CHUNK, new VolumeId(1), offset, 60 * KIB, TOKEN);
    }

    private static List<ChunkRequest.ReadChunk> reads(int count) {
        return IntStream.range(0, count).mapToObj(WireCancelCallsTest::read).toList();
    }

    private static Envelope data(WireFixture wire, long offset) {
        return new Envelope(new ChunkReply.Data(CHUNK, offset, 60 * KIB), wire.bytes(60 * KIB));
    }

    /** Keeps reads by their offset, writes by their number, until the test answers them. */
    private CompletableFuture<Envelope> keep(Session session, Envelope request) {
        CompletableFuture<Envelope> answer = new CompletableFuture<>();
        asked.put(
                request.head() instanceof ChunkRequest.ReadChunk read
                        ? read.offset()
                        : ((ChunkRequest.WriteCells) request.head()).offset(),
                answer);
        request.release();
        return answer;
    }

    private void awaitAsked(int count) {
        await().atMost(LONG).until(() -> asked.size() == count);
    }

    private static void awaitNothingHeld(WireServer server) {
        await().atMost(LONG).until(() -> server.requestBytes() == 0 && server.answerBytes() == 0);
    }

    @Test
    void aReadThatIsGivenUpIsTakenFromTheHandlerAndGivesItsBytesBack() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), this::keep);
            WireClient client = wire.client(WireOptions.defaults());
            List<CompletableFuture<Envelope>> several = client.callAll(server.address(), reads(3), LONG);
            CompletableFuture<Envelope> one = client.call(server.address(), read(7), LONG);
            awaitAsked(4);
            long each = server.answerBytes() / 4;

            several.get(1).cancel(false);
            one.cancel(false);
            await().atMost(LONG)
                    .until(() -> asked.get(1L).isCancelled() && asked.get(7L).isCancelled());
            await().atMost(LONG).until(() -> server.answerBytes() == 2 * each);
            for (long left : new long[] {0, 2}) {
                asked.get(left).complete(data(wire, left));
                Envelope answer = result(several.get((int) left));
                assertThat(answer.head()).isEqualTo(new ChunkReply.Data(CHUNK, left, 60 * KIB));
                answer.release();
            }
            awaitNothingHeld(server);
            assertThat(client.connections()).isEqualTo(1);
        }
    }

    @Test
    void callingOffIsHeardOnAConnectionThatIsFull() throws Exception {
        WireOptions full =
                options().inFlight(2, 200 * KIB, 100).build(); // of answers of 60 KiB and some there is room for three
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(full, this::keep);
            WireClient client = wire.client(full);
            List<CompletableFuture<Envelope>> calls = LongStream.range(0, 5)
                    .mapToObj(i -> client.call(server.address(), read(i), LONG))
                    .toList();
            awaitAsked(2);
            for (int i = 0; i < 4; i++) {
                calls.get(i).cancel(false);
                long off = i;
                await().atMost(LONG).until(() -> asked.get(off).isCancelled());
                awaitAsked(Math.min(5, i + 3));
            }
            asked.get(4L).complete(data(wire, 4));
            result(calls.get(4)).release();
            awaitNothingHeld(server);
        }
    }

    @Test
    void callingOffIsHeardWhileOthersWaitForAnswerMemory() throws Exception {
        int budget = 256 * KIB; // for three answers
        try (WireFixture wire = new WireFixture()) {
            WireServer server =
                    wire.server(options().frame(budget).server(budget, budget).build(), this::keep);
            WireClient client = wire.client(options().frame(budget).build());
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (int first : new int[] {0, 2, 4}) {
                calls.addAll(client.callAll(server.address(), reads(6).subList(first, first + 2), LONG));
            }
            awaitAsked(2);
            calls.get(2).cancel(false); // waits
            calls.get(0).cancel(false); // is with the handler
            await().atMost(LONG).until(() -> asked.get(0L).isCancelled());
            awaitAsked(3);
            calls.get(4).cancel(false);
            calls.get(5).cancel(false);
            calls.get(1).cancel(false);
            await().atMost(LONG).until(() -> asked.get(1L).isCancelled());
            asked.get(3L).complete(data(wire, 3));
            result(calls.get(3)).release();
            awaitNothingHeld(server);
            assertThat(asked).containsOnlyKeys(0L, 1L, 3L);
        }
    }

    @Test
    void callingOffIsHeardThoughThePeerDoesNotTakeItsAnswers() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            AtomicInteger answered = new AtomicInteger();
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                if (((ChunkRequest.ReadChunk) request.head()).offset() == 7) {
                    return keep(session, request);
                }
                request.release();
                answered.incrementAndGet();
                return CompletableFuture.completedFuture(data(wire, 1));
            });
            try (RawPeer stalled = new RawPeer(server.address())) {
                stalled.send(RawPeer.frame(0, WireFixture.hello("c1"), 0));
                stalled.send(RawPeer.frame(1, read(7), 0));
                for (int i = 2; i < 900; i++) {
                    stalled.send(RawPeer.frame(i, read(1), 0));
                }
                await().atMost(LONG)
                        .during(Duration.ofMillis(200))
                        .pollInterval(Duration.ofMillis(20))
                        .until(answered::get, before -> before == answered.get() && before > 0);
                assertThat(answered.get()).as("no more goes to the handler").isLessThan(898);
                assertThat(asked.get(7L)).isNotDone();
                stalled.send(RawPeer.frame(0, new CancelCalls(List.of(1L)), 0));
                await().atMost(LONG).until(() -> asked.get(7L).isCancelled());
                assertThat(answered.get()).isLessThan(898);
            }
            awaitNothingHeld(server);
        }
    }

    @Test
    void aReadCancelledBeforeItIsSentIsCancelledAtThePeer() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), this::keep);
            // One call may be under way: the others wait for it.
            WireClient client = wire.client(options().inFlight(1, 1 << 20, 100).build());
            CompletableFuture<Envelope> before = client.call(server.address(), read(9), LONG);
            awaitAsked(1);
            List<CompletableFuture<Envelope>> several = client.callAll(server.address(), reads(3), LONG);
            several.get(0).cancel(false);
            several.get(2).cancel(false);
            asked.get(9L).complete(data(wire, 9));
            result(before).release();
            awaitAsked(4);
            await().atMost(LONG)
                    .until(() -> asked.get(0L).isCancelled() && asked.get(2L).isCancelled());
            asked.get(1L).complete(data(wire, 1));
            result(several.get(1)).release();
            awaitNothingHeld(server);
        }
    }

    @Test
    void whatIsGivenUpInOneTurnIsCalledOffByOneMessage() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), this::keep);
            WireClient client = wire.client(WireOptions.defaults());
            CompletableFuture<Envelope> first = client.call(server.address(), read(99), LONG);
            List<CompletableFuture<Envelope>> others = client.callAll(server.address(), reads(10), LONG);
            awaitAsked(11);
            long before = received(server);
            // On the connection's own thread, all of them.
            CompletableFuture<Void> done = first.thenAccept(answer -> {
                answer.release();
                others.forEach(call -> call.cancel(false));
            });
            asked.get(99L).complete(data(wire, 99));
            result(done);
            await().atMost(LONG).until(() -> asked.values().stream().allMatch(CompletableFuture::isDone));
            assertThat(received(server) - before).isEqualTo(FrameHeader.BYTES + 2 + 10 * Long.BYTES);
            awaitNothingHeld(server);
        }
    }

    private static long received(WireServer server) {
        return server.flows().stream().mapToLong(Metering.Flow::receivedBytes).sum();
    }

    @Test
    void aChangeIsNeverCalledOffNorIsWhatWasNeverCalled() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), this::keep);
            WireClient other = wire.client(WireOptions.defaults());
            CompletableFuture<Envelope> foreign = other.call(server.address(), read(1 << 20), LONG);
            awaitAsked(1);
            try (RawPeer peer = new RawPeer(server.address())) {
                peer.send(RawPeer.frame(0, WireFixture.hello("c1"), 0));
                peer.send(RawPeer.frame(1, write(1, 100), 100));
                peer.send(RawPeer.frame(2, read(5), 0));
                peer.send(RawPeer.frame(0, new CancelCalls(List.of(1L, 3L, 2L, -8L, 0L, 2L)), 0));
                peer.send(RawPeer.frame(3, write(2, 100), 100));
                awaitAsked(4);
                assertThat(asked.get(5L).isCancelled()).isTrue();
                assertThat(asked.get(4096L)).isNotDone();
                assertThat(asked.get(2 * 4096L)).isNotDone();
                assertThat(asked.get((long) (1 << 20))).isNotDone();
                asked.get(4096L).complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
                asked.get(2 * 4096L).complete(Envelope.of(new ChunkReply.Written(CHUNK, 2)));
                asked.get((long) (1 << 20)).complete(data(wire, 1 << 20));
                result(foreign).release();
                awaitNothingHeld(server);
            }
        }
    }

    @Test
    void readsOfAConnectionThatEndsAreCalledOff() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), this::keep);
            try (RawPeer peer = new RawPeer(server.address())) {
                peer.send(RawPeer.frame(0, WireFixture.hello("c1"), 0));
                peer.send(RawPeer.frame(1, write(1, 100), 100));
                peer.send(RawPeer.frame(2, read(5), 0));
                awaitAsked(2);
            }
            await().atMost(LONG).until(() -> asked.get(5L).isCancelled());
            assertThat(asked.get(4096L)).isNotDone();
            asked.get(4096L).complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
            awaitNothingHeld(server);
        }
    }

    @Test
    void whateverOvertakesWhatEverythingIsGivenBackOnce() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            ConcurrentLinkedQueue<CompletableFuture<Envelope>> held = new ConcurrentLinkedQueue<>();
            WireServer server = wire.server(
                    options().frame(1 << 20).server(20 << 20, 2 << 20).build(), (session, request) -> {
                        request.release();
                        CompletableFuture<Envelope> answer = new CompletableFuture<>();
                        held.add(answer);
                        return answer;
                    });
            WireClient client = wire.client(
                    options().frame(1 << 20).inFlight(64, 8 << 20, 100_000).build());
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (long seed = 0; seed < 400; seed++) {
                Random random = new Random(seed);
                calls.addAll(client.callAll(server.address(), reads(1 + random.nextInt(6)), LONG));
                for (int i = random.nextInt(4); i > 0; i--) {
                    calls.get(random.nextInt(calls.size())).cancel(false);
                }
                for (int i = random.nextInt(6); i > 0; i--) {
                    answerOldest(wire, held);
                }
            }
            for (CompletableFuture<Envelope> call : calls) {
                while (!call.isDone()) {
                    answerOldest(wire, held);
                    Thread.onSpinWait();
                }
                if (!call.isCompletedExceptionally()) {
                    call.join().release();
                } else {
                    assertThat(call).isCancelled();
                }
            }
            await().atMost(LONG).until(() -> {
                answerOldest(wire, held);
                return held.isEmpty() && server.requestBytes() == 0 && server.answerBytes() == 0;
            });
            wire.awaitNoBuffers();
        }
    }

    /** As a handler does it: what comes after the call was called off is released by itself. */
    private static void answerOldest(WireFixture wire, ConcurrentLinkedQueue<CompletableFuture<Envelope>> held) {
        CompletableFuture<Envelope> oldest = held.poll();
        if (oldest != null) {
            Envelope answer = new Envelope(new ChunkReply.Data(CHUNK, 0, 100), wire.bytes(100));
            if (!oldest.complete(answer)) {
                answer.release();
            }
        }
    }
}
