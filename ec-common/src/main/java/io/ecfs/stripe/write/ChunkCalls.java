package io.ecfs.stripe.write;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.chunk.ChunkReply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The calls about the chunks of one group: notes for each chunk what is unanswered and when its datanode answered last,
 * and times the exchange under way. Owned by the writer's owner thread.
 */
final class ChunkCalls {
    private final WrittenChunks chunks;
    private final WriteTimes times;
    private final WriteTimes.OfPolicy exchanges;
    private final Executor answers;
    private long exchangeBegan;

    /** @param answers runs the receivers of answers on the owner thread */
    ChunkCalls(WrittenChunks chunks, WriteTimes times, WriteTimes.OfPolicy exchanges, Executor answers) {
        this.exchanges = exchanges;
        this.chunks = chunks;
        this.times = times;
        this.answers = answers;
    }

    /** All datanodes are asked for something. */
    void beginExchange() {
        exchangeBegan = times.now();
    }

    /**
     * All have answered.
     *
     * @param side that encodes the group's stripes
     * @param last the answer that came last, where it tells how long it took
     */
    void endExchange(EncodingSide side, Optional<ChunkReply> last) {
        exchanges.exchangedSince(side, exchangeBegan, last);
    }

    /** As {@link #endExchange}, and what they were asked for was a stripe of so many bytes. */
    void endStripeExchange(Optional<ChunkReply> last, long bytes) {
        exchanges.stripeExchangedSince(exchangeBegan, last, bytes, times.now() - exchangeBegan);
    }

    /** @param receiver of the failure, empty for none; calls {@link #answered} */
    void ask(WrittenChunk chunk, CompletableFuture<?> call, Consumer<Optional<EcfsException>> receiver) {
        if (chunk.unanswered++ == 0) {
            chunk.silentSince = times.now();
        }
        chunk.calls.add(call);
        call.whenComplete((reply, failure) -> answers.execute(
                () -> receiver.accept(Optional.ofNullable(failure).map(EcfsException::of))));
    }

    WrittenChunk answered(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = chunks.get(index);
        chunk.unanswered--;
        chunk.silentSince = times.now();
        chunk.calls.removeIf(CompletableFuture::isDone);
        if (failure.isPresent() && chunk.state() != WrittenChunk.State.FAILED) {
            chunk.fail(failure.get());
        }
        return chunk;
    }
}
