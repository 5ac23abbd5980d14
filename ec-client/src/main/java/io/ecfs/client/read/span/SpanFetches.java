package io.ecfs.client.read.span;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Pending;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Segment;
import io.ecfs.env.Scheduler;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Makes {@link SpanFetch fetches} of spans of files. Safe for use by several threads. */
public final class SpanFetches {
    private final SpanReads reads;
    private final Scheduler owner;
    private final Pending pending;
    private final ClientConfig config;
    private final ReadStrategy single;

    public SpanFetches(SpanReads reads, Scheduler owner, Pending pending, ClientConfig config) {
        this.reads = reads;
        this.owner = owner;
        this.pending = pending;
        this.config = config;
        this.single = ReadStrategy.single(config.hedge().delta());
    }

    /** A fetch of file bytes [from, to) within one span, which is read alone. */
    public SpanFetch fetch(Locations locations, MemoryBudget budget, long from, long to) {
        return fetch(locations, budget, from, to, single);
    }

    /**
     * Reads file bytes [from, end) to where the target stands, one span after the other, and moves its position.
     *
     * @param target must not be touched until the result is there; not any more when it was cancelled
     */
    public CompletableFuture<Void> read(
            Locations locations,
            MemoryBudget budget,
            long from,
            long end,
            ByteBuffer target,
            CancellationScope cancellation) {
        if (from == end) {
            return CompletableFuture.completedFuture(null);
        }
        return locations
                .at(from)
                .thenCompose(segment -> readSpan(locations, budget, segment, from, end, target, cancellation))
                .thenCompose(next -> read(locations, budget, next, end, target, cancellation));
    }

    /**
     * Reads file bytes from {@code from} on, at most up to {@code end} and one span, as {@link #read} does.
     *
     * @param segment which they begin in
     * @return where what was read ends
     */
    public CompletableFuture<Long> readSpan(
            Locations locations,
            MemoryBudget budget,
            Segment segment,
            long from,
            long end,
            ByteBuffer target,
            CancellationScope cancellation) {
        long to = Math.min(end, Span.end(segment, from, config.spanBytes()));
        return cancellation
                .step(fetch(locations, budget, from, to).start(segment))
                .thenApply(bytes -> {
                    try (bytes) {
                        bytes.copyTo(from, target);
                        return bytes.to();
                    }
                });
    }

    /** @param strategy of the first attempt; a plan does not outlive the locations that it was made for */
    public SpanFetch fetch(Locations locations, MemoryBudget budget, long from, long to, ReadStrategy strategy) {
        return new SpanFetch(reads, owner, pending, config, locations, budget, from, to, strategy);
    }
}
