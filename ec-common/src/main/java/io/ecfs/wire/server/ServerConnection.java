package io.ecfs.wire.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.Metering;
import io.ecfs.token.JoinToken;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.GreetingCheck;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.frame.EncodedFrame;
import io.ecfs.wire.frame.Frame;
import io.ecfs.wire.frame.FrameDecoder;
import io.ecfs.wire.frame.Intake;
import io.ecfs.wire.frame.MalformedFrame;
import io.ecfs.wire.tls.TlsRefusal;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of one connection: greets, and hands requests to its {@link ServerCalls} in order of arrival. Owned
 * by the channel's event loop.
 *
 * <pre>
 *   GREETING --Hello accepted------------------&gt; OPEN --malformed frame, channel closed--&gt; CLOSED
 *       |  `--with a nonce--&gt; PROVING --Prove--^  |
 *       `-----------------------`-- refused, wrong frame, too slow, too many connections, channel closed --&gt; CLOSED
 * </pre>
 */
final class ServerConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    /**
     * A fatal alert {@code protocol_version} (RFC 8446, 6.2), in a record of TLS 1.2: what a peer hears that wants TLS
     * where there is none.
     */
    private static final byte[] NO_TLS = {21, 3, 3, 0, 2, 2, 70};

    private enum State {
        GREETING,
        PROVING,
        OPEN,
        CLOSED
    }

    private final ServerContext shared;
    private final WireOptions options;
    private final FrameDecoder decoder;

    private ChannelHandlerContext context; // from handlerAdded on
    private AnswerFrames frames; // from handlerAdded on
    private State state = State.GREETING;
    private final Address remote;
    private Intake intake; // what the next frame is taken from
    private Greeting.Hello hello; // from PROVING on
    private Greeting.Welcome welcome; // from PROVING on
    private Session session; // from OPEN on
    private ServerCalls calls; // from OPEN on

    /** @param peer where the connection comes from; something else when it is gone again already */
    ServerConnection(ServerContext shared, SocketAddress peer) {
        this.shared = shared;
        this.options = shared.options();
        this.remote = peer instanceof InetSocketAddress known
                ? new Address(known.getAddress().getHostAddress(), known.getPort())
                : new Address("unknown", 0);
        this.intake = shared.requestMemory().stranger(remote);
        this.decoder = new FrameDecoder(intake, GreetingCheck.frameLimit(options));
    }

    FrameDecoder decoder() {
        return decoder;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        frames = new AnswerFrames(shared, added.alloc(), () -> remote, this::who);
    }

    @Override
    public void channelActive(ChannelHandlerContext unchanged) {
        if (!(context.channel().remoteAddress() instanceof InetSocketAddress peer)) {
            context.close(); // gone again already
            return;
        }
        shared.connections().add(context.channel());
        if (shared.connections().size() > options.maxConnections()) {
            refuse(0, busy("all " + options.maxConnections() + " connections of this server are taken"));
            return;
        }
        if (shared.requestMemory().connectionsOf(peer.getAddress()) > options.connectionsPerAddress()) {
            refuse(
                    0,
                    busy(options.connectionsPerAddress() + " connections of " + remote.host()
                            + " are open, more are refused (wire.connectionsPerAddress)"));
            return;
        }
        context.executor()
                .schedule(this::greetedInTime, options.handshakeTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static EcfsException busy(String reason) {
        return new EcfsException(ErrorCode.BUSY, reason);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext unchanged) {
        intake.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext unchanged, Object message) {
        Frame frame = (Frame) message;
        switch (state) {
            case GREETING -> greet(frame);
            case PROVING -> prove(frame);
            case OPEN -> receive(frame);
            case CLOSED -> drop(frame, intake);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext unchanged) {
        if (calls != null) {
            calls.peerTakesAnswers(context.channel().isWritable());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext unchanged, Object event) {
        if (event instanceof MalformedFrame malformed) {
            if (malformed.tls() && state == State.GREETING && options.tls().isEmpty()) {
                LOG.info(
                        "event=connection_refused peer={} reason=\"it speaks TLS, and there is no wire.tls here\"",
                        remote);
                context.pipeline().firstContext().writeAndFlush(Unpooled.wrappedBuffer(NO_TLS));
            } else {
                LOG.warn("event=malformed_frame peer={} {} reason=\"{}\"", remote, who(), malformed.reason());
            }
            become(State.CLOSED, "malformed frame");
        }
        if (event instanceof IdleStateEvent && (calls == null || calls.isIdle())) {
            LOG.debug("event=idle_connection_closed peer={} {}", remote, who());
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext unchanged, Throwable cause) {
        if (session == null && options.tls().isPresent()) {
            LOG.info("event=tls_refused peer={} reason=\"{}\"", remote, TlsRefusal.words(cause));
        } else {
            LOG.info("event=connection_failed peer={} {} reason=\"{}\"", remote, who(), cause.toString());
        }
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext unchanged) {
        become(State.CLOSED, "channel closed");
    }

    // Greeting

    private void greetedInTime() {
        if (state == State.GREETING || state == State.PROVING) {
            LOG.info("event=greeting_timeout peer={} waited={}", remote, options.handshakeTimeout());
            become(State.CLOSED, "too slow");
            context.close();
        }
    }

    private void greet(Frame frame) {
        Intake its = intake;
        long id = frame.header().id();
        try {
            if (!(decode(frame) instanceof Greeting.Hello said)) {
                throw new EcfsException(ErrorCode.MALFORMED, "the first message on a connection must be Hello");
            }
            hello = said;
            GreetingCheck.requireClean(hello);
            welcome = shared.greeting().get();
            GreetingCheck.require(hello, welcome);
            requireCertificate(hello);
            if (hello.nonce().isPresent() && shared.proof().token().isPresent()) {
                welcome = welcome.with(shared.proof().nonce());
                become(State.PROVING, "greeted");
            } else {
                open(new PeerIdentity.User(hello.user()));
            }
            send(frames.of(id, Envelope.of(welcome)));
        } catch (EcfsException e) {
            refuse(id, e);
        } finally {
            drop(frame, its);
        }
    }

    private void prove(Frame frame) {
        Intake its = intake;
        long id = frame.header().id();
        try {
            JoinToken token = shared.proof().token().orElseThrow();
            if (!(decode(frame) instanceof Greeting.Prove shown)) {
                throw new EcfsException(ErrorCode.MALFORMED, "the message after a Hello with a nonce must be Prove");
            }
            if (!token.accepts(shown.proof(), JoinToken.Prover.CALLER, hello, welcome)) {
                throw new EcfsException(
                        ErrorCode.ACCESS_DENIED,
                        "the caller's join token is not that of " + welcome.role()
                                + ": copy the file from a namenode to the caller's machine");
            }
            open(PeerIdentity.daemon(hello.role())
                    .orElseThrow(() -> new EcfsException(
                            ErrorCode.INVALID_ARGUMENT,
                            "namenodes and datanodes prove the join token, the caller is neither")));
            send(frames.of(id, Envelope.of(new Greeting.Proved(token.prove(JoinToken.Prover.SERVER, hello, welcome)))));
        } catch (EcfsException e) {
            refuse(id, e);
        } finally {
            drop(frame, its);
        }
    }

    private void open(PeerIdentity identity) {
        session = new Session(
                remote,
                hello.user(),
                hello.groups(),
                hello.role(),
                hello.clusterId(),
                options.tls().isEmpty(),
                Greeting.commonLevel(hello, welcome),
                identity);
        Traffic.Counters counters = shared.traffic().of(Metering.CallerKind.of(hello.role()));
        Intake stranger = intake;
        intake = shared.requestMemory().of(session);
        stranger.close();
        calls = new ServerCalls(shared, decoder, intake, context, frames, session, counters);
        become(State.OPEN, "welcomed");
        decoder.allow(options.maxFrameBytes(), intake);
    }

    /** Among themselves daemons show certificates, also where clients need none. */
    private void requireCertificate(Greeting.Hello hello) throws EcfsException {
        Metering.CallerKind kind = Metering.CallerKind.of(hello.role());
        boolean daemon = kind == Metering.CallerKind.DATANODE || kind == Metering.CallerKind.NAMENODE;
        if (daemon && options.tls().isPresent() && !showedCertificate()) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    "who greets as a " + kind.name().toLowerCase(Locale.ROOT)
                            + " must show a certificate: set wire.tls.certificate and wire.tls.key there");
        }
    }

    private boolean showedCertificate() {
        try {
            SslHandler tls = context.pipeline().get(SslHandler.class);
            return tls.engine().getSession().getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException none) {
            return false;
        }
    }

    private void refuse(long id, EcfsException reason) {
        LOG.info("event=connection_refused peer={} code={} reason=\"{}\"", remote, reason.code(), reason.getMessage());
        become(State.CLOSED, "refused");
        context.writeAndFlush(frames.ofFailure(id, reason)).addListener(ChannelFutureListener.CLOSE);
    }

    /** Nothing leads out of {@code CLOSED}: what comes later finds the connection closed already. */
    private void become(State next, String reason) {
        if (state != State.CLOSED) {
            LOG.debug(
                    "event=connection_state peer={} {} from={} to={} reason=\"{}\"",
                    remote,
                    who(),
                    state,
                    next,
                    reason);
            state = next;
            if (next == State.CLOSED && calls != null) {
                calls.close();
                shared.handler().closed(session);
            }
        }
    }

    private void receive(Frame frame) {
        if (frame.header().answer()) {
            drop(frame, intake);
            context.pipeline().fireUserEventTriggered(new MalformedFrame("an answer, where requests are due"));
            context.close();
        } else {
            calls.receive(frame);
        }
    }

    // Frames

    private void send(EncodedFrame frame) {
        context.writeAndFlush(frame);
    }

    private Message decode(Frame frame) throws EcfsException {
        return shared.codec().decode(frame.header().type(), frame.head());
    }

    /** Ends a frame that no handler will see. */
    private static void drop(Frame frame, Intake its) {
        frame.release();
        its.release(frame.header().length());
    }

    private String who() {
        return session == null ? "user=? role=?" : "user=" + session.user() + " role=\"" + session.role() + "\"";
    }
}
