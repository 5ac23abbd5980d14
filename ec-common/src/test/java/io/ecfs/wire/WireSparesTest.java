package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.options;
import static io.ecfs.wire.WireFixture.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What spares hold of a connection and of a server: nothing that others wait for. */
@Timeout(300)
class WireSparesTest {
    private static final int KIB = 1024;
    private static final int BYTES = 60 * KIB; // 64 KiB and some with what the answer may have besides
    private static final BlockToken TOKEN = new BlockToken(
            new GroupId(17), Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);

    private final Map<Long, CompletableFuture<Envelope>> asked = new ConcurrentHashMap<>();

    private static List<ChunkRequest.ReadChunk> reads(int from, int to, boolean spare) {
        return IntStream.range(from, to)
                .mapToObj(i -> new ChunkRequest.ReadChunk(CHUNK, new VolumeId(1), i, BYTES, TOKEN, spare))
                .toList();
    }

    /** Keeps reads by their offset until the test answers them. */
    private CompletableFuture<Envelope> keep(Session session, Envelope request) {
        CompletableFuture<Envelope> answer = new CompletableFuture<>();
        asked.put(((ChunkRequest.ReadChunk) request.head()).offset(), answer);
        request.release();
        return answer;
    }

    private void answer(WireFixture wire, long offset) {
        asked.get(offset).complete(new Envelope(new ChunkReply.Data(CHUNK, offset, BYTES), wire.bytes(BYTES)));
    }

    private void awaitAsked(int count) {
        await().atMost(LONG).until(() -> asked.size() == count);
    }

    private static void requireData(CompletableFuture<Envelope> call, long offset) throws Exception {
        Envelope answer = result(call);
        assertThat(answer.head()).isEqualTo(new ChunkReply.Data(CHUNK, offset, BYTES));
        answer.release();
    }

    @Test
    void noneOfTheAnswerBudgetBeforeTheyAreRead() throws Exception {
        int budget = 256 * KIB; // for three answers
        try (WireFixture wire = new WireFixture()) {
            WireServer server =
                    wire.server(options().frame(budget).server(budget, budget).build(), this::keep);
            WireClient client = wire.client(options().frame(budget).build());
            List<CompletableFuture<Envelope>> spares = client.callAll(server.address(), reads(0, 3, true), LONG);
            awaitAsked(3);
            assertThat(server.answerBytes()).isZero();
            List<CompletableFuture<Envelope>> needed = client.callAll(server.address(), reads(3, 6, false), LONG);
            awaitAsked(6);
            long three = server.answerBytes();

            answer(wire, 0);
            assertThat(failure(spares.get(0)).code()).isEqualTo(ErrorCode.BUSY);
            assertThat(server.answerBytes()).isEqualTo(three);
            answer(wire, 3);
            requireData(needed.get(0), 3);
            await().atMost(LONG).until(() -> server.answerBytes() == three / 3 * 2);
            answer(wire, 1);
            requireData(spares.get(1), 1);
            answer(wire, 4);
            requireData(needed.get(1), 4);
            answer(wire, 5);
            requireData(needed.get(2), 5);
            spares.get(2).cancel(false);
            await().atMost(LONG).until(() -> asked.get(2L).isCancelled() && server.answerBytes() == 0);
        }
    }

    @Test
    void noPlaceForTheirBytesInAConnectionsWindowBeforeTheyAreRead() throws Exception {
        WireOptions two = options().inFlight(100, 200 * KIB, 100).build(); // room for two answers
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(two, this::keep);
            WireClient client = wire.client(two);
            List<CompletableFuture<Envelope>> spares = client.callAll(server.address(), reads(0, 9, true), LONG);
            List<CompletableFuture<Envelope>> needed = client.callAll(server.address(), reads(9, 11, false), LONG);
            awaitAsked(11);
            answer(wire, 0);
            assertThat(failure(spares.get(0)).code()).isEqualTo(ErrorCode.BUSY);
            for (int i = 0; i < 2; i++) {
                answer(wire, 9 + i);
                requireData(needed.get(i), 9 + i);
            }
            await().atMost(LONG).until(() -> server.answerBytes() == 0);
            for (int i = 1; i < 9; i++) {
                answer(wire, i);
                requireData(spares.get(i), i);
                await().atMost(LONG).until(() -> server.answerBytes() == 0);
            }
        }
    }
}
