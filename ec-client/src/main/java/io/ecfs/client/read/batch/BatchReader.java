package io.ecfs.client.read.batch;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.read.batch.WantedRanges.Piece;
import io.ecfs.client.read.span.CoalescedReads;
import io.ecfs.client.read.span.FileBytes;
import io.ecfs.client.read.span.ReadStrategy;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.client.read.span.Span;
import io.ecfs.client.read.span.SpanFetch;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.client.read.span.SpanWatch;
import io.ecfs.client.read.span.Waves;
import io.ecfs.env.Scheduler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Reads the spans of planned batches side by side. Used on the client's owner thread. */
public final class BatchReader {
    private final SpanFetches fetches;
    private final ChunkSource chunks;
    private final Scheduler owner;
    private final Duration budgetWait;
    private final ReadTimes times;

    /** @param budgetWait longest time that a wave of spans waits for memory */
    public BatchReader(SpanFetches fetches, ChunkSource chunks, Scheduler owner, Duration budgetWait, ReadTimes times) {
        this.fetches = fetches;
        this.chunks = chunks;
        this.owner = owner;
        this.budgetWait = budgetWait;
        this.times = times;
    }

    /**
     * Reads.
     *
     * @param readNanos receives the time until all is read
     * @return completes when all pieces are over; failures are results of their ranges
     */
    CompletableFuture<Void> read(SpanBatch batch, int delta, boolean traced, WantedRanges wanted, LongAdder readNanos) {
        long began = times.now();
        Optional<CoalescedReads> together = Optional.of(new CoalescedReads(chunks, owner));
        Waves waves = new Waves(owner, budgetWait);
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (SpanPlan span : batch.spans()) {
            SpanWatch watch = traced ? span.trace() : SpanWatch.NONE;
            ReadStrategy way = new ReadStrategy(span.chosen(), delta, span.spares(), watch, together);
            Piece piece = span.piece();
            SpanFetch fetch =
                    fetches.fetch(piece.file().locations(), piece.file().demand(), piece.from(), piece.to(), way);
            reads.add(waves.add(
                            fetch,
                            piece.segment(),
                            Span.memoryBytes(piece.segment(), piece.from(), piece.to()),
                            piece.target().cancellation())
                    .thenCompose(read -> {
                        try (read) {
                            return copied(piece, read);
                        }
                    })
                    .handle((done, failure) -> {
                        wanted.over(piece, failure);
                        return null;
                    }));
        }
        waves.begin();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            readNanos.add(times.readSince(began));
        });
    }

    /** A fetch may bring less than it was asked for, when the layout of an open file changed meanwhile. */
    private static CompletableFuture<Void> copied(Piece piece, FileBytes bytes) {
        ByteBuffer place = piece.target().place(piece.from(), piece.to());
        bytes.copyTo(piece.from(), place);
        return place.hasRemaining()
                ? piece.target()
                        .cancellation()
                        .step(piece.file().readLater(bytes.to(), place))
                        .thenApply(count -> null)
                : CompletableFuture.completedFuture(null);
    }
}
