package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.options;
import static io.ecfs.wire.WireFixture.result;
import static io.ecfs.wire.WireFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.frame.FrameHeader;
import io.ecfs.wire.frame.RawFrames;
import io.ecfs.wire.server.WireServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What peers do cannot make a server hold more than its options say, and one peer's misdeeds do not reach another. */
@Timeout(300)
class WirePressureTest {
    /** How a socket says that the other side closed it while this one sent. */
    private static final String CLOSED_BY_PEER = "(?i).*(broken pipe|connection reset).*";

    private static final int KIB = 1024;
    /** Receive buffers and heads, which no budget counts. */
    private static final int SLACK = 512 * KIB;

    @Test
    void aSlowHandlerSlowsItsCallersAndDoesNotGrowTheServer() throws Exception {
        int budget = 1024 * KIB;
        try (WireFixture servers = new WireFixture();
                WireFixture clients = new WireFixture()) {
            record Held(Envelope request, CompletableFuture<Envelope> answer) {}
            Queue<Held> held = new ConcurrentLinkedQueue<>();
            WireServer server = servers.server(
                    options().frame(256 * KIB).server(budget, budget).build(), (session, request) -> {
                        Held next = new Held(request, new CompletableFuture<>());
                        held.add(next);
                        return next.answer();
                    });
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (int c = 0; c < 3; c++) {
                WireClient client = clients.client(WireOptions.defaults(), WireFixture.namenode());
                for (int i = 0; i < 60; i++) {
                    calls.add(client.call(server.address(), write(64 * KIB), clients.bytes(64 * KIB), LONG));
                }
            }
            // All of one user, who has a quarter, and at least the largest frame.
            await().atMost(LONG).until(() -> server.requestBytes() > budget / 4 - 128 * KIB);
            int answered = 0;
            while (answered < calls.size()) {
                assertThat(server.requestBytes()).isLessThanOrEqualTo(budget);
                assertThat(servers.loops.bufferBytes()).isLessThanOrEqualTo(budget + budget / 4 + SLACK);
                Held next = held.poll();
                if (next != null) {
                    next.request().release();
                    next.answer().complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
                    answered++;
                }
            }
            for (CompletableFuture<Envelope> call : calls) {
                result(call);
            }
        }
    }

    /** Connections that announce the largest frames and send nothing more, as many as would take all memory. */
    @Test
    void framesThatAreAnnouncedAndDoNotComeHurtNobodyElse() throws Exception {
        int frame = 256 * KIB;
        int budget = 1024 * KIB;
        List<Socket> attackers = new ArrayList<>();
        try (WireFixture servers = new WireFixture();
                WireFixture clients = new WireFixture()) {
            WireServer server =
                    servers.server(options().frame(frame).server(budget, budget).build(), (session, request) -> {
                        request.release();
                        return CompletableFuture.completedFuture(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
                    });
            byte[] hello = RawFrames.greeting("mallory");
            byte[] announced = Arrays.copyOf(RawPeer.frame(2, write(frame - 4 * KIB), frame - 4 * KIB), 24);
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket();
                attackers.add(socket);
                socket.bind(new InetSocketAddress("127.0.0.2", 0));
                socket.connect(new InetSocketAddress(
                        server.address().host(), server.address().port()));
                socket.getOutputStream().write(hello);
                socket.getOutputStream().write(announced);
            }
            await().atMost(LONG).until(() -> server.requestBytes() > budget / 8);
            WireClient client = clients.client(WireOptions.defaults(), WireFixture.namenode());
            for (int i = 0; i < 10; i++) {
                result(client.call(
                        server.address(), write(128 * KIB), clients.bytes(128 * KIB), Duration.ofSeconds(2)));
            }
            assertThat(server.requestBytes()).isLessThanOrEqualTo(budget / 2);
            int open = server.connections();
            await("the first of them to be closed").atMost(LONG).until(() -> server.connections() < open);
        } finally {
            for (Socket socket : attackers) {
                socket.close();
            }
        }
    }

