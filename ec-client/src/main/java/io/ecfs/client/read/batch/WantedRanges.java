package io.ecfs.client.read.batch;

import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.span.Span;
import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** The ranges of one request: their files, spans and results. Safe for use by several threads. */
final class WantedRanges {
    private final List<FileRange> ranges;
    private final Memory memory;
    private final int spanBytes;
    private final Map<FileRange, CompletableFuture<RangeResult>> results = new LinkedHashMap<>();
    private final Map<FileRange, CancellationScope> cancellations = new HashMap<>();

    /** A part of a range within one span. */
    record Piece(ReadableFile file, Segment segment, long from, long to, Target target) {}

    /** Gives memory for the bytes of a range, of which there are so many. */
    interface Memory {
        ByteBuffer of(FileRange range, long bytes) throws EcfsException;
    }

    /**
     * The memory for the bytes of one range, from position 0 to the limit. It is over when all its pieces are, also
     * when one failed.
     */
    static final class Target {
        private final FileRange range;
        private final long from;
        private final ByteBuffer bytes;
        private final CancellationScope cancellation;
        private final AtomicInteger missing = new AtomicInteger();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        private Target(FileRange range, long from, ByteBuffer bytes, CancellationScope cancellation) {
            this.range = range;
            this.from = from;
            this.bytes = bytes;
            this.cancellation = cancellation;
        }

        FileRange range() {
            return range;
        }

        /** Cancels the reads for this range. */
        CancellationScope cancellation() {
            return cancellation;
        }

        /** The memory for file bytes [begin, end) of the range. */
        ByteBuffer place(long begin, long end) {
            return bytes.duplicate().position(Math.toIntExact(begin - from)).limit(Math.toIntExact(end - from));
        }

        private RangeResult result() {
            return failure.get() == null
                    ? new RangeResult.Read(range, bytes)
                    : new RangeResult.Failed(range, EcfsException.of(failure.get()));
        }
    }

    /** @param spanBytes most bytes of a chunk that are asked for at once */
    WantedRanges(List<FileRange> ranges, Memory memory, int spanBytes) {
        this.ranges = List.copyOf(ranges);
        this.memory = memory;
        this.spanBytes = spanBytes;
        this.ranges.forEach(range -> {
            results.putIfAbsent(range, new CompletableFuture<>());
            cancellations.putIfAbsent(range, new CancellationScope());
        });
    }

    int count() {
        return ranges.size();
    }

    /** Opens the files and cuts the ranges; what cannot be had has its result by then. */
    CompletableFuture<List<Piece>> pieces(FileOpener files) {
        Map<FilePath, CompletableFuture<ReadableFile>> opened = files.open(
                results.keySet().stream().map(FileRange::path).collect(Collectors.toCollection(LinkedHashSet::new)));
        List<CompletableFuture<List<Piece>>> cuts = results.keySet().stream()
                .map(range -> opened.get(range.path())
                        .thenCompose(file -> cut(range, file))
                        .handle((pieces, failure) -> {
                            if (failure == null) {
                                return pieces;
                            }
                            failed(range, failure);
                            return List.<Piece>of();
                        }))
                .toList();
        return CompletableFuture.allOf(cuts.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        cuts.stream().flatMap(cut -> cut.join().stream()).toList());
    }

    private CompletableFuture<List<Piece>> cut(FileRange range, ReadableFile file) {
        long from = Math.min(range.from(), file.length());
        long to = Math.min(range.to(), file.length());
        Target target;
        try {
            target = new Target(range, from, memory.of(range, to - from), cancellations.get(range));
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        return cut(file, target, from, to, new ArrayList<>()).thenApply(pieces -> {
            target.missing.set(pieces.size());
            if (pieces.isEmpty()) {
                results.get(range).complete(target.result());
            }
            return pieces;
        });
    }

    private CompletableFuture<List<Piece>> cut(
            ReadableFile file, Target target, long from, long to, List<Piece> pieces) {
        for (long at = from; at < to; ) {
            CompletableFuture<Segment> known = file.locations().at(at);
            long here = at;
            if (!known.isDone()) {
                return known.thenCompose(
                        segment -> cut(file, target, add(pieces, file, segment, here, to, target), to, pieces));
            } else if (known.isCompletedExceptionally()) {
                return known.thenApply(segment -> pieces);
            }
            at = add(pieces, file, known.join(), here, to, target);
        }
        return CompletableFuture.completedFuture(pieces);
    }

    /** @return where the piece ends */
    private long add(List<Piece> pieces, ReadableFile file, Segment segment, long from, long to, Target target) {
        long end = Math.min(to, Span.end(segment, from, spanBytes));
        pieces.add(new Piece(file, segment, from, end, target));
        return end;
    }

    /**
     * A piece was copied to its place, or failed. The range has its result when none of its pieces writes to its memory
     * any more.
     */
    void over(Piece piece, Throwable failure) {
        Target target = piece.target();
        if (failure != null) {
            target.failure.compareAndSet(null, failure);
        }
        if (target.missing.decrementAndGet() == 0) {
            results.get(target.range).complete(target.result());
        }
    }

    /** Cancels all ranges. */
    void cancel() {
        cancellations.values().forEach(CancellationScope::soon);
        cancellations.values().forEach(CancellationScope::now);
    }

    /** Cancels one range. */
    void cancel(FileRange range) {
        cancellations.get(range).now();
    }

    /** All that have no result yet fail. */
    void failed(Throwable failure) {
        results.keySet().forEach(range -> failed(range, failure));
    }

    private void failed(FileRange range, Throwable failure) {
        results.get(range).complete(new RangeResult.Failed(range, EcfsException.of(failure)));
    }

    /** The results in the order of the ranges, each as soon as it is complete. */
    List<CompletableFuture<RangeResult>> results() {
        return ranges.stream().map(results::get).toList();
    }

    /** The first failure there is by now. */
    Optional<EcfsException> failure() {
        return results.values().stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .filter(RangeResult.Failed.class::isInstance)
                .map(result -> ((RangeResult.Failed) result).failure())
                .findFirst();
    }
}
