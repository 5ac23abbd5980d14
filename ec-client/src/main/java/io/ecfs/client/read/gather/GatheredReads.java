package io.ecfs.client.read.gather;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Pending;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.span.CoalescedReads;
import io.ecfs.client.read.span.FileBytes;
import io.ecfs.client.read.span.ReadStrategy;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.Futures;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Reads stretches of files: what lies in one place as single spans, what is scattered by {@link GatheredRead}. Safe for
 * use by several threads.
 */
public final class GatheredReads {
    /** Most bytes of a file that are gathered at once. */
    private static final int WINDOW_BYTES = 2 << 20;

    /** A segment with fewer bytes left is short. */
    private static final int SHORT_BYTES = 256 << 10;

    private final SpanFetches fetches;
    private final ChunkSource chunks;
    private final Scheduler owner;
    private final Pending pending;
    private final MemoryBudget memory;
    private final ClientConfig config;

    /** @param memory of reads that a caller waits for */
    public GatheredReads(
            SpanFetches fetches,
            ChunkSource chunks,
            Scheduler owner,
            Pending pending,
            MemoryBudget memory,
            ClientConfig config) {
        this.fetches = fetches;
        this.chunks = chunks;
        this.owner = owner;
        this.pending = pending;
        this.memory = memory;
        this.config = config;
    }

    /** Returns whether bytes [from, limit) of a file, which begin in a segment, are better gathered. */
    public boolean scattered(Segment segment, long from, long limit) {
        long end = segment.extent().fileEnd();
        return end < limit && end - from < SHORT_BYTES;
    }

    /** Returns where the bytes end that are gathered at once from {@code from} on. */
    public long gatheredEnd(long from, long limit) {
        return Math.min(limit, from + WINDOW_BYTES);
    }

    /**
     * Reads file bytes [from, to) into memory of their own.
     *
     * @param ahead has {@code to - from} bytes reserved for the result, which returns them
     */
    public CompletableFuture<FileBytes> fetch(Locations locations, MemoryBudget ahead, long from, long to) {
        CancellationScope cancellation = new CancellationScope();
        ByteBuffer target = ByteBuffer.allocate(Math.toIntExact(to - from));
        FileBytes bytes = FileBytes.inMemory(from, target.array(), ahead);
        CompletableFuture<FileBytes> result = new CompletableFuture<>();
        Futures.whenCancelled(result, cancellation::now);
        read(locations, from, to, target, cancellation).whenComplete((done, failure) -> {
            boolean taken = failure == null && result.complete(bytes);
            if (!taken) {
                bytes.close();
            }
            if (failure != null) {
                result.completeExceptionally(EcfsException.of(failure));
            }
        });
        return result;
    }

    /**
     * Reads file bytes [from, end) to where the target stands, and moves its position.
     *
     * @param target must not be touched until the result is there; not any more when it was cancelled
     */
    public CompletableFuture<Void> read(
            Locations locations, long from, long end, ByteBuffer target, CancellationScope cancellation) {
        long at = from;
        while (at < end) {
            CompletableFuture<Long> part = part(locations, at, end, target, cancellation);
            if (!part.isDone() || part.isCompletedExceptionally()) {
                return part.thenCompose(next -> read(locations, next, end, target, cancellation));
            }
            at = part.join();
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Reads what comes next; completes with where it ends. */
    private CompletableFuture<Long> part(
            Locations locations, long from, long end, ByteBuffer target, CancellationScope cancellation) {
        return locations
                .at(from)
                .thenCompose(segment -> scattered(segment, from, end)
                        ? gathered(locations, from, gatheredEnd(from, end), target, cancellation)
                        : fetches.readSpan(locations, memory, segment, from, end, target, cancellation));
    }

    private CompletableFuture<Long> gathered(
            Locations locations, long from, long to, ByteBuffer target, CancellationScope cancellation) {
        GatheredRead read = new GatheredRead(
                fetches,
                owner,
                pending,
                memory,
                config,
                locations,
                from,
                to,
                target.slice(),
                ReadStrategy.together(config.hedge().delta(), new CoalescedReads(chunks, owner)),
                cancellation);
        return read.begin().thenApply(end -> {
            target.position(target.position() + Math.toIntExact(end - from));
            return end;
        });
    }
}
