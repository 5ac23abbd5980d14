package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.options;
import static io.ecfs.wire.WireFixture.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Metering;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.frame.FrameHeader;
import io.ecfs.wire.server.WireServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of several chunks that leave in one frame. */
@Timeout(300)
class WireReadsTest {
    private static final int KIB = 1024;
    private static final int HEAD_OF_ONE = 89;
    private static final BlockToken TOKEN = new BlockToken(
            new GroupId(17), Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);

    private static List<ChunkRequest.ReadChunk> reads(int count, int bytes) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ChunkRequest.ReadChunk(CHUNK, new VolumeId(1 + i % 3), i, bytes, TOKEN))
                .toList();
    }

    private static long offset(Envelope request) {
        return ((ChunkRequest.ReadChunk) request.head()).offset();
    }

    private static Envelope data(WireFixture wire, long offset, int bytes) {
        return new Envelope(new ChunkReply.Data(CHUNK, offset, bytes), wire.bytes(bytes));
    }

    @Test
    void leaveInOneFrameAndEachIsAnsweredFailsAndIsGivenUpByItself() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            Map<Long, CompletableFuture<Envelope>> asked = new ConcurrentHashMap<>();
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                CompletableFuture<Envelope> answer = new CompletableFuture<>();
                asked.put(offset(request), answer);
                request.release();
                return answer;
            });
            List<CompletableFuture<Envelope>> calls =
                    wire.client(WireOptions.defaults()).callAll(server.address(), reads(4, 100), LONG);
            await().atMost(LONG).until(() -> asked.size() == 4);
            assertThat(server.bytesExchanged(Metering.CallerKind.CLIENT))
                    .isEqualTo(FrameHeader.BYTES + 2 + 4 * HEAD_OF_ONE);

            asked.get(2L).complete(data(wire, 2, 100));
            Envelope third = result(calls.get(2));
            assertThat(third.head()).isEqualTo(new ChunkReply.Data(CHUNK, 2, 100));
            third.release();
            asked.get(1L).completeExceptionally(new EcfsException(ErrorCode.CHUNK_MISSING, "gone"));
            assertThat(failure(calls.get(1)).code()).isEqualTo(ErrorCode.CHUNK_MISSING);
            assertThat(calls.get(0)).isNotDone();
            calls.get(0).cancel(false);
            Envelope late = data(wire, 0, 100);
            if (!asked.get(0L).complete(late)) {
                late.release(); // called off by then, or not yet
            }
            asked.get(3L).complete(data(wire, 3, 100));
            Envelope last = result(calls.get(3));
            assertThat(last.head()).isEqualTo(new ChunkReply.Data(CHUNK, 3, 100));
            last.release();
        }
    }

    @Test
    void takeAnotherFrameWhenOneHasEnough() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                request.release();
                return CompletableFuture.completedFuture(data(wire, offset(request), 8));
            });
            WireClient client = wire.client(WireOptions.defaults());
            List<CompletableFuture<Envelope>> calls = client.callAll(server.address(), reads(600, 8), LONG);
            long answers = 0;
            for (int i = 0; i < calls.size(); i++) {
                Envelope answer = result(calls.get(i));
                assertThat(answer.head()).isEqualTo(new ChunkReply.Data(CHUNK, i, 8));
                answer.release();
                answers += FrameHeader.BYTES + 28 + 8;
            }
            assertThat(server.bytesExchanged(Metering.CallerKind.CLIENT) - answers)
                    .isEqualTo(3 * (FrameHeader.BYTES + 2) + 600 * HEAD_OF_ONE);
            assertThat(client.callAll(server.address(), List.of(), LONG)).isEmpty();
        }
    }

    @Test
    void waitForTheServersAnswerBudget() throws Exception {
        int budget = 256 * KIB;
        try (WireFixture wire = new WireFixture()) {
            WireServer server =
                    wire.server(options().frame(budget).server(budget, budget).build(), (session, request) -> {
                        request.release();
                        return CompletableFuture.supplyAsync(() -> data(wire, offset(request), 60 * KIB));
                    });
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            for (int c = 0; c < 4; c++) {
                WireClient client = wire.client(options().frame(budget).build());
                calls.addAll(client.callAll(server.address(), reads(30, 60 * KIB), LONG));
            }
            for (CompletableFuture<Envelope> call : calls) {
                result(call).release();
            }
        }
    }

    @Test
    void areRefusedOneByOneWhenTheirAnswersAreTooMuchForOneMessage() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().frame(256 * KIB).build(), (session, request) -> {
                throw new IllegalStateException("must not be asked");
            });
            WireClient client = wire.client(WireOptions.defaults());
            for (CompletableFuture<Envelope> call : client.callAll(server.address(), reads(3, 100 * KIB), LONG)) {
                assertThat(failure(call).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    void allFailWhenNobodyListens() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), WireFixture::acknowledge);
            WireClient client = wire.client(WireOptions.defaults());
            server.close();
            for (CompletableFuture<Envelope> call : client.callAll(server.address(), reads(3, 100), LONG)) {
                assertThat(failure(call).code()).isEqualTo(ErrorCode.UNREACHABLE);
            }
            client.close();
            for (CompletableFuture<Envelope> call : client.callAll(server.address(), reads(3, 100), LONG)) {
                assertThat(failure(call).code()).isEqualTo(ErrorCode.CONNECTION_LOST);
            }
        }
    }

    /** Notes how many requests came together, and answers none before it is told to. */
    private static final class Together implements Handler {
        private final List<Integer> counts = new CopyOnWriteArrayList<>();
        private final List<CompletableFuture<Envelope>> answers = new CopyOnWriteArrayList<>();

        @Override
        public CompletableFuture<Envelope> handle(Session session, Envelope request) {
            return handleAll(session, List.of(request)).get(0);
        }

        @Override
        public List<CompletableFuture<Envelope>> handleAll(Session session, List<Envelope> requests) {
            requests.forEach(Envelope::release);
            List<CompletableFuture<Envelope>> stages = requests.stream()
                    .map(request -> new CompletableFuture<Envelope>())
                    .toList();
            answers.addAll(stages);
            counts.add(requests.size());
            return stages;
        }
    }

    @Test
    void ofOneMessageReachTheHandlerTogether() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            Together handler = new Together();
            WireServer server = wire.server(WireOptions.defaults(), handler);
            List<CompletableFuture<Envelope>> calls =
                    wire.client(WireOptions.defaults()).callAll(server.address(), reads(5, 100), LONG);
            await().atMost(LONG).until(() -> handler.counts.size() == 1);
            assertThat(handler.counts).containsExactly(5);
            for (int i = 4; i >= 0; i--) {
                handler.answers.get(i).complete(data(wire, i, 100));
                Envelope answer = result(calls.get(i));
                assertThat(answer.head()).isEqualTo(new ChunkReply.Data(CHUNK, i, 100));
                answer.release();
            }
        }
    }

    @Test
    void reachTheHandlerTogetherWhenAllTheirAnswersAreGranted() throws Exception {
        int budget = 256 * KIB;
        try (WireFixture wire = new WireFixture()) {
            Together handler = new Together();
            WireServer server =
                    wire.server(options().frame(budget).server(budget, budget).build(), handler);
            // Each counts for 64 KiB and its checksums: three at once.
            WireClient client = wire.client(options().frame(budget).build());
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            calls.addAll(client.callAll(server.address(), reads(2, 60 * KIB), LONG));
            await().atMost(LONG).until(() -> handler.counts.size() == 1);
            calls.addAll(client.callAll(server.address(), reads(3, 60 * KIB), LONG));
            for (int i = 0; i < calls.size(); i++) {
                int next = i;
                await().atMost(LONG).until(() -> handler.answers.size() > next);
                handler.answers.get(i).complete(data(wire, i, 60 * KIB));
                result(calls.get(i)).release();
            }
            assertThat(handler.counts).containsExactly(2, 3);
        }
    }

    @Test
    void failOneByOneWithAHandlerThatThrows() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                long offset = offset(request);
                request.release();
                if (offset == 1) {
                    throw new IllegalStateException("a bug of the test's");
                }
                return CompletableFuture.completedFuture(data(wire, offset, 8));
            });
            List<CompletableFuture<Envelope>> calls =
                    wire.client(WireOptions.defaults()).callAll(server.address(), reads(3, 8), LONG);
            result(calls.get(0)).release();
            assertThat(failure(calls.get(1)).code()).isEqualTo(ErrorCode.INTERNAL);
            result(calls.get(2)).release();
        }
    }
}
