package io.ecfs.wire.server;

import io.ecfs.buffer.ProcessMemory;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.Message;
import io.ecfs.message.Metering;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.AnswerBytes;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.frame.EncodedFrame;
import io.ecfs.wire.frame.Frame;
import io.ecfs.wire.frame.FrameDecoder;
import io.ecfs.wire.frame.FrameHeader;
import io.ecfs.wire.frame.Intake;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * The calls of one connection, from their request to the departure of their answer. Owned by the channel's event loop.
 *
 * <pre>
 *   request --> WAITING --answer's bytes granted--> HANDLED --answered or failed--> SENDING --> SENT, or channel gone
 *                  |                                   `-- a read: cancelled, or the channel closed --> FAILED
 *                  `-- a read: cancelled by its caller, or the channel closed ------------------------> FAILED
 * </pre>
 *
 * While requests wait, others are received behind them, up to {@link #MOST_WAITING_BYTES}: so calls are called off also
 * where answers have no memory or the peer is slow to take them.
 *
 * A request holds its frame's bytes of the request budget until it is answered, and its answer's expected bytes of the
 * answer budget until the answer is on its way. The two budgets are taken one after the other and given back
 * independently, so they cannot deadlock. A spare, which its volume may hold back, has its answer's bytes from when the
 * answer is there: it waits for none, and is refused if there is no room then, in the budget or beside what the
 * connection has in flight. Each stage of the handler completes once, whoever completes it; that alone gives back.
 */
final class ServerCalls {
    /**
     * Of requests that wait; past it the stream stands still. Room for the heads of thousands of reads, and for no
     * payload to speak of.
     */
    private static final long MOST_WAITING_BYTES = 256 << 10;

    private final WireServer.Shared shared;
    private final WireOptions options;
    private final FrameDecoder decoder;
    private final Intake intake;
    private final ChannelHandlerContext context;
    private final AnswerFrames frames;
    private final Session session;
    private final Traffic.Counters counters;
    private final WaitingRequests waiting;
    private final Map<Long, ServerCall> reads = new HashMap<>(); // with the handler
    private int callsInFlight;
    private long bytesInFlight;
    private long spareBytes; // of answers to spares that are on their way
    private int withHandler;
    private boolean closed;

    ServerCalls(
            WireServer.Shared shared,
            FrameDecoder decoder,
            Intake intake,
            ChannelHandlerContext context,
            AnswerFrames frames,
            Session session,
            Traffic.Counters counters) {
        this.shared = shared;
        this.options = shared.options();
        this.decoder = decoder;
        this.intake = intake;
        this.context = context;
        this.frames = frames;
        this.session = session;
        this.counters = counters;
        this.waiting = new WaitingRequests(shared.answerBytes(), context.executor(), this::dispatch);
    }

    /** Whether the handler has none. */
    boolean isIdle() {
        return withHandler == 0;
    }

    /** Nobody waits for answers any more. */
    void close() {
        closed = true;
        for (ServerCall call : waiting.close()) {
            call.request.release();
            answered(call);
            leaves(call.bytes());
        }
        List.copyOf(reads.keySet()).forEach(this::callOff);
    }

    /**
     * Whether the peer takes what is sent to it: until it does, nothing more asks for answer memory. What asks already
     * goes to the handler all the same.
     */
    void peerTakesAnswers(boolean takes) {
        if (takes) {
            waiting.resume();
        } else {
            waiting.pause();
        }
    }

    void receive(Frame frame) {
        FrameHeader header = frame.header();
        Message head;
        int calls = 1;
        try {
            head = shared.codec().decode(header.type(), frame.head());
            calls = head instanceof ChunkReads several ? several.reads().size() : 1;
            Rights.require(session, head, shared.proof().required().getAsBoolean());
            requireAnswerable(head);
        } catch (EcfsException e) {
            frame.release();
            intake.release(header.length());
            for (int i = 0; i < calls; i++) {
                enters(0);
                context.writeAndFlush(frames.ofFailure(header.id() + i, e)).addListener(written -> leaves(0));
            }
            return;
        }
        counters.received(FrameHeader.BYTES + (long) header.length());
        if (head instanceof CancelCalls off) {
            frame.release();
            intake.release(header.length());
            off.calls().forEach(this::callOff);
            return;
        }
        frame.head().release();
        List<ServerCall> asked = new ArrayList<>();
        if (head instanceof ChunkReads several) {
            frame.payload().release();
            for (ChunkRequest.ReadChunk read : several.reads()) {
                // Each is a call of its own; the bytes of the message are held until the first is answered.
                asked.add(new ServerCall(
                        header.id() + asked.size(), Envelope.of(read), asked.isEmpty() ? header.length() : 0, nanos()));
            }
        } else {
            asked.add(new ServerCall(header.id(), new Envelope(head, frame.payload()), header.length(), nanos()));
        }
        asked.forEach(call -> enters(call.bytes()));
        waiting.add(asked);
        holdWhileMuchWaits();
    }

    private void requireAnswerable(Message head) throws EcfsException {
        long answerBytes = AnswerBytes.expected(head);
        if (answerBytes > options.maxFrameBytes()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    head.getClass().getSimpleName() + " asks for " + answerBytes + " bytes in one answer, the limit is "
                            + options.maxFrameBytes());
        }
    }

    /** Order is kept: what is received meanwhile waits behind what waits. */
    private void holdWhileMuchWaits() {
        if (waiting.requestBytes() > MOST_WAITING_BYTES) {
            decoder.hold(FrameDecoder.Hold.WAITING);
        } else {
            decoder.resume(FrameDecoder.Hold.WAITING);
        }
    }

    /** Requests of one message, whose answers' bytes are granted. */
    private void dispatch(List<ServerCall> granted) {
        withHandler += granted.size();
        List<? extends CompletionStage<Envelope>> stages = handle(granted);
        for (int i = 0; i < stages.size(); i++) {
            answerLater(granted.get(i), stages.get(i));
        }
        holdWhileMuchWaits();
    }

    private List<? extends CompletionStage<Envelope>> handle(List<ServerCall> granted) {
        try {
            if (granted.size() == 1) {
                return List.of(handle(granted.get(0)));
            }
            List<? extends CompletionStage<Envelope>> stages = shared.handler()
                    .handleAll(
                            session, granted.stream().map(call -> call.request).toList());
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

    /** Requests go to the handler, but for what every server answers alike. */
    private CompletionStage<Envelope> handle(ServerCall call) {
        if (call.request.head() instanceof Metering.ReadCounts) {
            call.request.release();
            return CompletableFuture.completedFuture(Envelope.of(new Metering.Counts(
                    ProcessHandle.current().pid(), shared.traffic().flows(), memory(call))));
        }
        return Objects.requireNonNull(shared.handler().handle(session, call.request), "handler's stage");
    }

    /** What this process holds beside {@code own}. */
    private Metering.Memory memory(ServerCall own) {
        ProcessMemory memory = new ProcessMemory();
        long underWay =
                shared.requestMemory().usedBytes() + shared.answerBytes().usedBytes() - own.bytes();
        return new Metering.Memory(
                memory.heapPeakBytes(),
                memory.heapLimitBytes(),
                memory.directBytes(),
                memory.directLimitBytes(),
                memory.lentBytes() + underWay);
    }

    private void answerLater(ServerCall call, CompletionStage<Envelope> stage) {
        if (call.canBeCalledOff() && stage instanceof CompletableFuture<Envelope> read) {
            call.answer = read;
            reads.put(call.id, call);
        }
        stage.whenComplete((answer, failure) -> {
            EncodedFrame frame = frame(call, answer, failure);
            try {
                context.executor().execute(() -> answer(call, failure == null ? within(call, frame) : frame));
            } catch (RejectedExecutionException e) {
                frame.release(); // the event loops are closed, and with them every connection
            }
        });
    }

    private EncodedFrame frame(ServerCall call, Envelope answer, Throwable failure) {
        if (failure == null && answer != null) {
            return frames.of(call.id, answer);
        }
        return frames.ofFailure(call.id, call.calledOff && call.answer.isCancelled() ? nobodyWaits() : failure);
    }

    /** The answer, if there is room for it on its way; that of a spare takes its bytes here. */
    private EncodedFrame within(ServerCall call, EncodedFrame answer) {
        if (call.spareBytes == 0) {
            return answer;
        }
        if (bytesInFlight + spareBytes + call.spareBytes > options.maxBytesInFlight()
                || !shared.answerBytes().tryAcquire(call.spareBytes)) {
            answer.release();
            return frames.ofFailure(
                    call.id, new EcfsException(ErrorCode.BUSY, "no room for the answer to a spare at the moment"));
        }
        spareBytes += call.spareBytes;
        call.hasSpareBytes = true;
        return answer;
    }

    private static EcfsException nobodyWaits() {
        return new EcfsException(ErrorCode.TIMEOUT, "called off by its caller, who waits no longer");
    }

    private void callOff(long id) {
        ServerCall call = reads.remove(id);
        if (call != null) {
            call.calledOff = true;
            call.answer.cancel(false);
        } else {
            waiting.withdraw(id).ifPresent(this::isNotAsked);
        }
    }

    private void isNotAsked(ServerCall call) {
        call.request.release();
        answered(call);
        context.writeAndFlush(frames.ofFailure(call.id, nobodyWaits())).addListener(written -> leaves(call.bytes()));
        holdWhileMuchWaits();
    }

    private void answer(ServerCall call, EncodedFrame frame) {
        withHandler--;
        reads.remove(call.id, call);
        answered(call);
        counters.answered(frame.bytes(), nanos() - call.arrivedNanos);
        if (closed) {
            frame.release();
            sent(call);
            return;
        }
        context.writeAndFlush(frame).addListener(written -> sent(call));
    }

    private void enters(long bytes) {
        callsInFlight++;
        bytesInFlight += bytes;
        if (!withinLimits()) {
            decoder.hold(FrameDecoder.Hold.IN_FLIGHT);
        }
    }

    /**
     * Clients keep to the same limits, so that the connection stands still for those alone who do not, and calling off
     * is heard.
     */
    private boolean withinLimits() {
        return callsInFlight <= options.maxCallsInFlight() && bytesInFlight <= options.maxBytesInFlight();
    }

    /** The handler is done with the request's payload. */
    private void answered(ServerCall call) {
        intake.release(call.requestBytes);
    }

    /** The answer has left for the socket, or nobody waits for it. */
    private void sent(ServerCall call) {
        shared.answerBytes().release(call.answerBytes);
        if (call.hasSpareBytes) {
            shared.answerBytes().release(call.spareBytes);
            spareBytes -= call.spareBytes;
        }
        leaves(call.bytes());
    }

    private void leaves(long bytes) {
        callsInFlight--;
        bytesInFlight -= bytes;
        if (withinLimits()) {
            decoder.resume(FrameDecoder.Hold.IN_FLIGHT);
        }
    }

    private long nanos() {
        return context.executor().ticker().nanoTime();
    }
}
