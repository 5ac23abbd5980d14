package io.ecfs.stripe.write;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.chunk.ChunkReply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The calls about the chunks of one group: notes for each chunk what is unanswered and when its datanode answered last,
 * and times the exchange under way. Owned by the writer's owner thread.
 */
final class ChunkCalls {
    /**
     * A chunk is not checked again within this time of its last request: a loss of power since then counts among the m,
     * as one right after the acknowledgement does.
     */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final WrittenChunks chunks;
    private final Clock clock;
    private final WriteTimes.OfPolicy times;
    private final Executor answers;
    private long exchangeBegan;

    /** @param answers runs the receivers of answers on the owner thread */
    ChunkCalls(WrittenChunks chunks, Clock clock, WriteTimes.OfPolicy times, Executor answers) {
        this.chunks = chunks;
        this.clock = clock;
        this.times = times;
        this.answers = answers;
    }

    /** All datanodes are asked for something. */
    void beginExchange() {
        exchangeBegan = clock.nanos();
    }

    /**
     * All have answered.
     *
     * @param side that encodes the group's stripes
     * @param last the answer that came last, where it tells how long it took
     */
    void endExchange(WriteSide side, Optional<ChunkReply> last) {
        times.exchanged(side, clock.nanos() - exchangeBegan, last);
    }

    /** As {@link #endExchange}, and what they were asked for was a stripe of so many bytes. */
    void endStripeExchange(Optional<ChunkReply> last, long bytes) {
        long elapsed = clock.nanos() - exchangeBegan;
        times.stripeExchanged(elapsed, last, bytes, elapsed);
    }

    /** @param receiver of the failure, empty for none; calls {@link #answered} */
    void ask(WrittenChunk chunk, CompletableFuture<?> call, Consumer<Optional<EcfsException>> receiver) {
        chunk.requestedAt = clock.nanos();
        if (chunk.unanswered++ == 0) {
            chunk.silentSince = chunk.requestedAt;
        }
        chunk.calls.add(call);
        call.whenComplete((reply, failure) -> answers.execute(
                () -> receiver.accept(Optional.ofNullable(failure).map(EcfsException::of))));
    }

    WrittenChunk answered(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = chunks.get(index);
        chunk.unanswered--;
        chunk.silentSince = clock.nanos();
        chunk.calls.removeIf(CompletableFuture::isDone);
        if (failure.isPresent() && chunk.state() != WrittenChunk.State.FAILED) {
            chunk.fail(failure.get());
        }
        return chunk;
    }

    /**
     * Returns whether its last request was a moment ago. The answer shows that the chunk has all that was sent before:
     * records say what they build on, cells where they begin, and those replace the records of their stripe.
     */
    boolean requestedRecently(WrittenChunk chunk) {
        return clock.nanos() - chunk.requestedAt < CHECK_INTERVAL.toNanos();
    }
}
