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
 * While requests wait, others are received behind them, up to {@link #MOST_WAITING_BYTES}: so calls can be cancelled
 * also while answers wait for memory or for a slow peer.
 *
 * A request reserves its frame's bytes of the request budget until it is answered, and its answer's expected bytes of
 * the answer budget until the answer is on its way. The two budgets are acquired one after the other and released
 * independently, so they cannot deadlock. A spare, which its volume may defer, reserves its answer's bytes only when
 * the answer exists: it never waits for them, and is refused if there is no room then, in the budget or within the
 * connection's limit in flight. Each stage of the handler completes exactly once; only that releases the bytes.
 */
final class ServerCalls {
    /**
     * Most bytes of requests that wait; past it the stream stops. Room for the heads of thousands of reads, but hardly
     * for payloads.
     */
    private static final long MOST_WAITING_BYTES = 256 << 10;

    private final ServerContext shared;
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
            ServerContext shared,
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

    /** Returns whether the handler has no call. */
    boolean isIdle() {
        return withHandler == 0;
    }

    /** Cancels all calls: the connection is closed. */
    void close() {
        closed = true;
        for (ServerCall call : waiting.close()) {
            call.request.release();
            answered(call);
            leaves(call.bytes());
        }
        List.copyOf(reads.keySet()).forEach(this::cancel);
    }

    /**
     * Notes whether the peer reads its answers: until it does, no further call requests answer memory. A call that has
     * requested it goes to the handler all the same.
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
            off.calls().forEach(this::cancel);
            return;
        }
        frame.head().release();
        List<ServerCall> asked = new ArrayList<>();
        if (head instanceof ChunkReads several) {
            frame.payload().release();
            for (ChunkRequest.ReadChunk read : several.reads()) {
                // Each is a call of its own; the bytes of the message are released when the first is answered.
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

    /** Stops the stream while much waits. Later requests wait behind it, so the order is preserved. */
    private void holdWhileMuchWaits() {
        if (waiting.requestBytes() > MOST_WAITING_BYTES) {
            decoder.hold(FrameDecoder.Hold.WAITING);
        } else {
            decoder.resume(FrameDecoder.Hold.WAITING);
        }
    }

    /** Passes on the requests of one message, whose answers' bytes are granted. */
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

    /** Passes a request to the handler, unless every server answers it in the same way. */
    private CompletionStage<Envelope> handle(ServerCall call) {
        if (call.request.head() instanceof Metering.ReadCounts) {
            call.request.release();
            return CompletableFuture.completedFuture(Envelope.of(new Metering.Counts(
                    ProcessHandle.current().pid(), shared.traffic().flows(), memory(call))));
        }
        return Objects.requireNonNull(shared.handler().handle(session, call.request), "handler's stage");
    }

    /** Memory of this process apart from {@code own}. */
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
        if (call.cancellable() && stage instanceof CompletableFuture<Envelope> read) {
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
        return frames.ofFailure(call.id, call.cancelled && call.answer.isCancelled() ? cancelledByCaller() : failure);
    }

    /** The answer, or a failure if there is no room for it; that of a spare reserves its bytes here. */
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

    private static EcfsException cancelledByCaller() {
        return new EcfsException(ErrorCode.TIMEOUT, "cancelled by its caller");
    }

    private void cancel(long id) {
        ServerCall call = reads.remove(id);
        if (call != null) {
            call.cancelled = true;
            call.answer.cancel(false);
        } else {
            waiting.withdraw(id).ifPresent(this::withdrawn);
        }
    }

    private void withdrawn(ServerCall call) {
        call.request.release();
        answered(call);
        context.writeAndFlush(frames.ofFailure(call.id, cancelledByCaller()))
                .addListener(written -> leaves(call.bytes()));
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
     * Returns whether the requests in flight are within the limits. Clients respect the same limits, so that their
     * streams are never stopped here, and their cancels are received.
     */
    private boolean withinLimits() {
        return callsInFlight <= options.maxCallsInFlight() && bytesInFlight <= options.maxBytesInFlight();
    }

    /** The handler has finished with the request's payload. */
    private void answered(ServerCall call) {
        intake.release(call.requestBytes);
    }

    /** The answer was written to the socket, or is not needed any more. */
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
