package io.ecfs.client.read.span;

import io.ecfs.client.read.span.Span.Range;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.wire.Futures;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read of a span that lies in one chunk, without the client's owner thread as long as nothing goes wrong: the
 * request leaves on the thread that wants the bytes, and the reply ends the read on the thread that it arrives on.
 *
 * <pre>
 *   IN_FLIGHT   answered        --&gt; DONE
 *               cancelled       --&gt; CANCELLED
 *               late, failed    --&gt; PASSED_ON: a {@link SpanRead} goes on with its request
 * </pre>
 *
 * Safe for use by several threads.
 */
final class DirectRead {
    private static final Logger LOG = LoggerFactory.getLogger(DirectRead.class);

    /** The state of a read. */
    enum State {
        IN_FLIGHT,
        DONE,
        CANCELLED,
        PASSED_ON
    }

    private final SentRead sent;
    private final ChunkLocation location;
    private final Range range;
    private final long began;
    private final CompletableFuture<SpanBytes> result = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.IN_FLIGHT);
    private volatile long ended;
    private volatile Optional<Boolean> reportedWriting = Optional.empty();

    /** @param began time at which the request left */
    DirectRead(SentRead sent, ChunkLocation location, Range range, long began) {
        this.sent = sent;
        this.location = location;
        this.range = range;
        this.began = began;
    }

    private boolean become(State next) {
        boolean first = state.compareAndSet(State.IN_FLIGHT, next);
        if (first) {
            LOG.debug("event=direct_read_state chunk={} to={}", location.chunk(), next);
        }
        return first;
    }

    /**
     * Waits for the reply; call once.
     *
     * @param clock nanoseconds
     * @param failed runs when the request has failed
     * @return the bytes, owned by the caller. Cancel to give up
     */
    CompletableFuture<SpanBytes> await(Span span, LongSupplier clock, Runnable failed) {
        sent.call().whenComplete((bytes, failure) -> {
            if (failure != null) {
                if (state() == State.IN_FLIGHT) {
                    failed.run();
                }
                return;
            }
            ended = clock.getAsLong();
            reportedWriting = bytes.writing();
            if (become(State.DONE)) {
                SpanBytes all = SpanBytes.of(span, Map.of(location.chunk().index(), bytes));
                if (!result.complete(all)) {
                    all.close();
                }
            } else if (state() == State.CANCELLED) {
                bytes.close();
            }
        });
        Futures.whenCancelled(result, () -> {
            ended = clock.getAsLong();
            if (become(State.CANCELLED)) {
                sent.call().cancel(false);
            }
        });
        return result;
    }

    /** Has another read go on with the request, unless this one is over. */
    void passOn(Supplier<SpanRead> to) {
        if (become(State.PASSED_ON)) {
            SpanRead other = to.get();
            Futures.join(other.startWith(location.chunk().index(), range, sent, began), result, SpanBytes::close);
        }
    }

    State state() {
        return state.get();
    }

    ChunkLocation location() {
        return location;
    }

    /** As of a {@link SentRead}. */
    int volumeBytes() {
        return sent.volumeBytes();
    }

    /** Whether the volume writes, as of {@link io.ecfs.transfer.ChunkBytes}, when the read is done. */
    Optional<Boolean> reportedWriting() {
        return reportedWriting;
    }

    long began() {
        return began;
    }

    /** Nanoseconds until the reply or the cancel. */
    long took() {
        return ended - began;
    }
}
