package io.ecfs.wire.client;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.AnswerBytes;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.frame.EncodedFrame;
import io.ecfs.wire.tls.ClientTls;
import io.ecfs.wire.tls.PeerProof;
import io.ecfs.wire.tls.TlsContexts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Calls over the network: a small fixed number of connections to each peer, opened by the first call and reopened by
 * the next one after they broke. Its memory is bounded by {@link WireOptions} for each connection.
 */
public final class WireClient implements Caller {
    private final ClientContext shared;
    private final Map<Address, Peer> peers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Peer(ClientConnection[] connections, AtomicInteger turn) {
        /**
         * All calls about one chunk take the same connection and so keep their order; others, and reads of several,
         * take turns.
         */
        ClientConnection pick(Message request) {
            if (connections.length == 1) {
                return connections[0];
            }
            int key = request instanceof ChunkRequest about ? about.chunk().hashCode() : turn.getAndIncrement();
            return connections[Math.floorMod(key, connections.length)];
        }
    }

    /**
     * Of one that proves nothing and wants no proof.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when a TLS file cannot be used
     */
    public WireClient(WireLoops loops, WireOptions options, Supplier<Greeting.Hello> greeting) throws EcfsException {
        this(loops, options, greeting, PeerProof.NONE);
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} when a TLS file cannot be used */
    public WireClient(WireLoops loops, WireOptions options, Supplier<Greeting.Hello> greeting, PeerProof proof)
            throws EcfsException {
        this(loops, options, options.tls().map(ClientTls::of), greeting, proof);
    }

    /**
     * A client that need not show a certificate, and proves nothing.
     *
     * @param tls takes the place of what {@code options} say of TLS; empty: plain
     * @throws EcfsException {@code INVALID_ARGUMENT} when a TLS file cannot be used
     */
    public WireClient(WireLoops loops, WireOptions options, Optional<ClientTls> tls, Supplier<Greeting.Hello> greeting)
            throws EcfsException {
        this(loops, options, tls, greeting, PeerProof.NONE);
    }

    private WireClient(
            WireLoops loops,
            WireOptions options,
            Optional<ClientTls> tls,
            Supplier<Greeting.Hello> greeting,
            PeerProof proof)
            throws EcfsException {
        Optional<SslContext> context = tls.isPresent() ? Optional.of(TlsContexts.client(tls.get())) : Optional.empty();
        shared = new ClientContext(loops, options, greeting, proof, new MessageCodec(), context);
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        PendingCall call = new PendingCall(request, timeout);
        send(to, request, payload, List.of(call));
        return call.result();
    }

    @Override
    public List<CompletableFuture<Envelope>> callAll(Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
        List<CompletableFuture<Envelope>> results = new ArrayList<>(reads.size());
        for (List<ChunkRequest.ReadChunk> together :
                AnswerBytes.together(reads, shared.options().maxFrameBytes())) {
            List<PendingCall> calls = together.stream()
                    .map(read -> new PendingCall(read, timeout))
                    .toList();
            Message request = together.size() == 1 ? together.get(0) : new ChunkReads(together);
            send(to, request, Unpooled.EMPTY_BUFFER, calls);
            calls.forEach(call -> results.add(call.result()));
        }
        return results;
    }

    /** @param calls that the request is, in the order of their numbers */
    private void send(Address to, Message request, ByteBuf payload, List<PendingCall> calls) {
        EncodedFrame frame;
        try {
            frame = EncodedFrame.of(
                    shared.codec(),
                    shared.loops().allocator(),
                    0,
                    0,
                    new Envelope(request, payload),
                    shared.options().maxFrameBytes());
        } catch (EcfsException e) {
            calls.forEach(call -> call.fail(e));
            return;
        }
        OutboundBatch batch = new OutboundBatch(frame, calls);
        if (closed) {
            batch.fail(ClientConnection.closed(to));
        } else {
            peers.computeIfAbsent(to, this::peer).pick(request).submit(batch);
            if (closed) {
                close(); // a peer that was added while close() ran
            }
        }
    }

    /**
     * The feature level that all connections to a peer have in common: nothing above it may be sent there. Empty before
     * the first greeting.
     */
    public OptionalInt featureLevel(Address to) {
        return Stream.ofNullable(peers.get(to))
                .flatMap(peer -> Arrays.stream(peer.connections()))
                .flatMapToInt(connection -> connection.featureLevel().stream())
                .min();
    }

    /**
     * Returns whether a new connection to an address is refused: the machine answers, and no process listens there.
     * False when it is accepted, when nothing answers in the time to connect, and when the reason is any other.
     */
    public CompletableFuture<Boolean> refuses(Address address) {
        return closed ? CompletableFuture.completedFuture(false) : RefusedConnect.at(address, shared);
    }

    /** Connections that are open or being opened. */
    public int connections() {
        return (int) peers.values().stream()
                .flatMap(peer -> Arrays.stream(peer.connections()))
                .filter(ClientConnection::isConnected)
                .count();
    }

    @Override
    public void close() {
        closed = true;
        peers.forEach((address, peer) -> {
            for (ClientConnection connection : peer.connections()) {
                connection.close();
            }
        });
    }

    private Peer peer(Address address) {
        ClientConnection[] connections = IntStream.range(0, shared.options().connectionsPerPeer())
                .mapToObj(i -> new ClientConnection(
                        shared, address, shared.loops().group().next()))
                .toArray(ClientConnection[]::new);
        return new Peer(connections, new AtomicInteger());
    }
}
