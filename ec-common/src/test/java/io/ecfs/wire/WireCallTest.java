package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.options;
import static io.ecfs.wire.WireFixture.result;
import static io.ecfs.wire.WireFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Greeting;
import io.ecfs.message.Metering;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.codec.RecordCodec;
import io.ecfs.wire.server.WireServer;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class WireCallTest {
    private static final WireOptions DEFAULTS = WireOptions.defaults();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void payloadsOfAllSizesGoThereAndBack(boolean nio) throws Exception {
        try (WireFixture wire = new WireFixture(nio)) {
            WireServer server = wire.server(
                    DEFAULTS,
                    (session, request) -> CompletableFuture.completedFuture(
                            new Envelope(new ChunkReply.Data(CHUNK, 0, 0), request.payload())));
            WireClient client = wire.client(DEFAULTS);
            for (int bytes : new int[] {0, 1, 4095, 4096, 60_000, 70_000, 1 << 20, (16 << 20) + 1}) {
                Envelope answer = result(client.call(server.address(), write(bytes), wire.bytes(bytes), LONG));
                assertThat(Arrays.equals(ByteBufUtil.getBytes(answer.payload()), WireFixture.pattern(bytes)))
                        .as("%d bytes", bytes)
                        .isTrue();
                answer.release();
            }
            assertThat(wire.loops.transport()).isEqualTo(nio ? "nio" : wire.loops.transport());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectIsRefusedWhereNoProcessListensAndNotWhereOneDoes(boolean nio) throws Exception {
        try (WireFixture wire = new WireFixture(nio)) {
            WireServer server = wire.server(DEFAULTS, WireFixture::acknowledge);
            WireClient client = wire.client(DEFAULTS);
            assertThat(client.refuses(server.address()).get(1, TimeUnit.MINUTES))
                    .isFalse();
            server.close();
            // With NIO the system's socket is closed by the selector's next round, and listens until then.
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> client.refuses(server.address()).get(1, TimeUnit.MINUTES));
            assertThat(client.refuses(new Address("no.such.host.invalid", 1)).get(1, TimeUnit.MINUTES))
                    .as("nothing is known of a machine without an address")
                    .isFalse();
            client.close();
            assertThat(client.refuses(server.address()).get(1, TimeUnit.MINUTES))
                    .isFalse();
        }
    }

    @Test
    void theHandlerLearnsThatAConnectionIsClosed() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CompletableFuture<Session> closed = new CompletableFuture<>();
            WireServer server = wire.server(DEFAULTS, new Handler() {
                @Override
                public CompletableFuture<Envelope> handle(Session session, Envelope request) {
                    return WireFixture.acknowledge(session, request);
                }

                @Override
                public void closed(Session session) {
                    closed.complete(session);
                }
            });
            WireClient client = wire.client(DEFAULTS);
            result(client.call(server.address(), write(1), wire.bytes(1), LONG)).release();
            assertThat(closed).isNotDone();
            client.close();
            assertThat(closed.get(1, TimeUnit.MINUTES).user()).isEqualTo("ada");
        }
    }

    @Test
    void theHandlerSeesWhoCalls() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            AtomicReference<Session> seen = new AtomicReference<>();
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                seen.set(session);
                return WireFixture.acknowledge(session, request);
            });
            result(wire.client(DEFAULTS).call(server.address(), write(0), LONG));
            assertThat(seen.get().user()).isEqualTo("ada");
            assertThat(seen.get().groups()).containsExactly("staff", "dev");
            assertThat(seen.get().role()).isEqualTo("client");
            assertThat(seen.get().clusterId()).isEqualTo("c1");
            assertThat(seen.get().remote().host()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aConnectionRunsOnTheLowerFeatureLevelOfItsTwoEnds() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            AtomicReference<Session> seen = new AtomicReference<>();
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                seen.set(session);
                return WireFixture.acknowledge(session, request);
            });
            Map<Optional<Integer>, Integer> expected = Map.of(
                    Optional.of(FeatureLevel.RELEASE + 1), FeatureLevel.RELEASE, // of a next release
                    Optional.of(FeatureLevel.RELEASE), FeatureLevel.RELEASE,
                    Optional.empty(), FeatureLevel.NONE); // of one before levels
            for (Optional<Integer> level : expected.keySet()) {
                WireClient client = wire.client(
                        DEFAULTS,
                        new Greeting.Hello(
                                Greeting.PROTOCOL_VERSION, "c1", "ada", List.of(), "client", level, Optional.empty()));
                assertThat(client.featureLevel(server.address())).isEmpty();
                result(client.call(server.address(), write(0), LONG));
                assertThat(seen.get().featureLevel()).isEqualTo(expected.get(level));
                assertThat(client.featureLevel(server.address())).hasValue(expected.get(level));
            }
        }
    }

    @Test
    void greetingsOfReleasesBeforeFeatureLevelsAreRead() throws Exception {
        record OldHello(int protocolVersion, String clusterId, String user, List<String> groups, String role) {}
        record OldWelcome(int protocolVersion, String clusterId, String role) {}
        RecordCodec codec = new RecordCodec();
        Greeting.Hello hello =
                codec.decode(Greeting.Hello.class, codec.encode(new OldHello(1, "c1", "ada", List.of(), "client")));
        Greeting.Welcome welcome =
                codec.decode(Greeting.Welcome.class, codec.encode(new OldWelcome(1, "c1", "namenode nn0")));
        assertThat(hello.featureLevel()).isEmpty();
        assertThat(Greeting.commonLevel(hello, new Greeting.Welcome(1, "c1", "namenode nn0")))
                .isEqualTo(FeatureLevel.NONE);
        assertThat(Greeting.commonLevel(new Greeting.Hello(1, "", "ada", List.of(), "client"), welcome))
                .isEqualTo(FeatureLevel.NONE);
    }

    @Test
    void aServerCountsWhatItExchangesWithEachKindOfCaller() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(DEFAULTS, WireFixture::acknowledge);
            WireClient client = wire.client(DEFAULTS);
            result(client.call(server.address(), write(100_000), wire.bytes(100_000), LONG));
            result(client.call(server.address(), write(50_000), wire.bytes(50_000), LONG));
            WireClient datanode = wire.client(
                    DEFAULTS, new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", "ada", List.of(), "datanode dn7"));
            result(datanode.call(server.address(), write(1000), wire.bytes(1000), LONG));
            WireClient meter = wire.client(
                    DEFAULTS, new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", "ada", List.of(), "meter"));
            Metering.Counts counts = result(meter.call(server.address(), new Metering.ReadCounts(), LONG))
                    .expect(Metering.Counts.class);

            assertThat(counts.pid()).isEqualTo(ProcessHandle.current().pid());
            Metering.Flow ofClients = flow(counts, Metering.CallerKind.CLIENT);
            assertThat(ofClients.requests()).isEqualTo(2);
            assertThat(ofClients.receivedBytes()).isBetween(150_000L, 150_400L);
            assertThat(ofClients.sentBytes()).isBetween(40L, 400L);
            assertThat(ofClients.handledNanos()).isPositive();
            assertThat(flow(counts, Metering.CallerKind.DATANODE).receivedBytes())
                    .isBetween(1000L, 1200L);
            assertThat(counts.memory().heldBytes())
                    .as("nothing else is under way")
                    .isZero();
            assertThat(counts.memory().heapPeakBytes())
                    .isBetween(1L, counts.memory().heapLimitBytes());
            assertThat(counts.flows()).extracting(Metering.Flow::caller).doesNotContain(Metering.CallerKind.NAMENODE);
        }
    }

    private static Metering.Flow flow(Metering.Counts counts, Metering.CallerKind kind) {
        return counts.flows().stream()
                .filter(f -> f.caller() == kind)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void requestsArriveInTheOrderTheyWereMadeAlsoWhenTheyWaited() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            Queue<Long> arrived = new ConcurrentLinkedQueue<>();
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                arrived.add(((ChunkRequest.WriteCells) request.head()).offset() / 4096);
                return WireFixture.acknowledge(session, request);
            });
            WireClient client = wire.client(
                    options().inFlight(3, 10_000, 10_000).connections(10, 4).build());
            List<CompletableFuture<Envelope>> calls = new ArrayList<>();
            List<Long> made = new ArrayList<>();
            for (long i = 0; i < 500; i++) {
                made.add(i);
                calls.add(client.call(server.address(), write(i, 100), wire.bytes(100), LONG));
            }
            for (CompletableFuture<Envelope> call : calls) {
                result(call);
            }
            assertThat(arrived).containsExactlyElementsOf(made);
        }
    }

    @Test
    void answersOvertakeEachOther() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CompletableFuture<Envelope> slow = new CompletableFuture<>();
            WireServer server = wire.server(
                    DEFAULTS,
                    (session, request) -> request.head() instanceof NamespaceRequest
                            ? slow
                            : WireFixture.acknowledge(session, request));
            WireClient client = wire.client(DEFAULTS);
            var first = client.call(server.address(), new NamespaceRequest.GetSpace(), LONG);
            result(client.call(server.address(), write(0), LONG));
            assertThat(first).isNotDone();
            slow.complete(Envelope.of(new NamespaceReply.Space(1, 2, 3)));
            assertThat(result(first).expect(NamespaceReply.Space.class)).isEqualTo(new NamespaceReply.Space(1, 2, 3));
        }
    }

    @Test
    void aHandlersFailureTravelsWithCodeMessageAndHint() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            EcfsException reason = new EcfsException(ErrorCode.NOT_LEADER, "nn1 does not lead", "nn2:8020", null);
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                return CompletableFuture.failedFuture(new CompletionException(reason));
            });
            EcfsException seen = failure(wire.client(DEFAULTS).call(server.address(), write(9), wire.bytes(9), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.NOT_LEADER);
            assertThat(seen).hasMessage("nn1 does not lead");
            assertThat(seen.hint()).contains("nn2:8020");
        }
    }

    @Test
    void anyOtherExceptionTravelsAsInternalWithoutDetails() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                throw new IllegalStateException("secret detail");
            });
            EcfsException seen = failure(wire.client(DEFAULTS).call(server.address(), write(0), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.INTERNAL);
            assertThat(seen.getMessage()).contains("datanode dn1").doesNotContain("secret");
        }
    }

    @Test
    void anUnreachablePeerIsNamed() throws Exception {
        Address nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new Address("127.0.0.1", socket.getLocalPort());
        }
        try (WireFixture wire = new WireFixture()) {
            EcfsException seen = failure(wire.client(DEFAULTS).call(nobody, write(5), wire.bytes(5), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.UNREACHABLE);
            assertThat(seen.getMessage()).contains(nobody.toString());
        }
    }

    @Test
    void aPeerThatIsNotEcfsIsNamed() throws Exception {
        try (WireFixture wire = new WireFixture();
                ServerSocket http = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Address address = new Address("127.0.0.1", http.getLocalPort());
            var call = wire.client(DEFAULTS).call(address, write(5), wire.bytes(5), LONG);
            try (Socket connection = http.accept()) {
                OutputStream out = connection.getOutputStream();
                out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
                EcfsException seen = failure(call);
                assertThat(seen.code()).isEqualTo(ErrorCode.MALFORMED);
                assertThat(seen.getMessage()).contains(address.toString()).contains("does not speak ECFS");
            }
        }
    }

    @Test
    void aPeerThatDoesNotGreetIsGivenUp() throws Exception {
        try (WireFixture wire = new WireFixture();
                ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Address address = new Address("127.0.0.1", silent.getLocalPort());
            WireClient client = wire.client(options().times(50, 60_000).build());
            EcfsException seen = failure(client.call(address, write(0), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.UNREACHABLE);
            assertThat(seen.getMessage()).contains(address.toString()).contains("did not greet");
        }
    }

    @Test
    void anotherClusterAndAnotherVersionAreRefused() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(DEFAULTS, WireFixture::acknowledge);
            EcfsException cluster =
                    failure(wire.client(DEFAULTS, WireFixture.hello("c2")).call(server.address(), write(0), LONG));
            assertThat(cluster.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
            assertThat(cluster.getMessage()).contains("c1").contains("c2");
            Greeting.Hello newer =
                    new Greeting.Hello(Greeting.PROTOCOL_VERSION + 1, "", "ada", List.of("staff"), "client");
            EcfsException version = failure(wire.client(DEFAULTS, newer).call(server.address(), write(0), LONG));
            assertThat(version.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION);
            result(wire.client(DEFAULTS, WireFixture.hello("")).call(server.address(), write(0), LONG));
        }
    }

    @Test
    void aLateAnswerIsReleased() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            Queue<CompletableFuture<Envelope>> answers = new ConcurrentLinkedQueue<>();
            CountDownLatch asked = new CountDownLatch(2);
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                CompletableFuture<Envelope> answer = new CompletableFuture<>();
                answers.add(answer);
                asked.countDown();
                return answer;
            });
            WireClient client = wire.client(DEFAULTS);
            var timedOut = client.call(server.address(), write(8), wire.bytes(8), Duration.ofSeconds(3));
            var cancelled = client.call(server.address(), write(8), wire.bytes(8), LONG);
            assertThat(asked.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(cancelled.cancel(false)).isTrue();
            EcfsException seen = failure(timedOut);
            assertThat(seen.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(seen.getMessage())
                    .contains("WriteCells")
                    .contains(server.address().toString());
            for (CompletableFuture<Envelope> answer : answers) {
                answer.complete(new Envelope(new ChunkReply.Data(CHUNK, 0, 0), wire.bytes(5000)));
            }
            wire.awaitNoBuffers();
        }
    }

    /**
     * The first part of an answer arrives, then nothing until the caller has given up; the rest comes when others have
     * asked.
     */
    @Test
    // HDFS-16970
    void halfAnAnswerBeforeATimeoutIsNeverPartOfAnything() throws Exception {
        int bytes = 400_000;
        try (WireFixture wire = new WireFixture();
                ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                int asked = ((ChunkRequest.WriteCells) request.head()).bytes();
                request.release();
                return CompletableFuture.completedFuture(
                        new Envelope(new ChunkReply.Data(CHUNK, asked, bytes), wire.bytes(bytes)));
            });
            CountDownLatch half = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            Thread pumps = new Thread(() -> passOn(between, server.address(), bytes / 2, half, goOn));
            pumps.start();
            WireClient client =
                    wire.client(WireFixture.options().connections(64, 1).build());
            Address address = new Address("127.0.0.1", between.getLocalPort());
            var late = client.call(address, write(1), wire.bytes(1), Duration.ofSeconds(2));
            assertThat(half.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(failure(late).code()).isEqualTo(ErrorCode.TIMEOUT);
            var next = client.call(address, write(2), wire.bytes(2), LONG);
            goOn.countDown();
            Envelope answer = result(next);
            assertThat(((ChunkReply.Data) answer.head()).offset()).isEqualTo(2);
            assertThat(Arrays.equals(ByteBufUtil.getBytes(answer.payload()), WireFixture.pattern(bytes)))
                    .isTrue();
            answer.release();
            client.close();
            pumps.join();
        }
    }

    /** Passes one connection on; after so many bytes of answers it waits. */
    private static void passOn(
            ServerSocket between, Address server, int bytes, CountDownLatch reached, CountDownLatch goOn) {
        try (Socket client = between.accept();
                Socket behind = new Socket(server.host(), server.port())) {
            Thread requests = new Thread(() -> {
                try {
                    client.getInputStream().transferTo(behind.getOutputStream());
                    behind.shutdownOutput();
                } catch (IOException e) {
                    // the other direction ends the test
                }
            });
            requests.start();
            byte[] piece = new byte[bytes];
            for (int passed = 0; passed < bytes; ) {
                int read = behind.getInputStream().read(piece, 0, bytes - passed);
                client.getOutputStream().write(piece, 0, read);
                passed += read;
            }
            reached.countDown();
            goOn.await();
            behind.getInputStream().transferTo(client.getOutputStream());
            requests.join();
        } catch (IOException | InterruptedException e) {
            reached.countDown();
        }
    }

    @Test
    void aCallCancelledBeforeItIsSentIsNotSent() throws Exception {
        try (WireFixture wire = new WireFixture();
                ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Address address = new Address("127.0.0.1", silent.getLocalPort());
            var call = wire.client(DEFAULTS).call(address, write(5000), wire.bytes(5000), LONG);
            call.cancel(false);
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(wire.loops.bufferBytes()).isLessThan(5000));
        }
    }

    @Test
    void aLostConnectionFailsItsCallsAndTheNextCallReconnects() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CountDownLatch asked = new CountDownLatch(1);
            CompletableFuture<Envelope> tooLate = new CompletableFuture<>();
            WireServer first = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                asked.countDown();
                return tooLate;
            });
            WireClient client = wire.client(DEFAULTS);
            var call = client.call(first.address(), write(7), wire.bytes(7), LONG);
            assertThat(asked.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            first.close();
            EcfsException seen = failure(call);
            tooLate.complete(new Envelope(new ChunkReply.Data(CHUNK, 0, 0), wire.bytes(5000)));
            assertThat(seen.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
            assertThat(seen.getMessage()).contains(first.address().toString());
            assertThat(failure(client.call(first.address(), write(0), LONG)).code())
                    .isEqualTo(ErrorCode.UNREACHABLE);
            WireServer second = wire.server(DEFAULTS, first.address(), WireFixture::acknowledge);
            result(client.call(second.address(), write(0), LONG));
        }
    }

    @Test
    void moreCallsThanMayWaitAreRefused() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CompletableFuture<Envelope> answer = new CompletableFuture<>();
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                return answer;
            });
            WireClient client = wire.client(options().inFlight(2, 1 << 20, 3).build());
            List<CompletableFuture<Envelope>> accepted = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                accepted.add(client.call(server.address(), write(10), wire.bytes(10), LONG));
            }
            EcfsException seen = failure(client.call(server.address(), write(10), wire.bytes(10), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.BUSY);
            answer.complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
            for (CompletableFuture<Envelope> call : accepted) {
                result(call);
            }
            result(client.call(server.address(), write(10), wire.bytes(10), LONG));
        }
    }

    @Test
    void whatDoesNotFitAFrameIsRefusedOnTheSpot() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(DEFAULTS, WireFixture::acknowledge);
            WireClient client = wire.client(options().frame(8192).build());
            EcfsException seen = failure(client.call(server.address(), write(9000), wire.bytes(9000), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            assertThat(seen.getMessage()).contains("8192");
        }
    }

    @Test
    void anAnswerThatDoesNotFitAFrameBecomesAFailure() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().frame(8192).build(), (session, request) -> {
                request.release();
                return CompletableFuture.completedFuture(
                        new Envelope(new ChunkReply.Data(CHUNK, 0, 0), wire.bytes(9000)));
            });
            assertThat(failure(wire.client(DEFAULTS).call(server.address(), write(0), LONG))
                            .code())
                    .isEqualTo(ErrorCode.INTERNAL);
        }
    }

    @Test
    void aConnectionTooManyIsToldSo() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(options().connections(1, 1).build(), WireFixture::acknowledge);
            WireClient first = wire.client(DEFAULTS);
            result(first.call(server.address(), write(0), LONG));
            EcfsException seen = failure(wire.client(DEFAULTS).call(server.address(), write(0), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.BUSY);
            result(first.call(server.address(), write(0), LONG));
            first.close();
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(server.connections()).isZero());
            result(wire.client(DEFAULTS).call(server.address(), write(0), LONG));
        }
    }

    @Test
    void anIdleConnectionIsClosedAndReopened() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(DEFAULTS, WireFixture::acknowledge);
            WireClient client = wire.client(options().times(5_000, 100).build());
            result(client.call(server.address(), write(0), LONG));
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(server.connections()).isZero());
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(client.connections()).isZero());
            result(client.call(server.address(), write(0), LONG));
        }
    }

    @Test
    void aPeerThatFellSilentIsLeftAfterATimeOut() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CompletableFuture<Envelope> tooLate = new CompletableFuture<>();
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                return tooLate;
            });
            WireClient client = wire.client(options().times(5_000, 50).build());
            var patient = client.call(server.address(), write(5), wire.bytes(5), Duration.ofDays(1_000_000));
            do { // where connecting takes long, the first time-out comes before the silence is long enough
                var hasty = client.call(server.address(), write(5), wire.bytes(5), Duration.ofMillis(200));
                assertThat(failure(hasty).code()).isEqualTo(ErrorCode.TIMEOUT);
            } while (!patient.isDone());
            assertThat(failure(patient).getMessage()).contains("nothing received");
            tooLate.complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
        }
    }

    @Test
    void aClosedClientFailsItsCalls() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            CompletableFuture<Envelope> tooLate = new CompletableFuture<>();
            WireServer server = wire.server(DEFAULTS, (session, request) -> {
                request.release();
                return tooLate;
            });
            WireClient client = wire.client(DEFAULTS);
            var before = client.call(server.address(), write(5), wire.bytes(5), LONG);
            client.close();
            assertThat(failure(before).code()).isEqualTo(ErrorCode.CONNECTION_LOST);
            var after = client.call(server.address(), write(5), wire.bytes(5), LONG);
            assertThat(failure(after).code()).isEqualTo(ErrorCode.CONNECTION_LOST);
            assertThat(failure(client.call(new Address("127.0.0.1", 1), write(5), wire.bytes(5), LONG))
                            .code())
                    .isEqualTo(ErrorCode.CONNECTION_LOST);
            tooLate.complete(Envelope.of(new ChunkReply.Written(CHUNK, 1)));
        }
    }

    @Test
    void anAddressInUseIsNamed() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(DEFAULTS, WireFixture::acknowledge);
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> wire.server(DEFAULTS, server.address(), WireFixture::acknowledge))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining(server.address().toString());
        }
    }
}
