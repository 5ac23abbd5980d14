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
     * So long an answer stands for what its datanode has, from its request on: a machine that lost it since, with its
     * power, could have done so right after it was asked again.
     */
    private static final Duration ANSWER_STANDS = Duration.ofSeconds(1);

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
        chunk.askedAt = clock.nanos();
        if (chunk.unanswered++ == 0) {
            chunk.silentSince = chunk.askedAt;
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
     * Returns whether what it was asked last, once that is answered, shows that the chunk has all that was sent: each
     * message says what it builds on.
     */
    boolean askedJustNow(WrittenChunk chunk) {
        return clock.nanos() - chunk.askedAt < ANSWER_STANDS.toNanos();
    }
}
