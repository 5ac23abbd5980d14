package io.ecfs.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Cuts the stream into {@link Frame}s. It trusts nothing: a header is checked before its length is used, and no memory
 * is taken for a frame before the intake budget grants its length. The granted bytes pass on with the frame.
 *
 * <pre>
 *   received buffers -- header? --&gt; admitted? --&gt; whole in one received buffer: a slice of it, without a copy
 *                                            `--&gt; otherwise: one buffer of exactly that length, filled as bytes come
 * </pre>
 *
 * The first bytes of a large frame are copied into that buffer; the others are received right into it
 * ({@link #target}).
 *
 * While any {@link Hold} is set no frame is emitted and the socket is not read, so that TCP slows the sender down. A
 * frame that breaks the rules is answered by one {@link MalformedFrame} event and the end of the connection. Owned by
 * the channel's event loop.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter {
    /** Reason why the stream is stopped. */
    public enum Hold {
        /** The budget has no room for the next frame. */
        INTAKE,
        /** Enough bytes of requests wait for memory for their answers, or for the peer to take other answers. */
        WAITING,
        /** Enough requests of this connection are under way. */
        IN_FLIGHT
    }

    private Intake intake;
    private final ArrayDeque<ByteBuf> received = new ArrayDeque<>();
    private final Set<Hold> holds = EnumSet.noneOf(Hold.class);
    private ChannelHandlerContext context; // from handlerAdded on
    private final ByteBuf headerBytes = Unpooled.buffer(FrameHeader.BYTES, FrameHeader.BYTES);
    private int maxLength;

    // The frame that is coming in; absent and null between frames.
    private Optional<FrameHeader> header = Optional.empty();
    private CompletableFuture<Void> admission;
    private ByteBuf body;

    private long frames;
    private long holdsSet;
    private boolean draining;
    private boolean closed;

    /** @param maxLength of head and payload, until {@link #allow} says otherwise */
    public FrameDecoder(Intake intake, int maxLength) {
        this.intake = intake;
        this.maxLength = maxLength;
    }

    /** Changes the limit and the source of memory, from the next frame on. */
    public void allow(int newMaxLength, Intake newIntake) {
        maxLength = newMaxLength;
        intake = newIntake;
    }

    /**
     * Position of the stream.
     *
     * @param frames emitted so far
     * @param bytes received of the present frame, its header too
     * @param holds number of times a hold was set
     * @param stopped a hold is set
     */
    record Place(long frames, long bytes, long holds, boolean stopped) {}

    /** Returns whether part of a frame was received. */
    boolean inFrame() {
        return header.isPresent() || headerBytes.isReadable() || !received.isEmpty();
    }

    Place place() {
        long bytes = header.isPresent() ? FrameHeader.BYTES : headerBytes.readableBytes();
        bytes += body == null ? 0 : body.readableBytes();
        for (ByteBuf waiting : received) {
            bytes += waiting.readableBytes();
        }
        return new Place(frames, bytes, holdsSet, !holds.isEmpty());
    }

    public void hold(Hold reason) {
        if (holds.add(reason)) {
            holdsSet++;
            context.channel().config().setAutoRead(false);
        }
    }

    /** Removes a hold; frames that were received meanwhile are emitted at once. */
    public void resume(Hold reason) {
        if (holds.remove(reason)) {
            drain();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    /**
     * The frame that is coming in, when the socket's next bytes are its own and nothing else's; {@link FrameReceiver}
     * asks.
     */
    Optional<ByteBuf> target() {
        return body != null && body.isWritable() && received.isEmpty() ? Optional.of(body) : Optional.empty();
    }

    @Override
    public void channelRead(ChannelHandlerContext unchanged, Object message) {
        if (body != null && message == body) {
            body.release(); // the receiver's reference
            drain();
            return;
        }
        ByteBuf bytes = (ByteBuf) message;
        if (closed || !bytes.isReadable()) {
            bytes.release();
            return;
        }
        received.add(bytes);
        drain();
    }

    @Override
    public void channelInactive(ChannelHandlerContext unchanged) {
        discard();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext unchanged) {
        discard();
    }

    private void drain() {
        if (draining || closed) {
            return;
        }
        draining = true;
        try {
            while (holds.isEmpty() && !closed && advance()) {
                // each turn takes some bytes or brings out a frame
            }
        } finally {
            draining = false;
        }
        if (holds.isEmpty() && !closed && !context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(true);
        }
    }

    /** One step; false when more bytes must come or a hold was set. */
    private boolean advance() {
        if (header.isEmpty()) {
            return !received.isEmpty() && readHeader();
        }
        FrameHeader expected = header.get();
        if (!admitted(expected)) {
            return false;
        }
        if (body == null) {
            ByteBuf in = received.peek();
            if (expected.length() == 0 || (in != null && in.readableBytes() >= expected.length())) {
                emitFrom(expected, in);
                return true;
            }
            if (in == null) {
                return false;
            }
            body = context.alloc().directBuffer(expected.length(), expected.length());
        }
        return fillBody(expected);
    }

    private boolean readHeader() {
        takeInto(headerBytes);
        if (headerBytes.readableBytes() >= Integer.BYTES && headerBytes.getInt(0) != FrameHeader.MAGIC) {
            int magic = headerBytes.getInt(0);
            malformed(new MalformedFrame(String.format("magic is 0x%08x, not \"ECF1\"", magic), isTls(magic)));
            return false;
        }
        if (headerBytes.isWritable()) {
            return !received.isEmpty();
        }
        Optional<String> defect = FrameHeader.defect(headerBytes, maxLength);
        if (defect.isPresent()) {
            malformed(new MalformedFrame(defect.get()));
            return false;
        }
        header = Optional.of(FrameHeader.read(headerBytes));
        headerBytes.clear();
        return true;
    }

    /** Asks the budget once for each frame; until it grants, the connection is on hold. */
    private boolean admitted(FrameHeader expected) {
        if (admission != null) {
            return true;
        }
        admission = intake.acquire(expected.length());
        if (admission.isDone()) {
            return true;
        }
        hold(Hold.INTAKE);
        CompletableFuture<Void> pending = admission;
        var unused = pending.thenRunAsync(() -> granted(expected), context.executor());
        return false;
    }

    private void granted(FrameHeader expected) {
        if (closed) {
            intake.release(expected.length());
        } else {
            resume(Hold.INTAKE);
        }
    }

    /**
     * The frame lies whole in one received buffer. A small part of a large buffer is copied, so that it does not pin
     * the rest.
     */
    private void emitFrom(FrameHeader frame, ByteBuf in) {
        int payloadBytes = frame.length() - frame.headBytes();
        ByteBuf head = frame.headBytes() == 0 ? Unpooled.EMPTY_BUFFER : in.readRetainedSlice(frame.headBytes());
        ByteBuf payload = Unpooled.EMPTY_BUFFER;
        if (payloadBytes > 0) {
            payload = payloadBytes >= in.capacity() / 2
                    ? in.readRetainedSlice(payloadBytes)
                    : context.alloc().directBuffer(payloadBytes, payloadBytes).writeBytes(in, payloadBytes);
        }
        dropEmptied();
        emit(new Frame(frame, head, payload));
    }

    private boolean fillBody(FrameHeader frame) {
        if (!received.isEmpty()) {
            takeInto(body);
        }
        if (body.isWritable()) {
            return !received.isEmpty();
        }
        ByteBuf whole = body;
        body = null;
        if (frame.headBytes() == frame.length()) {
            emit(new Frame(frame, whole, Unpooled.EMPTY_BUFFER));
        } else {
            ByteBuf head = whole.readRetainedSlice(frame.headBytes());
            emit(new Frame(frame, head, whole)); // what is left to read of the whole is the payload
        }
        return true;
    }

    private void emit(Frame frame) {
        header = Optional.empty();
        admission = null;
        frames++;
        context.fireChannelRead(frame);
    }

    private void takeInto(ByteBuf target) {
        ByteBuf in = received.peek();
        target.writeBytes(in, Math.min(target.writableBytes(), in.readableBytes()));
        dropEmptied();
    }

    private void dropEmptied() {
        if (!received.isEmpty() && !received.peek().isReadable()) {
            received.remove().release();
        }
    }

    /** A record of a TLS handshake, or of an alert that ends one. */
    private static boolean isTls(int magic) {
        return magic >>> 16 == 0x1603 || magic >>> 16 == 0x1503;
    }

    private void malformed(MalformedFrame defect) {
        discard();
        context.fireUserEventTriggered(defect);
        context.close();
    }

    private void discard() {
        if (closed) {
            return;
        }
        closed = true;
        received.forEach(ByteBuf::release);
        received.clear();
        if (body != null) {
            body.release();
            body = null;
        }
        // When cancel comes too late the bytes are ours: given back here, or by granted() if its turn is still to come.
        if (admission != null && !holds.contains(Hold.INTAKE)) {
            intake.release(header.orElseThrow().length());
        } else if (admission != null) {
            admission.cancel(false);
        }
        admission = null;
    }
}
