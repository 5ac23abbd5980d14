package io.ecfs.wire.client;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Failure;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.token.JoinToken;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.GreetingCheck;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.frame.EncodedFrame;
import io.ecfs.wire.frame.Frame;
import io.ecfs.wire.frame.FrameDecoder;
import io.ecfs.wire.frame.FrameEncoder;
import io.ecfs.wire.frame.FrameReceiver;
import io.ecfs.wire.frame.Intake;
import io.ecfs.wire.frame.MalformedFrame;
import io.ecfs.wire.tls.TlsRefusal;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One TCP connection of a {@link ClientConnection}: builds its pipeline, greets, and hands answers to their calls. */
final class ClientChannel extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ClientChannel.class);

    private final ClientContext shared;
    private final WireOptions options;
    private final Address peer;
    private final ClientConnection connection;
    /** Unbounded, since callers bound their requests. */
    private final Intake intake = Intake.of(new MemoryBudget("answers", Long.MAX_VALUE));

    private final FrameDecoder decoder;

    private ChannelHandlerContext context; // from channelRegistered on
    private Greeting.Hello hello; // once sent
    private Greeting.Welcome welcome; // while the proof is under way
    private boolean welcomed;
    private String failure = "closed by the peer";

    ClientChannel(ClientContext shared, Address peer, ClientConnection connection) {
        this.shared = shared;
        this.options = shared.options();
        this.peer = peer;
        this.connection = connection;
        this.decoder = new FrameDecoder(intake, GreetingCheck.frameLimit(options));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRegistered(ChannelHandlerContext unchanged) {
        ChannelPipeline pipeline = context.pipeline();
        long idleMillis = options.idleTimeout().toMillis();
        String self = context.name();
        shared.tls().ifPresent(tls -> {
            SslHandler ssl = tls.newHandler(context.alloc(), peer.host(), peer.port());
            ssl.setHandshakeTimeoutMillis(options.handshakeTimeout().toMillis());
            pipeline.addBefore(self, "tls", ssl);
        });
        pipeline.addBefore(self, "flush", new FlushConsolidationHandler(FrameEncoder.FLUSH_AFTER, true));
        pipeline.addBefore(self, "idle", new IdleStateHandler(true, 0, 0, idleMillis, TimeUnit.MILLISECONDS));
        pipeline.addBefore(self, "decoder", decoder);
        pipeline.addBefore(self, "encoder", new FrameEncoder());
        if (shared.tls().isEmpty()) {
            context.channel().config().setRecvByteBufAllocator(new FrameReceiver(decoder));
        }
        context.fireChannelRegistered();
    }

    @Override
    public void channelActive(ChannelHandlerContext unchanged) {
        context.executor()
                .schedule(this::welcomedInTime, options.handshakeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        if (shared.tls().isEmpty()) {
            greet();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext unchanged, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            tlsDone(handshake);
        }
        if (event instanceof MalformedFrame frame) {
            malformed(frame);
        }
        if (event instanceof IdleStateEvent) {
            connection.idle(context.channel());
        }
    }

    private void tlsDone(SslHandshakeCompletionEvent handshake) {
        if (handshake.isSuccess()) {
            greet();
        } else {
            tlsFailed(handshake.cause());
        }
    }

    private void malformed(MalformedFrame frame) {
        if (welcomed) {
            LOG.warn("event=malformed_frame peer={} reason=\"{}\"", peer, frame.reason());
            connection.lost(context.channel(), "malformed frame: " + frame.reason());
        } else {
            refused(
                    ErrorCode.MALFORMED,
                    frame.tls()
                            ? peer + " speaks TLS: set client.tls.authority (for a daemon wire.tls) to the"
                                    + " certificates that it is signed by"
                            : peer + " does not speak ECFS: " + frame.reason());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext unchanged, Object message) {
        Frame frame = (Frame) message;
        intake.release(frame.header().length());
        connection.received();
        if (!frame.header().answer()) {
            frame.release();
            context.pipeline().fireUserEventTriggered(new MalformedFrame("a request, where answers are due"));
        } else if (welcomed) {
            answer(frame);
        } else {
            welcome(frame);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext unchanged, Throwable cause) {
        failure = String.valueOf(cause.getMessage());
        if (!welcomed && shared.tls().isPresent() && TlsRefusal.in(cause).isPresent()) {
            tlsFailed(cause); // in TLS 1.3 a server judges our certificate when we take the handshake for done
        }
        context.close();
    }

    private void tlsFailed(Throwable cause) {
        Optional<TlsRefusal> lasting = TlsRefusal.in(cause);
        connection.refused(
                context.channel(),
                new EcfsException(
                        ErrorCode.UNREACHABLE,
                        "TLS handshake with " + peer + " failed: "
                                + lasting.map(refusal -> refusal.advice(peer.host()))
                                        .orElseGet(() -> TlsRefusal.words(cause) + ": does it speak TLS?"),
                        lasting.map(refusal -> (Throwable) refusal).orElse(cause)));
    }

    @Override
    public void channelInactive(ChannelHandlerContext unchanged) {
        if (welcomed) {
            connection.lost(context.channel(), failure);
        } else {
            refused(
                    ErrorCode.UNREACHABLE,
                    peer + " broke the connection before it greeted (" + failure
                            + "): is it an ECFS daemon, and is TLS set alike on both sides?");
        }
    }

    private void greet() {
        hello = shared.greeting().get();
        if (shared.proof().token().isPresent()) {
            hello = hello.with(shared.proof().nonce());
        }
        say(hello);
    }

    private void say(Greeting word) {
        try {
            context.writeAndFlush(EncodedFrame.of(
                    shared.codec(), context.alloc(), 0, 0, Envelope.of(word), GreetingCheck.frameLimit(options)));
        } catch (EcfsException e) {
            refused(e.code(), "cannot greet " + peer + ": " + e.getMessage());
        }
    }

    private void welcomedInTime() {
        if (!welcomed) {
            refused(
                    ErrorCode.UNREACHABLE,
                    peer + " accepted the connection and did not greet within "
                            + options.handshakeTimeout().toMillis()
                            + " ms: is it an ECFS daemon, and is TLS set alike on both sides?");
        }
    }

    private void welcome(Frame frame) {
        try {
            Message head = decode(frame);
            if (head instanceof Failure refusal) {
                connection.refused(context.channel(), refusal.toException());
            } else if (!(welcome == null ? greeted(head) : proved(head))) {
                refused(
                        ErrorCode.MALFORMED,
                        peer + " greeted with " + head.getClass().getSimpleName());
            }
        } catch (EcfsException e) {
            refused(e.code(), peer + " is refused: " + e.getMessage());
        } finally {
            frame.release();
        }
    }

    /** Returns false for another message than the one that is due. */
    private boolean greeted(Message head) throws EcfsException {
        if (!(head instanceof Greeting.Welcome said)) {
            return false;
        }
        GreetingCheck.requireClean(said);
        GreetingCheck.require(hello, said);
        welcome = said;
        prove();
        return true;
    }

    /** Returns false for another message than the one that is due. */
    private boolean proved(Message head) throws EcfsException {
        if (!(head instanceof Greeting.Proved shown)) {
            return false;
        }
        requireProof(shown);
        open();
        return true;
    }

    /**
     * Proves the join token when both ends have one; a peer without one is accepted as long as no proof is required.
     */
    private void prove() throws EcfsException {
        Optional<JoinToken> token = shared.proof().token();
        if (token.isPresent() && welcome.nonce().isPresent()) {
            say(new Greeting.Prove(token.get().prove(JoinToken.Prover.CALLER, hello, welcome)));
        } else if (shared.proof().required().getAsBoolean()) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    welcome.role()
                            + " does not prove the cluster's join token: start it with this release and a copy of"
                            + " the file");
        } else {
            open();
        }
    }

    private void requireProof(Greeting.Proved shown) throws EcfsException {
        if (!shared.proof().token().orElseThrow().accepts(shown.proof(), JoinToken.Prover.SERVER, hello, welcome)) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    "the join token of " + welcome.role()
                            + " is not the caller's: copy the file from a namenode to it");
        }
    }

    private void open() {
        welcomed = true;
        decoder.allow(options.maxFrameBytes(), intake);
        connection.welcomed(context.channel(), welcome.role(), Greeting.commonLevel(hello, welcome));
    }

    private void answer(Frame frame) {
        PendingCall call =
                connection.answered(context.channel(), frame.header().id()).orElse(null);
        if (call == null) {
            frame.release(); // too late: its call was cancelled
            return;
        }
        Message head;
        try {
            head = decode(frame);
        } catch (EcfsException e) {
            frame.release();
            call.fail(new EcfsException(
                    e.code(), "answer of " + peer + " to " + call.request() + ": " + e.getMessage(), e));
            return;
        }
        frame.head().release();
        if (head instanceof Failure failed) {
            frame.payload().release();
            call.fail(failed.toException());
        } else {
            call.answer(new Envelope(head, frame.payload()));
        }
    }

    private Message decode(Frame frame) throws EcfsException {
        return shared.codec().decode(frame.header().type(), frame.head());
    }

    private void refused(ErrorCode code, String reason) {
        connection.refused(context.channel(), new EcfsException(code, reason));
    }
}
