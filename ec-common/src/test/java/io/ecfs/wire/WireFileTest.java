package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.result;
import static io.ecfs.wire.WireFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.buffer.FileSlice;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers whose bytes come from a file. */
@Timeout(300)
class WireFileTest {
    private static final int FILE_BYTES = 3 << 20;

    @TempDir
    Path directory;

    private final AtomicInteger out = new AtomicInteger();
    private FileChannel file;

    @BeforeEach
    void makeFile() throws IOException {
        file = FileChannel.open(
                directory.resolve("bytes"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        file.write(ByteBuffer.wrap(WireFixture.pattern(FILE_BYTES)));
    }

    @AfterEach
    void everyLoanIsOver() throws IOException {
        await().atMost(LONG).untilAsserted(() -> assertThat(out).hasValue(0));
        assertThat(file.isOpen()).as("the file is its lender's").isTrue();
        file.close();
    }

    private FileSlice lend(long offset, int bytes) {
        out.incrementAndGet();
        return new FileSlice(file, offset, bytes, out::decrementAndGet);
    }

    private CompletableFuture<Envelope> answer(ByteBuf payload, long offset, int bytes) {
        return CompletableFuture.completedFuture(
                new Envelope(new ChunkReply.Data(CHUNK, offset, bytes), payload, Optional.of(lend(offset, bytes))));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bytesOfAFileFollowThePayload(boolean nio) throws Exception {
        byte[] all = WireFixture.pattern(FILE_BYTES);
        try (WireFixture wire = new WireFixture(nio)) {
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                request.release();
                assertThat(session.takesFiles()).isTrue();
                long number = ((ChunkRequest.WriteCells) request.head()).offset() / 4096;
                return answer(wire.bytes(number % 2 == 0 ? 0 : 1000), number * 100, 1 << 20);
            });
            WireClient client = wire.client(WireOptions.defaults());
            for (int number = 0; number < 8; number++) {
                Envelope answer = result(client.call(server.address(), write(number, 0), wire.bytes(0), LONG));
                byte[] got = ByteBufUtil.getBytes(answer.payload());
                answer.release();
                int before = number % 2 == 0 ? 0 : 1000;
                assertThat(got).hasSize(before + (1 << 20));
                assertThat(Arrays.equals(got, before, got.length, all, number * 100, number * 100 + (1 << 20)))
                        .isTrue();
                assertThat(Arrays.equals(got, 0, before, WireFixture.pattern(before), 0, before))
                        .isTrue();
            }
        }
    }

    @Test
    void aFileThatEndsTooSoonEndsTheConnectionAndNothingElse() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                request.release();
                return answer(wire.bytes(10), FILE_BYTES - 70_000, 80_000);
            });
            WireClient client = wire.client(WireOptions.defaults());
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(failure(client.call(server.address(), write(0), wire.bytes(0), LONG))
                                .code())
                        .isEqualTo(ErrorCode.CONNECTION_LOST);
            }
        }
    }

    @Test
    void anAnswerThatDoesNotFitAFrameGivesTheFileBack() throws Exception {
        WireOptions options = WireFixture.options().frame(1 << 20).build();
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options, (session, request) -> {
                request.release();
                return answer(wire.bytes(0), 0, 1 << 20);
            });
            WireClient client = wire.client(options);
            assertThat(failure(client.call(server.address(), write(0), wire.bytes(0), LONG))
                            .code())
                    .isEqualTo(ErrorCode.INTERNAL);
        }
    }

    @Test
    void anAnswerThatNobodyWaitsForGivesTheFileBack() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CountDownLatch asked = new CountDownLatch(1);
            CompletableFuture<Envelope> tooLate = new CompletableFuture<>();
            WireServer server = wire.server(WireOptions.defaults(), (session, request) -> {
                request.release();
                asked.countDown();
                return tooLate;
            });
            WireClient client = wire.client(WireOptions.defaults());
            var call = client.call(server.address(), write(0), wire.bytes(0), LONG);
            assertThat(asked.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            server.close();
            assertThat(failure(call).code()).isEqualTo(ErrorCode.CONNECTION_LOST);
            tooLate.complete(answer(wire.bytes(5), 0, 1000).join());
        }
    }

    @Test
    void bytesAreGivenBackOnce() {
        FileSlice bytes = lend(0, 10);
        bytes.close();
        assertThatThrownBy(bytes::close).isInstanceOf(Invariant.Broken.class);
    }
}
