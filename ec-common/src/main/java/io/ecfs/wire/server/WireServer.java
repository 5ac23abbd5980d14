package io.ecfs.wire.server;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.Metering;
import io.ecfs.wire.Handler;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.frame.FrameDecoder;
import io.ecfs.wire.frame.FrameEncoder;
import io.ecfs.wire.frame.FrameProgress;
import io.ecfs.wire.frame.FrameReceiver;
import io.ecfs.wire.tls.PeerProof;
import io.ecfs.wire.tls.TlsContexts;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens at one address and passes every request to one {@link Handler}. {@link WireOptions} bound its memory for any
 * behaviour of its peers: request bytes by one budget, answer bytes by another, requests in flight by connection.
 */
public final class WireServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WireServer.class);
    private static final int BACKLOG = 1024;

    /**
     * Unsent bytes at which a connection is read again, and at which it is no longer read. Netty's 32 and 64 KiB are
     * two small chunks.
     */
    private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private final Channel listener;
    private final ChannelGroup connections;
    private final Address address;
    private final RequestMemory requestMemory;
    private final MemoryBudget answerBytes;
    private final Traffic traffic;

    private WireServer(Channel listener, ChannelGroup connections, Address address, ServerContext shared) {
        this.listener = listener;
        this.connections = connections;
        this.address = address;
        this.requestMemory = shared.requestMemory();
        this.answerBytes = shared.answerBytes();
        this.traffic = shared.traffic();
    }

    /**
     * As {@link #start(WireLoops, WireOptions, Address, Supplier, PeerProof, Handler)}, for a server that proves
     * nothing and requires no proof.
     */
    public static WireServer start(
            WireLoops loops, WireOptions options, Address listen, Supplier<Greeting.Welcome> greeting, Handler handler)
            throws EcfsException {
        return start(loops, options, listen, greeting, PeerProof.NONE, handler);
    }

    /**
     * Listens.
     *
     * @param listen port 0 takes a free one, see {@link #address}
     * @param greeting of this daemon; read anew for each connection. An empty cluster id accepts callers of any cluster
     * @throws EcfsException {@code INVALID_ARGUMENT} when the address cannot be listened on or a TLS file cannot be
     *     used
     */
    public static WireServer start(
            WireLoops loops,
            WireOptions options,
            Address listen,
            Supplier<Greeting.Welcome> greeting,
            PeerProof proof,
            Handler handler)
            throws EcfsException {
        Optional<SslContext> tls = options.tls().isPresent()
                ? Optional.of(TlsContexts.server(options.tls().get()))
                : Optional.empty();
        ChannelGroup connections = new DefaultChannelGroup("wire-connections", GlobalEventExecutor.INSTANCE, true);
        ServerContext shared = new ServerContext(
                options,
                greeting,
                proof,
                handler,
                new MessageCodec(),
                connections,
                new RequestMemory("requests of " + listen, options),
                new MemoryBudget("answers of " + listen, options.serverAnswerBytes()),
                new Traffic());
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, loops.allocator())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                .childHandler(pipeline(shared, tls))
                .bind(listen.host(), listen.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "cannot listen on " + listen + ": " + bound.cause().getMessage(),
                    bound.cause());
        }
        InetSocketAddress local = (InetSocketAddress) bound.channel().localAddress();
        Address address = new Address(listen.host(), local.getPort());
        LOG.info("event=wire_listening address={} transport={} tls={}", address, loops.transport(), tls.isPresent());
        return new WireServer(bound.channel(), connections, address, shared);
    }

    /** The address as given, with the port it has. */
    public Address address() {
        return address;
    }

    /** Open connections. */
    public int connections() {
        return connections.size();
    }

    /** Request bytes in use by all connections. */
    public long requestBytes() {
        return requestMemory.usedBytes();
    }

    /** Answer payload in use, or reserved, by all connections. */
    public long answerBytes() {
        return answerBytes.usedBytes();
    }

    /** Traffic with each kind of caller since the start. */
    public List<Metering.Flow> flows() {
        return traffic.flows();
    }

    /** Bytes exchanged in both directions with this kind of caller since the start, before TLS. */
    public long bytesExchanged(Metering.CallerKind caller) {
        return traffic.of(caller).bytes();
    }

    /**
     * Stops listening and closes all connections; answers that come later are released. Not to be called from a
     * handler. Idempotent.
     */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    private static SslHandler handler(SslContext context, Channel channel, WireOptions options) {
        SslHandler handler = context.newHandler(channel.alloc());
        handler.setHandshakeTimeoutMillis(options.handshakeTimeout().toMillis());
        return handler;
    }

    private static ChannelInitializer<Channel> pipeline(ServerContext shared, Optional<SslContext> tls) {
        FrameEncoder encoder = new FrameEncoder();
        // Twice the client's: of two idle ends the client closes, which cannot lose a request.
        long idleMillis = 2 * shared.options().idleTimeout().toMillis();
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                ChannelPipeline pipeline = channel.pipeline();
                tls.ifPresent(context ->
                        pipeline.addLast(new PlainCallers(shared), handler(context, channel, shared.options())));
                pipeline.addLast(new FlushConsolidationHandler(FrameEncoder.FLUSH_AFTER, true));
                pipeline.addLast(new IdleStateHandler(true, 0, 0, idleMillis, TimeUnit.MILLISECONDS));
                ServerConnection connection = new ServerConnection(shared, channel.remoteAddress());
                FrameDecoder decoder = connection.decoder();
                pipeline.addLast(decoder, new FrameProgress(decoder), encoder, connection);
                if (tls.isEmpty()) {
                    channel.config().setRecvByteBufAllocator(new FrameReceiver(decoder));
                }
            }
        };
    }
}