    @Test
    void payloadsOfCancelledCallsDoNotStayWithAStalledPeer() throws Exception {
        int budget = 512 * KIB;
        try (WireFixture servers = new WireFixture();
                WireFixture clients = new WireFixture()) {
            Queue<Envelope> held = new ConcurrentLinkedQueue<>();
            CompletableFuture<Envelope> never = new CompletableFuture<>();
            WireServer server = servers.server(
                    options().frame(512 * KIB).server(budget, budget).build(), (session, request) -> {
                        held.add(request);
                        never.thenRun(() -> release(held));
                        return never;
                    });
            WireClient client = clients.client(WireOptions.defaults(), WireFixture.namenode());
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                calls.add(client.call(server.address(), write(512 * KIB - 200), clients.bytes(512 * KIB - 200), LONG));
            }
            await().atMost(LONG).until(() -> !held.isEmpty());
            assertThat(clients.loops.bufferBytes()).as("what no socket takes").isGreaterThan(4096L * KIB);
            calls.forEach(call -> call.cancel(false));
            clients.awaitNoBuffers();
            never.complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
        }
    }

    private static void release(Queue<Envelope> held) {
        for (Envelope next = held.poll(); next != null; next = held.poll()) {
            next.release();
        }
    }

    @Test
    void aStalledReaderDoesNotGrowTheServerAndHurtsNobodyElse() throws Exception {
        int inFlight = 1024 * KIB;
        try (WireFixture servers = new WireFixture();
                WireFixture clients = new WireFixture()) {
            AtomicInteger answers = new AtomicInteger();
            WireServer server =
                    servers.server(options().inFlight(1000, inFlight, 0).build(), (session, request) -> {
                        answers.incrementAndGet();
                        request.release();
                        return CompletableFuture.completedFuture(
                                new Envelope(new SnapshotReply.Bytes(64 * KIB), servers.bytes(64 * KIB)));
                    });
            try (RawPeer stalled = new RawPeer(server.address())) {
                stalled.send(RawPeer.frame(0, WireFixture.namenode(), 0));
                for (int i = 1; i <= 400; i++) {
                    stalled.send(RawPeer.frame(i, new SnapshotRequest.ReadSnapshot("s", "f", 0, 64 * KIB), 0));
                }
                // The server writes until the kernel's buffers and its own bound are full, and then stands still.
                await().atMost(LONG)
                        .during(Duration.ofMillis(200))
                        .pollInterval(Duration.ofMillis(20))
                        .until(answers::get, before -> before == answers.get() && before > 0);
                assertThat(server.answerBytes()).isLessThanOrEqualTo(inFlight + 64 * KIB);
                assertThat(servers.loops.bufferBytes()).isLessThanOrEqualTo(inFlight + inFlight / 4 + SLACK);
                WireClient other = clients.client(WireOptions.defaults(), WireFixture.namenode());
                Envelope served = result(
                        other.call(server.address(), new SnapshotRequest.ReadSnapshot("s", "f", 0, 64 * KIB), LONG));
                served.release();
            }
        }
    }

    @Test
    void refusalsThatNobodyTakesDoNotGrowTheServer() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().frame(64 * KIB).build(), (session, request) -> {
                throw new IllegalStateException("must not be asked");
            });
            AtomicInteger sent = new AtomicInteger();
            CompletableFuture<Void> letGo;
            try (RawPeer stalled = new RawPeer(server.address())) {
                stalled.send(RawPeer.frame(0, WireFixture.namenode(), 0));
                byte[] refused = RawPeer.frame(1, new SnapshotRequest.ReadSnapshot("s", "f", 0, 1 << 30), 0);
                byte[] thousand = new byte[1000 * refused.length];
                for (int i = 0; i < 1000; i++) {
                    System.arraycopy(refused, 0, thousand, i * refused.length, refused.length);
                }
                CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 100; i++) {
                        try {
                            stalled.send(thousand);
                        } catch (IOException e) {
                            return; // closed
                        }
                        sent.incrementAndGet();
                    }
                });
                AtomicLong before = new AtomicLong();
                await().atMost(LONG)
                        .during(Duration.ofMillis(500))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> {
                            long now = wire.loops.bufferBytes();
                            return before.getAndSet(now) == now && sent.get() > 0;
                        });
                assertThat(wire.loops.bufferBytes()).isLessThanOrEqualTo(4 * SLACK);
                letGo = sending;
            }
            result(letGo); // the connection is closed
        }
    }

    @Test
    void requestsWhoseAnswersWouldBeTooMuchAtOnceStayInTheSocket() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            Queue<CompletableFuture<Envelope>> held = new ConcurrentLinkedQueue<>();
            CompletableFuture<Void> letGo = new CompletableFuture<>();
            WireServer server =
                    wire.server(options().inFlight(1000, 10 * 64 * KIB, 0).build(), (session, request) -> {
                        // Requests that were read already may come after the first ones are let go: they go too.
                        CompletableFuture<Envelope> answer =
                                letGo.thenApply(go -> new Envelope(new SnapshotReply.Bytes(0), wire.bytes(64 * KIB)));
                        held.add(answer);
                        return answer;
                    });
            try (RawPeer greedy = new RawPeer(server.address())) {
                greedy.send(RawPeer.frame(0, WireFixture.namenode(), 0));
                for (int i = 1; i <= 100; i++) {
                    greedy.send(RawPeer.frame(i, new SnapshotRequest.ReadSnapshot("s", "f", 0, 64 * KIB), 0));
                }
                await().atMost(LONG)
                        .during(Duration.ofMillis(200))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> held.size() == 10);
            }
            letGo.complete(null);
        }
    }

    @Test
    void aStalledReaderIsClosedAfterAWhile() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            AtomicInteger asked = new AtomicInteger();
            // Long enough that the peer has sent all its requests before it is taken for stalled.
            WireServer server = wire.server(options().times(5_000, 1_000).build(), (session, request) -> {
                asked.incrementAndGet();
                request.release();
                return CompletableFuture.completedFuture(
                        new Envelope(new SnapshotReply.Bytes(8 << 20), wire.bytes(8 << 20)));
            });
            try (RawPeer stalled = new RawPeer(server.address())) {
                stalled.send(RawPeer.frame(0, WireFixture.namenode(), 0));
                for (int i = 1; i <= 8; i++) {
                    stalled.send(RawPeer.frame(i, new SnapshotRequest.ReadSnapshot("s", "f", 0, 8 << 20), 0));
                }
                await().atMost(LONG).until(() -> asked.get() > 0);
                await().atMost(LONG).until(() -> server.connections() == 0);
            }
        }
    }

    @Test
    void answersWaitForTheServersAnswerBudget() throws Exception {
        int budget = 256 * KIB;
        try (WireFixture wire = new WireFixture()) {
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            Queue<CompletableFuture<Envelope>> held = new ConcurrentLinkedQueue<>();
            WireServer server = wire.server(
                    options().frame(128 * KIB).server(budget, budget).build(), (session, request) -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        CompletableFuture<Envelope> answer = new CompletableFuture<>();
                        held.add(answer);
                        return answer;
                    });
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (int c = 0; c < 3; c++) {
                WireClient client = wire.client(WireOptions.defaults(), WireFixture.namenode());
                for (int i = 0; i < 10; i++) {
                    calls.add(client.call(
                            server.address(), new SnapshotRequest.ReadSnapshot("s", "f", 0, 100 * KIB), LONG));
                }
            }
            for (int answered = 0; answered < calls.size(); answered++) {
                // As many as the budget has room for, before one of them is answered.
                while (held.size() < Math.min(2, calls.size() - answered)) {
                    Thread.onSpinWait();
                }
                running.decrementAndGet();
                held.remove().complete(new Envelope(new SnapshotReply.Bytes(100 * KIB), wire.bytes(100 * KIB)));
            }
            for (CompletableFuture<Envelope> call : calls) {
                result(call).release();
            }
            assertThat(most.get()).isEqualTo(2);
        }
    }

    @Test
    void anAnswerThatCannotFitAFrameIsNotEvenAskedOfTheHandler() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().frame(64 * KIB).build(), (session, request) -> {
                throw new IllegalStateException("must not be asked");
            });
            WireClient client = wire.client(WireOptions.defaults(), WireFixture.namenode());
            var call = client.call(server.address(), new SnapshotRequest.ReadSnapshot("s", "f", 0, 1 << 30), LONG);
            assertThat(failure(call).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        }
    }

    @Test
    void brokenPeersAreClosedAndOthersGoOnUnharmed() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().times(2_000, 60_000).build(), WireFixture::acknowledge);
            WireClient good = wire.client(WireOptions.defaults(), WireFixture.namenode());
            for (long seed = 0; seed < 150; seed++) {
                Random random = new Random(seed);
                var call = good.call(server.address(), write(1000), wire.bytes(1000), LONG);
                try (RawPeer broken = new RawPeer(server.address())) {
                    broken.send(brokenStream(random));
                    if (seed % 3 == 0) {
                        broken.drain();
                    }
                } catch (java.net.SocketException e) {
                    assertThat(e).as("seed %d", seed).hasMessageMatching(CLOSED_BY_PEER);
                }
                assertThat(result(call).head()).as("seed %d", seed).isEqualTo(new ChunkReply.Written(CHUNK, 1000));
            }
            assertThat(good.connections()).isEqualTo(1);
            await().atMost(LONG).until(() -> server.connections() == 1);
            assertThat(server.requestBytes()).isZero();
        }
    }

    /** Begins well or not, and then surely breaks the rules, so that the server closes. */
    private static byte[] brokenStream(Random random) throws Exception {
        var out = new java.io.ByteArrayOutputStream();
        if (random.nextBoolean()) {
            out.write(RawPeer.frame(0, WireFixture.namenode(), 0));
            for (int i = random.nextInt(4); i > 0; i--) {
                out.write(RawPeer.frame(i, write(2000), 2000));
            }
        }
        byte[] bad = RawPeer.frame(9, write(3000), 3000);
        var header = java.nio.ByteBuffer.wrap(bad);
        switch (random.nextInt(5)) {
            case 0 -> header.putInt(0, random.nextInt());
            case 1 -> header.putInt(4, -1 - random.nextInt(1 << 20));
            case 2 -> header.putInt(12, Integer.MAX_VALUE);
            case 3 -> header.putShort(10, (short) FrameHeader.ANSWER);
            default -> header.putShort(10, (short) 0x7f00);
        }
        out.write(bad);
        return out.toByteArray();
    }

    @Test
    void aPeerThatDoesNotGreetInTimeIsClosed() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().times(50, 60_000).build(), WireFixture::acknowledge);
            try (RawPeer silent = new RawPeer(server.address())) {
                silent.drain();
            }
            await().atMost(LONG).until(() -> server.connections() == 0);
        }
    }

    @Test
    void aStrangerCannotMakeTheServerAllocateAWholeFrame() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), WireFixture::acknowledge);
            try (RawPeer stranger = new RawPeer(server.address())) {
                stranger.send(RawPeer.frame(0, write(1 << 20), 1 << 20));
                stranger.drain();
            } catch (java.net.SocketException e) {
                assertThat(e).hasMessageMatching(CLOSED_BY_PEER);
            }
            await().atMost(LONG).until(() -> server.connections() == 0);
            assertThat(server.requestBytes()).isZero();
        }
    }

    @Test
    void manyCallersWithTimeOutsAndCancelsLeaveNothingBehind() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            Queue<CompletableFuture<Envelope>> held = new ConcurrentLinkedQueue<>();
            WireServer server = wire.server(options().server(20 << 20, 20 << 20).build(), (session, request) -> {
                CompletableFuture<Envelope> answer = new CompletableFuture<>();
                int bytes = request.payload().readableBytes();
                request.release();
                held.add(answer);
                CompletableFuture<Envelope> oldest = bytes % 3 == 0 ? null : held.poll();
                if (oldest != null) {
                    oldest.complete(new Envelope(new ChunkReply.Data(CHUNK, 0, bytes), wire.bytes(bytes)));
                }
                return answer;
            });
            WireClient client =
                    wire.client(options().inFlight(16, 1 << 20, 100_000).build());
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (long seed = 0; seed < 1500; seed++) {
                Random random = new Random(seed);
                int bytes = random.nextInt(1 << (4 + random.nextInt(13)));
                var call = client.call(
                        server.address(),
                        write(bytes),
                        wire.bytes(bytes),
                        random.nextInt(20) == 0 ? Duration.ofMillis(1 + random.nextInt(50)) : LONG);
                calls.add(call);
                if (random.nextInt(10) == 0) {
                    calls.get(random.nextInt(calls.size())).cancel(false);
                }
                if (random.nextInt(4) == 0) {
                    answerOldest(held);
                }
            }
            for (CompletableFuture<Envelope> call : calls) {
                while (!call.isDone()) {
                    answerOldest(held);
                    Thread.onSpinWait();
                }
                if (!call.isCompletedExceptionally()) {
                    call.join().release();
                }
            }
            // Requests of calls that were given up may still be on their way to the handler.
            await().atMost(LONG).until(() -> {
                held.forEach(answer -> answer.complete(Envelope.of(new ChunkReply.Written(CHUNK, 0))));
                return server.requestBytes() == 0;
            });
            wire.awaitNoBuffers();
        }
    }

    /** The handler takes from the queue as well. */
    private static void answerOldest(Queue<CompletableFuture<Envelope>> held) {
        CompletableFuture<Envelope> oldest = held.poll();
        if (oldest != null) {
            oldest.complete(Envelope.of(new ChunkReply.Written(CHUNK, 0)));
        }
    }
}
