package io.ecfs.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import io.ecfs.wire.tls.ClientTls;
import io.ecfs.wire.tls.PeerProof;
import io.ecfs.wire.tls.TlsOptions;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Event loops, servers and clients of one test; closing it checks that no buffer is left over. */
public final class WireFixture implements AutoCloseable {
    static final Duration LONG = Duration.ofMinutes(2);
    public static final ChunkId CHUNK = new ChunkId(new GroupId(17), 3, 0);

    final WireLoops loops;
    private final List<WireServer> servers = new ArrayList<>();
    private final List<WireClient> clients = new ArrayList<>();

    public WireFixture() {
        this(false);
    }

    WireFixture(boolean nio) {
        loops = nio ? WireLoops.openNio("test-wire", 2) : WireLoops.open("test-wire", 2);
    }

    static Greeting.Hello hello(String cluster) {
        return new Greeting.Hello(Greeting.PROTOCOL_VERSION, cluster, "ada", List.of("staff", "dev"), "client");
    }

    /** Of one that may read checkpoints, whose answers are as large as it asks for. */
    static Greeting.Hello namenode() {
        return new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", "root", List.of(), "namenode nn0");
    }

    static Greeting.Welcome welcome(String cluster) {
        return new Greeting.Welcome(Greeting.PROTOCOL_VERSION, cluster, "datanode dn1");
    }

    WireServer server(WireOptions options, Handler handler) throws EcfsException {
        return server(options, new Address("127.0.0.1", 0), handler);
    }

    WireServer server(WireOptions options, Address listen, Handler handler) throws EcfsException {
        WireServer server = WireServer.start(loops, options, listen, () -> welcome("c1"), handler);
        servers.add(server);
        return server;
    }

    public WireServer server(PeerProof proof, Handler handler) throws EcfsException {
        WireServer server = WireServer.start(
                loops, WireOptions.defaults(), new Address("127.0.0.1", 0), () -> welcome("c1"), proof, handler);
        servers.add(server);
        return server;
    }

    WireClient client(Greeting.Hello hello, PeerProof proof) throws EcfsException {
        WireClient client = new WireClient(loops, WireOptions.defaults(), () -> hello, proof);
        clients.add(client);
        return client;
    }

    WireClient client(WireOptions options) throws EcfsException {
        return client(options, hello("c1"));
    }

    WireClient client(WireOptions options, Greeting.Hello hello) throws EcfsException {
        WireClient client = new WireClient(loops, options, () -> hello);
        clients.add(client);
        return client;
    }

    /** One with TLS of its own. */
    WireClient client(WireOptions options, ClientTls tls, Greeting.Hello hello) throws EcfsException {
        WireClient client = new WireClient(loops, options, Optional.of(tls), () -> hello);
        clients.add(client);
        return client;
    }

    /** Bytes that tell their position; filled at once, because leak tracking makes each access slow. */
    public static byte[] pattern(int n) {
        byte[] pattern = new byte[n];
        for (int i = 0; i < n; i++) {
            pattern[i] = (byte) (i * 31 + (i >>> 8));
        }
        return pattern;
    }

    ByteBuf bytes(int n) {
        return loops.allocator().directBuffer(n).writeBytes(pattern(n));
    }

    /** Answers {@code WriteCells} with {@code Written}, length = payload bytes. */
    static CompletableFuture<Envelope> acknowledge(Session session, Envelope request) {
        int bytes = request.payload().readableBytes();
        request.release();
        return CompletableFuture.completedFuture(Envelope.of(new ChunkReply.Written(CHUNK, bytes)));
    }

    public static ChunkRequest.WriteCells write(int bytes) {
        return write(0, bytes);
    }

    static ChunkRequest.WriteCells write(long number, int bytes) {
        return new ChunkRequest.WriteCells(CHUNK, 1, number * 4096, bytes, 0);
    }

    static EcfsException failure(CompletableFuture<?> call) throws InterruptedException, TimeoutException {
        try {
            Object result = call.get(LONG.toSeconds(), TimeUnit.SECONDS);
            throw new AssertionError("call succeeded: " + result);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(EcfsException.class);
            return (EcfsException) e.getCause();
        }
    }

    static <T> T result(CompletableFuture<T> call) throws Exception {
        return call.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    void awaitNoBuffers() {
        await().atMost(LONG)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(loops.bufferBytes()).isZero());
    }

    @Override
    public void close() {
        clients.forEach(WireClient::close);
        servers.forEach(WireServer::close);
        awaitNoBuffers();
        for (WireServer server : servers) {
            await().atMost(LONG).untilAsserted(() -> {
                assertThat(server.requestBytes()).isZero();
                assertThat(server.answerBytes()).isZero();
            });
        }
        loops.close();
    }

    /** The defaults with some bounds changed. */
    static final class OptionsBuilder {
        private static final WireOptions DEFAULTS = WireOptions.defaults();

        private int maxFrameBytes = DEFAULTS.maxFrameBytes();
        private int maxConnections = DEFAULTS.maxConnections();
        private int connectionsPerPeer = DEFAULTS.connectionsPerPeer();
        private int maxCallsInFlight = DEFAULTS.maxCallsInFlight();
        private long maxBytesInFlight = DEFAULTS.maxBytesInFlight();
        private int maxCallsWaiting = DEFAULTS.maxCallsWaiting();
        private long serverRequestBytes = DEFAULTS.serverRequestBytes();
        private long serverAnswerBytes = DEFAULTS.serverAnswerBytes();
        private Duration handshakeTimeout = DEFAULTS.handshakeTimeout();
        private Duration idleTimeout = DEFAULTS.idleTimeout();
        private Optional<TlsOptions> tls = Optional.empty();

        OptionsBuilder frame(int bytes) {
            maxFrameBytes = bytes;
            return this;
        }

        OptionsBuilder connections(int max, int perPeer) {
            maxConnections = max;
            connectionsPerPeer = perPeer;
            return this;
        }

        OptionsBuilder inFlight(int calls, long bytes, int waiting) {
            maxCallsInFlight = calls;
            maxBytesInFlight = bytes;
            maxCallsWaiting = waiting;
            return this;
        }

        OptionsBuilder server(long requestBytes, long answerBytes) {
            serverRequestBytes = requestBytes;
            serverAnswerBytes = answerBytes;
            return this;
        }

        OptionsBuilder times(long handshakeMillis, long idleMillis) {
            handshakeTimeout = Duration.ofMillis(handshakeMillis);
            idleTimeout = Duration.ofMillis(idleMillis);
            return this;
        }

        OptionsBuilder tls(TlsOptions options) {
            tls = Optional.of(options);
            return this;
        }

        WireOptions build() {
            return new WireOptions(
                    maxFrameBytes,
                    maxConnections,
                    DEFAULTS.connectionsPerAddress(),
                    connectionsPerPeer,
                    maxCallsInFlight,
                    maxBytesInFlight,
                    maxCallsWaiting,
                    serverRequestBytes,
                    serverAnswerBytes,
                    DEFAULTS.connectTimeout(),
                    handshakeTimeout,
                    idleTimeout,
                    tls);
        }
    }

    static OptionsBuilder options() {
        return new OptionsBuilder();
    }
}
