package io.ecfs.client.read.gather;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Pending;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.span.FileBytes;
import io.ecfs.client.read.span.ReadStrategy;
import io.ecfs.client.read.span.Span;
import io.ecfs.client.read.span.SpanFetch;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.client.read.span.Waves;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.wire.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One read of a stretch of a file that lies in many short segments.
 *
 * <pre>
 *   segments of the stretch --&gt; runs --read side by side--+--&gt; parts copied to their places
 *                                                          `--&gt; failed: each part by a read of its own
 * </pre>
 */
final class GatheredRead {
    private static final Logger LOG = LoggerFactory.getLogger(GatheredRead.class);

    /** More of them are read by the next read: they are sorted on the client's owner thread. */
    private static final int MOST_SEGMENTS = 4096;

    private final SpanFetches fetches;
    private final Scheduler owner;
    private final Pending pending;
    private final MemoryBudget memory;
    private final ClientConfig config;
    private final Locations locations;
    private final long from;
    private final long to;
    private final ByteBuffer target;
    private final ReadStrategy strategy;
    private final CancellationScope cancellation;
    private final List<Segment> segments = new ArrayList<>();

    @GuardedBy("this")
    private boolean over;

    /** @param target for bytes [from, to) of the file, from its position 0 on; less is read of very short segments */
    GatheredRead(
            SpanFetches fetches,
            Scheduler owner,
            Pending pending,
            MemoryBudget memory,
            ClientConfig config,
            Locations locations,
            long from,
            long to,
            ByteBuffer target,
            ReadStrategy strategy,
            CancellationScope cancellation) {
        this.fetches = fetches;
        this.owner = owner;
        this.pending = pending;
        this.memory = memory;
        this.config = config;
        this.locations = locations;
        this.from = from;
        this.to = to;
        this.target = target;
        this.strategy = strategy;
        this.cancellation = cancellation;
    }

    /** @return where what is read ends; nothing of this read copies to the target any more when it completes */
    CompletableFuture<Long> begin() {
        return located(from).thenCompose(end -> {
            CompletableFuture<Void> done = pending.with(new CompletableFuture<>());
            CompletableFuture<Long> result =
                    done.whenComplete((nothing, failure) -> over()).thenApply(nothing -> end);
            owner.execute(() -> {
                try {
                    Futures.forward(read(), done);
                } catch (RuntimeException | Error e) {
                    done.completeExceptionally(e);
                }
            });
            return result;
        });
    }

    /** Finds the segments from a position on, as many as are gathered at once; completes with where they end. */
    private CompletableFuture<Long> located(long position) {
        long at = position;
        while (at < to && segments.size() < MOST_SEGMENTS) {
            CompletableFuture<Segment> found = locations.at(at);
            if (!found.isDone()) {
                long next = at;
                return found.thenCompose(segment -> located(add(segment, next)));
            }
            if (found.isCompletedExceptionally()) {
                return found.thenApply(never -> position);
            }
            at = add(found.join(), at);
        }
        return CompletableFuture.completedFuture(at);
    }

    /** Takes a segment's bytes from a position on, as many as are read at once; returns where they end. */
    private long add(Segment segment, long position) {
        long end = Math.min(to, Span.end(segment, position, config.spanBytes()));
        segments.add(segment.within(position, end));
        return end;
    }

    private CompletableFuture<Void> read() {
        Waves waves = new Waves(owner, config.budgetWait());
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (GroupRun run : GroupRun.of(segments, config.spanBytes())) {
            SpanFetch fetch = fetches.fetch(run.within(locations), memory, run.from(), run.to(), strategy);
            reads.add(waves.add(fetch, run.segment(), run.memoryBytes(), cancellation)
                    .thenAccept(bytes -> copy(run, bytes))
                    .exceptionallyCompose(failure -> partByPart(run, failure)));
        }
        waves.begin();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new));
    }

    /** From now on nothing is copied; when the client was closed in the middle, answers still come. */
    private synchronized void over() {
        over = true;
    }

    private void copy(GroupRun run, FileBytes bytes) {
        try (bytes) {
            synchronized (this) {
                for (Segment part : over ? List.<Segment>of() : run.parts()) {
                    bytes.copyTo(part.extent().groupOffset(), place(part));
                }
            }
        }
    }

    private ByteBuffer place(Segment part) {
        return target.slice(
                Math.toIntExact(part.extent().fileOffset() - from),
                Math.toIntExact(part.extent().length()));
    }

    private CompletableFuture<Void> partByPart(GroupRun run, Throwable failure) {
        EcfsException cause = EcfsException.of(failure);
        if (cancellation.cancelled() || cause.code() == ErrorCode.BUSY) {
            return CompletableFuture.failedFuture(failure);
        }
        LOG.info(
                "event=gathered_run_failed group={} parts={} reason=\"{}\"",
                run.segment().group().group(),
                run.parts().size(),
                cause.getMessage());
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (Segment part : run.parts()) {
            done = done.thenCompose(before -> fetches.read(
                    locations, memory, part.extent().fileOffset(), part.extent().fileEnd(), place(part), cancellation));
        }
        return done;
    }
}
