package io.ecfs.wire;

import io.ecfs.buffer.ProcessMemory;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.Address;
import io.ecfs.message.ChunkReads;
import io.ecfs.message.ChunkRequest;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.Metering;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of one connection: greets, hands requests to the handler in order of arrival, sends answers as they come. Owned by
 * the channel's event loop.
 *
 * <pre>
 *   GREETING --Hello accepted--&gt; OPEN --malformed frame, channel closed--&gt; CLOSED
 *       `-- refused, wrong first frame, too slow, too many connections, channel closed --&gt; CLOSED
 * </pre>
 *
 * A request holds its frame's bytes of the request budget until it is answered, and its answer's expected bytes of the answer budget
 * until the answer is on its way. The two budgets are taken one after the other and given back independently, so they cannot
 * deadlock.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by exceptionCaught and channelInactive
final class ServerConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    private static final int GREETING_BYTES = 64 << 10;

    private enum State {
        GREETING,
        OPEN,
        CLOSED
    }

    private final WireServer.Shared shared;
    private final WireOptions options;
    private final FrameDecoder decoder;

    private ChannelHandlerContext context; // from handlerAdded on
    private AnswerFrames frames; // from handlerAdded on
    private State state = State.GREETING;
    private Address remote = new Address("unknown", 0);
    private Session session; // from OPEN on
    private Traffic.Counters counters; // from OPEN on
    private int callsInFlight;
    private long bytesInFlight;
    private int withHandler;

    /** A request under way: what it holds until it is answered and sent. */
    private record Call(long id, long requestBytes, long answerBytes, long arrivedNanos) {
        long bytes() {
            return requestBytes + answerBytes;
        }
    }

    private record Asked(Call call, Parcel request) {}

    ServerConnection(WireServer.Shared shared, FrameDecoder decoder) {
        this.shared = shared;
        this.options = shared.options();
        this.decoder = decoder;
    }

    /** Strangers may not make the server allocate whole frames. */
    static int greetingLimit(WireOptions options) {
        return Math.min(GREETING_BYTES, options.maxFrameBytes());
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
        remote = new Address(peer.getAddress().getHostAddress(), peer.getPort());
        shared.connections().add(context.channel());
        if (shared.connections().size() > options.maxConnections()) {
            refuse(
                    0,
                    new EcfsException(
                            ErrorCode.BUSY,
                            "all " + options.maxConnections() + " connections of this server are taken"));
            return;
        }
        context.executor()
                .schedule(this::greetedInTime, options.handshakeTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext unchanged, Object message) {
        Frame frame = (Frame) message;
        switch (state) {
            case GREETING -> greet(frame);
            case OPEN -> receive(frame);
            case CLOSED -> drop(frame);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext unchanged) {
        if (context.channel().isWritable()) {
            decoder.resume(FrameDecoder.Hold.UNWRITABLE);
        } else {
            decoder.hold(FrameDecoder.Hold.UNWRITABLE);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext unchanged, Object event) {
        if (event instanceof MalformedFrame malformed) {
            LOG.warn("event=malformed_frame peer={} {} reason=\"{}\"", remote, who(), malformed.reason());
            become(State.CLOSED, "malformed frame");
        } else if (event instanceof IdleStateEvent && withHandler == 0) {
            LOG.debug("event=idle_connection_closed peer={} {}", remote, who());
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext unchanged, Throwable cause) {
        LOG.info("event=connection_failed peer={} {} reason=\"{}\"", remote, who(), cause.toString());
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext unchanged) {
        become(State.CLOSED, "channel closed");
    }

    // Greeting

    private void greetedInTime() {
        if (state == State.GREETING) {
            LOG.info("event=greeting_timeout peer={} waited={}", remote, options.handshakeTimeout());
            become(State.CLOSED, "too slow");
            context.close();
        }
    }

    private void greet(Frame frame) {
        long id = frame.header().id();
        try {
            if (!(decode(frame) instanceof Greeting.Hello hello)) {
                throw new EcfsException(ErrorCode.MALFORMED, "the first message on a connection must be Hello");
            }
            Greeting.Welcome welcome = shared.greeting().get();
            GreetingCheck.require(hello, welcome);
            session = new Session(
                    remote,
                    hello.user(),
                    hello.groups(),
                    hello.role(),
                    hello.clusterId(),
                    options.tls().isEmpty());
            counters = shared.traffic().of(Metering.CallerKind.of(hello.role()));
            become(State.OPEN, "welcomed");
            decoder.allow(options.maxFrameBytes());
            send(frames.of(id, Parcel.of(welcome)));
        } catch (EcfsException e) {
            refuse(id, e);
        } finally {
            drop(frame);
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
        }
    }

    // Requests

    private void receive(Frame frame) {
        FrameHeader header = frame.header();
        if (header.answer()) {
            drop(frame);
            context.pipeline().fireUserEventTriggered(new MalformedFrame("an answer, where requests are due"));
            context.close();
            return;
        }
        Message head;
        long answerBytes;
        int calls = 1;
        try {
            head = decode(frame);
            calls = head instanceof ChunkReads several ? several.reads().size() : 1;
            answerBytes = AnswerBytes.expected(head);
            if (answerBytes > options.maxFrameBytes()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        head.getClass().getSimpleName() + " asks for " + answerBytes
                                + " bytes in one answer, the limit is " + options.maxFrameBytes());
            }
        } catch (EcfsException e) {
            drop(frame);
            for (int i = 0; i < calls; i++) {
                send(frames.ofFailure(header.id() + i, e));
            }
            return;
        }
        frame.head().release();
        counters.received(FrameHeader.BYTES + (long) header.length());
        if (head instanceof ChunkReads several) {
            frame.payload().release();
            receive(header, several);
            return;
        }
        Call call = new Call(header.id(), header.length(), answerBytes, nanos());
        begin(call);
        promiseAnswers(new ArrayDeque<>(List.of(new Asked(call, new Parcel(head, frame.payload())))));
    }

    /** Each read is a call of its own; the bytes of the message are held until the first is answered. */
    private void receive(FrameHeader header, ChunkReads several) {
        Deque<Asked> reads = new ArrayDeque<>();
        for (ChunkRequest.ReadChunk read : several.reads()) {
            long requestBytes = reads.isEmpty() ? header.length() : 0;
            Call call = new Call(header.id() + reads.size(), requestBytes, AnswerBytes.expected(read), nanos());
            begin(call);
            reads.add(new Asked(call, Parcel.of(read)));
        }
        promiseAnswers(reads);
    }

    /**
     * What has its answers' bytes granted goes to the handler together. For the others the connection stands still until they have them, so order
     * is kept.
     *
     * @return whether all that was asked has gone to the handler
     */
    private boolean promiseAnswers(Deque<Asked> asked) {
        List<Asked> granted = new ArrayList<>();
        while (!asked.isEmpty()) {
            Asked next = asked.remove();
            CompletableFuture<Void> promise =
                    shared.answerBytes().acquire(next.call().answerBytes());
            if (!promise.isDone()) {
                dispatch(granted);
                await(promise, next, asked);
                return false;
            }
            granted.add(next);
        }
        dispatch(granted);
        return true;
    }

    private void await(CompletableFuture<Void> promise, Asked next, Deque<Asked> others) {
        decoder.hold(FrameDecoder.Hold.ANSWER);
        var unused = promise.thenRunAsync(
                () -> {
                    dispatch(List.of(next));
                    if (promiseAnswers(others)) {
                        decoder.resume(FrameDecoder.Hold.ANSWER);
                    }
                },
                context.executor());
    }

    private void dispatch(List<Asked> granted) {
        if (granted.isEmpty()) {
            return;
        }
        if (state == State.CLOSED) {
            granted.forEach(asked -> {
                asked.request().release();
                answered(asked.call());
                sent(asked.call());
            });
            return;
        }
        withHandler += granted.size();
        List<? extends CompletionStage<Parcel>> stages = handle(granted);
        for (int i = 0; i < stages.size(); i++) {
            answerLater(granted.get(i).call(), stages.get(i));
        }
    }

    private void answerLater(Call call, CompletionStage<Parcel> stage) {
        var unused = stage.whenComplete((answer, failure) -> {
            EncodedFrame frame = failure == null && answer != null
                    ? frames.of(call.id(), answer)
                    : frames.ofFailure(call.id(), failure);
            try {
                context.executor().execute(() -> answer(call, frame));
            } catch (RejectedExecutionException e) {
                frame.release(); // the event loops are closed, and with them every connection
            }
        });
    }

    private List<? extends CompletionStage<Parcel>> handle(List<Asked> granted) {
        if (granted.size() == 1) {
            return List.of(handle(granted.get(0)));
        }
        try {
            List<? extends CompletionStage<Parcel>> stages = shared.handler()
                    .handleAll(session, granted.stream().map(Asked::request).toList());
            Invariant.check(
                    stages.size() == granted.size(),
                    "%d answers to %d requests of one message",
                    stages.size(),
                    granted.size());
            return stages;
        } catch (RuntimeException | Error e) {
            return Collections.nCopies(granted.size(), CompletableFuture.failedFuture(e));
        }
    }

    private CompletionStage<Parcel> handle(Asked asked) {
        try {
            return Objects.requireNonNull(handle(asked.call(), asked.request()), "handler's stage");
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Requests go to the handler, but for what every server answers alike. */
    private CompletionStage<Parcel> handle(Call call, Parcel request) {
        if (request.head() instanceof Metering.ReadCounts) {
            request.release();
            return CompletableFuture.completedFuture(Parcel.of(new Metering.Counts(
                    ProcessHandle.current().pid(), shared.traffic().flows(), memory(call))));
        }
        return shared.handler().handle(session, request);
    }

    /** What this process holds beside {@code own}. */
    private Metering.Memory memory(Call own) {
        ProcessMemory memory = new ProcessMemory();
        long underWay = shared.requestBytes().usedBytes() + shared.answerBytes().usedBytes() - own.bytes();
        return new Metering.Memory(
                memory.heapPeakBytes(),
                memory.heapLimitBytes(),
                memory.directBytes(),
                memory.directLimitBytes(),
                memory.lentBytes() + underWay);
    }

    private void answer(Call call, EncodedFrame frame) {
        withHandler--;
        answered(call);
        counters.answered(frame.bytes(), nanos() - call.arrivedNanos());
        if (state == State.CLOSED) {
            frame.release();
            sent(call);
            return;
        }
        context.writeAndFlush(frame).addListener(written -> sent(call));
    }

    private void begin(Call call) {
        callsInFlight++;
        bytesInFlight += call.bytes();
        if (callsInFlight >= options.maxCallsInFlight() || bytesInFlight >= options.maxBytesInFlight()) {
            decoder.hold(FrameDecoder.Hold.IN_FLIGHT);
        }
    }

    /** The handler is done with the request's payload. */
    private void answered(Call call) {
        shared.requestBytes().release(call.requestBytes());
    }

    /** The answer has left for the socket, or nobody waits for it. */
    private void sent(Call call) {
        shared.answerBytes().release(call.answerBytes());
        callsInFlight--;
        bytesInFlight -= call.bytes();
        if (callsInFlight < options.maxCallsInFlight() && bytesInFlight < options.maxBytesInFlight()) {
            decoder.resume(FrameDecoder.Hold.IN_FLIGHT);
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
    private void drop(Frame frame) {
        frame.release();
        shared.requestBytes().release(frame.header().length());
    }

    private long nanos() {
        return context.executor().ticker().nanoTime();
    }

    private String who() {
        return session == null ? "user=? role=?" : "user=" + session.user() + " role=\"" + session.role() + "\"";
    }
}
