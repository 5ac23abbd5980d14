package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The calls about the chunks of one group: notes for each chunk what is unanswered and when its datanode answered last,
 * and times the exchange under way. Owned by the client's owner thread; calls answer with events.
 */
final class ChunkCalls {
    private final WrittenChunks chunks;
    private final WriteTimes times;
    private final Consumer<WriteEvent> events;
    private long exchangeBegan;

    ChunkCalls(WrittenChunks chunks, WriteTimes times, Consumer<WriteEvent> events) {
        this.chunks = chunks;
        this.times = times;
        this.events = events;
    }

    /** All datanodes are asked for something. */
    void beginExchange() {
        exchangeBegan = times.now();
    }

    /** All have answered. */
    void endExchange() {
        times.exchangedSince(exchangeBegan);
    }

    /** All have answered, and what they were asked for was a stripe. */
    void endStripeExchange() {
        times.stripeExchangedSince(exchangeBegan);
    }

    /** @param event of the failure, empty for none; its receiver calls {@link #answered} */
    void ask(
            WrittenChunk chunk,
            CompletableFuture<?> call,
            Function<Optional<EcfsException>, ? extends WriteEvent.Answer> event) {
        if (chunk.unanswered++ == 0) {
            chunk.silentSince = times.now();
        }
        chunk.calls.add(call);
        call.whenComplete((reply, failure) ->
                events.accept(event.apply(Optional.ofNullable(failure).map(EcfsException::of))));
    }

    WrittenChunk answered(int index, Optional<EcfsException> failure) {
        WrittenChunk chunk = chunks.get(index);
        chunk.unanswered--;
        chunk.silentSince = times.now();
        chunk.calls.removeIf(CompletableFuture::isDone);
        if (failure.isPresent() && chunk.state != WrittenChunk.State.FAILED) {
            chunk.fail(failure.get());
        }
        return chunk;
    }
}
