package io.ecfs.wire.client;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.CancelCalls;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.frame.EncodedFrame;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of a client's connections to one peer, with the calls that wait for it and those under way. It outlives its TCP
 * connection: the next call opens another. All state belongs to one event loop, on which the channels run too.
 *
 * <pre>
 *   IDLE --first call--&gt; CONNECTING --connected, TLS, Welcome--&gt; OPEN
 *    ^                       |                                    |
 *    `---- calls that wait fail                 calls under way fail, those that wait reconnect
 *   any --close()--&gt; CLOSED
 * </pre>
 */
final class ClientConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    private enum State {
        IDLE,
        CONNECTING,
        OPEN,
        CLOSED
    }

    private final ClientContext shared;
    private final WireOptions options;
    private final Address peer;
    private final EventLoop loop;
    private final AtomicInteger calls = new AtomicInteger();

    /** -1 before the first greeting. */
    private volatile int featureLevel = -1;

    private volatile State state = State.IDLE; // written by the loop only
    private final Set<OutboundBatch> waiting = new LinkedHashSet<>();
    private final Map<Long, PendingCall> inFlight = new HashMap<>();
    private final List<Long> unwanted = new ArrayList<>(); // sent calls that are to be cancelled at the peer
    private long bytesInFlight;
    private long lastId;
    private Channel channel; // while CONNECTING and OPEN
    private long lastReceived;

    ClientConnection(ClientContext shared, Address peer, EventLoop loop) {
        this.shared = shared;
        this.options = shared.options();
        this.peer = peer;
        this.loop = loop;
    }

    /** Accepts the calls; always through the loop's queue, so that calls stay in the order they were made in. */
    void submit(OutboundBatch batch) {
        int count = batch.calls().size();
        if (calls.addAndGet(count) > options.maxCallsInFlight() + options.maxCallsWaiting()) {
            calls.addAndGet(-count);
            batch.fail(new EcfsException(
                    ErrorCode.BUSY,
                    batch.calls().get(0).request() + " to " + peer + " refused: " + options.maxCallsInFlight()
                            + " calls are under way and " + options.maxCallsWaiting() + " wait"));
            return;
        }
        try {
            loop.execute(() -> accept(batch));
        } catch (RejectedExecutionException e) {
            calls.addAndGet(-count);
            batch.fail(closed(peer));
        }
    }

    boolean isConnected() {
        return state == State.CONNECTING || state == State.OPEN;
    }

    /** Fails all calls and takes no more. */
    void close() {
        onLoop(() -> {
            become(State.CLOSED, "client closed");
            if (channel != null) {
                dropChannel();
            }
            failWaiting(closed(peer));
            failInFlight(closed(peer));
        });
    }

    /**
     * The feature level of the present connection, of the last one when there is none; empty before the first. Safe for
     * use by any thread.
     */
    OptionalInt featureLevel() {
        int level = featureLevel;
        return level < 0 ? OptionalInt.empty() : OptionalInt.of(level);
    }

    // Events of the channel's handler; those of a dropped channel are ignored.

    void welcomed(Channel from, String role, int commonLevel) {
        if (from == channel) {
            featureLevel = commonLevel;
            become(State.OPEN, "welcomed by " + role);
            sendWaiting();
        }
    }

    /** The channel never opened: the calls that wait fail with the reason. */
    void refused(Channel from, EcfsException reason) {
        if (from == channel) {
            disconnect(reason.getMessage());
            failWaiting(reason);
        }
    }

    /** The open channel broke: calls under way have an unknown outcome, calls that wait reconnect. */
    void lost(Channel from, String reason) {
        if (from == channel) {
            disconnect(reason);
            failInFlight(new EcfsException(
                    ErrorCode.CONNECTION_LOST,
                    "connection to " + peer + " lost (" + reason + "): whether the request had its effect is unknown"));
            if (!waiting.isEmpty() && state == State.IDLE) {
                connect();
            }
        }
    }

    /** The channel was idle. */
    void idle(Channel from) {
        if (from == channel && state == State.OPEN && inFlight.isEmpty() && waiting.isEmpty()) {
            disconnect("idle");
        }
    }

    /** @return the call with this number, which is over now; empty when it was cancelled before */
    Optional<PendingCall> answered(Channel from, long id) {
        if (from != channel) {
            return Optional.empty();
        }
        PendingCall call = inFlight.remove(id);
        if (call == null) {
            return Optional.empty();
        }
        bytesInFlight -= call.bytes();
        return Optional.of(call);
    }

    // Calls

    private void accept(OutboundBatch batch) {
        if (state == State.CLOSED) {
            calls.addAndGet(-batch.calls().size());
            batch.fail(closed(peer));
            return;
        }
        waiting.add(batch);
        for (PendingCall call : batch.calls()) {
            call.timer(loop.schedule(() -> timeOut(call), call.timeout().toNanos(), TimeUnit.NANOSECONDS));
            var unused = call.result().whenComplete((answer, failure) -> onLoop(() -> over(call)));
        }
        if (state == State.IDLE && !waiting.isEmpty()) {
            connect();
        } else {
            sendWaiting();
        }
    }

    /**
     * Runs once for every accepted call when its outcome is decided: by an answer, a failure or a cancel. A cancel
     * while the call's payload waits to be sent closes the connection: the peer does not read, and could pin the
     * caller's memory without end.
     */
    private void over(PendingCall call) {
        calls.decrementAndGet();
        call.end();
        OutboundBatch batch = call.batch();
        if (call.isSent()) {
            if (inFlight.remove(call.id(), call)) {
                bytesInFlight -= call.bytes();
                if (batch.holdsPayload()) {
                    lost(channel, "a " + call.request() + " was given up before its bytes could leave");
                }
                cancelAtPeer(call);
            }
        } else if (!batch.wanted()) {
            waiting.remove(batch);
            batch.release();
        }
        sendWaiting();
    }

    /** Cancels a sent call at the peer. All cancels of one turn of the loop go in one message. */
    private void cancelAtPeer(PendingCall call) {
        if (!call.cancellable() || state != State.OPEN) {
            return;
        }
        unwanted.add(call.id());
        if (unwanted.size() == 1) {
            try {
                loop.execute(this::sendUnwanted);
            } catch (RejectedExecutionException e) {
                unwanted.clear(); // the event loops are closed, and with them every connection
            }
        }
    }

    private void sendUnwanted() {
        int most = Math.min(CancelCalls.MOST, options.maxFrameBytes() / (2 * Long.BYTES));
        for (int from = 0; from < unwanted.size(); from += most) {
            List<Long> some = unwanted.subList(from, Math.min(unwanted.size(), from + most));
            try {
                channel.write(EncodedFrame.of(
                        shared.codec(),
                        shared.loops().allocator(),
                        0,
                        0,
                        Envelope.of(new CancelCalls(some)),
                        options.maxFrameBytes()));
            } catch (EcfsException e) {
                throw new IllegalStateException("calls cannot be called off: " + e.getMessage(), e);
            }
        }
        if (!unwanted.isEmpty()) {
            unwanted.clear();
            channel.flush();
        }
    }

    private void timeOut(PendingCall call) {
        boolean sent = call.isSent();
        call.fail(new EcfsException(
                ErrorCode.TIMEOUT,
                call.request() + " to " + peer + " timed out after "
                        + call.timeout().toMillis() + " ms, "
                        + (sent ? "sent but not answered" : "not sent: " + standing())));
        if (sent && state == State.OPEN && silence() > options.idleTimeout().toNanos()) {
            lost(channel, "nothing received for " + TimeUnit.NANOSECONDS.toMillis(silence()) + " ms");
        }
    }

    /** Sends the cancels before the calls that take the place of the cancelled ones. */
    private void sendWaiting() {
        if (state != State.OPEN || waiting.isEmpty()) {
            return;
        }
        sendUnwanted();
        Iterator<OutboundBatch> next = waiting.iterator();
        while (next.hasNext()) {
            OutboundBatch batch = next.next();
            if (!inFlight.isEmpty() && !fits(batch)) {
                break;
            }
            next.remove();
            if (batch.wanted()) {
                EncodedFrame frame = batch.send(lastId + 1);
                lastId += batch.calls().size();
                bytesInFlight +=
                        batch.calls().stream().mapToLong(PendingCall::bytes).sum();
                batch.departs(channel.write(frame));
                for (PendingCall call : batch.calls()) {
                    if (call.isOver()) {
                        cancelAtPeer(call); // cancelled while it waited beside others that are wanted
                    } else {
                        inFlight.put(call.id(), call);
                    }
                }
            }
        }
        channel.flush();
    }

    private boolean fits(OutboundBatch batch) {
        return inFlight.size() + batch.calls().size() <= options.maxCallsInFlight()
                && bytesInFlight + batch.bytes() <= options.maxBytesInFlight();
    }

    private String standing() {
        return state == State.OPEN ? inFlight.size() + " calls were under way before it" : "still connecting";
    }

    private void failWaiting(EcfsException reason) {
        List<OutboundBatch> failed = List.copyOf(waiting);
        waiting.clear();
        failed.forEach(batch -> batch.fail(reason));
    }

    private void failInFlight(EcfsException reason) {
        List<PendingCall> failed = List.copyOf(inFlight.values());
        inFlight.clear();
        bytesInFlight = 0;
        failed.forEach(call -> call.fail(reason));
    }

    // Connection

    private void connect() {
        become(State.CONNECTING, "call");
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(shared.loops().socketChannel())
                .option(ChannelOption.ALLOCATOR, shared.loops().allocator())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.connectTimeout().toMillis())
                .handler(new ClientChannel(shared, peer, this));
        if (shared.loops().isEpoll()) {
            // The kernel gives up on a peer that acknowledges nothing, even while nothing times out here.
            bootstrap.option(EpollChannelOption.TCP_USER_TIMEOUT, (int)
                    options.idleTimeout().toMillis());
        }
        ChannelFuture connecting = bootstrap.connect(peer.host(), peer.port());
        channel = connecting.channel();
        received();
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                refused(connecting.channel(), unreachable(done.cause()));
            }
        });
    }

    private EcfsException unreachable(Throwable cause) {
        String reason = cause instanceof UnknownHostException
                ? "unknown host"
                : String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new EcfsException(ErrorCode.UNREACHABLE, "cannot connect to " + peer + ": " + reason, cause);
    }

    private void disconnect(String reason) {
        dropChannel();
        become(State.IDLE, reason);
    }

    /** Closes the channel. Its handler may be notified at once, and is ignored by then. */
    private void dropChannel() {
        Channel dropped = channel;
        channel = null;
        unwanted.clear(); // numbers of this channel's calls
        dropped.close();
    }

    /** Notes that the peer sent something. */
    void received() {
        lastReceived = loop.ticker().nanoTime();
    }

    /** Failure of a call that its closed client gives up. */
    static EcfsException closed(Address to) {
        return new EcfsException(ErrorCode.CONNECTION_LOST, "call to " + to + " given up: this client is closed");
    }

    private long silence() {
        return loop.ticker().nanoTime() - lastReceived;
    }

    private void become(State next, String reason) {
        LOG.debug("event=connection_state peer={} from={} to={} reason=\"{}\"", peer, state, next, reason);
        state = next;
    }

    private void onLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("event=connection_task_dropped peer={} reason=\"event loops are closed\"", peer);
        }
    }
}
