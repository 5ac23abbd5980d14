package io.ecfs.client.read;

import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.read.WantedRanges.Piece;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Reads many ranges of many files as one request: which chunks of all of them are read is planned together.
 *
 * <pre>
 *   ranges --> open the files, by one call --> spans --> plan of up to 64 spans --> read in parallel --> the next 64
 *                 `-- a file that is not there: its ranges fail, the others are read
 * </pre>
 *
 * A span whose plan comes to nothing (chunks that fail, are late or have moved) is read as any other span then. Results
 * are in memory of their own.
 */
public final class JointRead {
    /** More blocks in one plan than that, and the solver takes longer than the plan is worth (SCIP: 50 ms at 50). */
    public static final int SPANS_A_PLAN = 64;

    /** Their files are opened side by side. */
    private static final int MOST_RANGES = 4096;

    /** Some ten thousand spans of the usual policies: seconds. */
    private static final long MOST_PLANNED_BYTES = 64L << 30;

    private static final long MOST_RANGE_BYTES = 1L << 30;

    /** Opens files. */
    @FunctionalInterface
    public interface Files {
        /** @return each of them as soon as it is there, or why it cannot be */
        Map<FilePath, CompletableFuture<FileReader>> open(Collection<FilePath> paths);
    }

    private final ReadServices services;
    private final Files files;
    private final WantedRanges wanted;
    private final int delta;
    private final boolean traced;
    private final List<SpanBatch> batches = new ArrayList<>(); // owner thread; read when all is over

    /** Of this request's batches; {@link ReadTimes} has those of all requests. */
    private final LongAdder readNanos = new LongAdder();

    private JointRead(
            ReadServices services,
            Files files,
            List<FileRange> ranges,
            WantedRanges.Memory memory,
            int delta,
            boolean traced) {
        this.services = services;
        this.files = files;
        this.wanted = new WantedRanges(ranges, memory, services.config().spanBytes());
        this.delta = delta;
        this.traced = traced;
    }

    /**
     * Reads.
     *
     * @param delta chunks of each block that are asked beyond those that suffice
     * @return a result for each range, in their order; one of more than 1 GiB fails alone. Cancel to give up. Fails
     *     only with {@code INVALID_ARGUMENT}, when there are more than 4,096 ranges, or some file's code has fewer
     *     parity chunks than {@code delta}: nothing is read then
     */
    public static CompletableFuture<List<RangeResult>> read(
            ReadServices services, Files files, List<FileRange> ranges, int delta) {
        JointRead read = new JointRead(services, files, ranges, JointRead::allocate, delta, false);
        return CancellationScope.whenCancelled(
                read.opened()
                        .thenCompose(pieces -> read.inBatches(pieces, 0, true).exceptionally(read::failed))
                        .thenApply(done -> read.wanted.results().stream()
                                .map(CompletableFuture::join)
                                .map(JointRead::own)
                                .toList()),
                read.wanted::giveUp);
    }

    /** What has no result yet has this one. */
    private Void failed(Throwable failure) {
        wanted.failed(failure);
        return null;
    }

    /** A range that is wanted twice is read once, and its bytes have a position for each. */
    private static RangeResult own(RangeResult result) {
        return result instanceof RangeResult.Read read
                ? new RangeResult.Read(read.range(), read.bytes().duplicate())
                : result;
    }

    /**
     * Reads ranges of one open file into memory of the caller.
     *
     * @param targets for each range, all of them different; read from its position on, as far as the range goes. Must
     *     not be touched before the range's result is there, and not any more when that was cancelled
     * @return for each range, as soon as it is there, its bytes: fewer than asked for, or none, where the file ends.
     *     Fails as a read of it alone does. Cancel one to give up its range
     */
    static List<CompletableFuture<Integer>> into(
            ReadServices services, FileReader file, Map<FileRange, ByteBuffer> targets) {
        List<FileRange> ranges = List.copyOf(targets.keySet());
        JointRead read = new JointRead(
                services,
                paths -> Map.of(file.status().path(), CompletableFuture.completedFuture(file)),
                ranges,
                (range, bytes) -> targets.get(range).slice().limit(Math.toIntExact(bytes)),
                services.hedging().delta(),
                false);
        services.times()
                .opening(() -> read.wanted.pieces(read.files))
                .thenCompose(pieces -> read.inBatches(pieces, 0, true))
                .exceptionally(read::failed);
        List<CompletableFuture<RangeResult>> results = read.wanted.results();
        return IntStream.range(0, results.size())
                .mapToObj(i -> CancellationScope.whenCancelled(
                        results.get(i).thenCompose(JointRead::bytesOf), () -> read.wanted.giveUp(ranges.get(i))))
                .toList();
    }

    private static CompletableFuture<Integer> bytesOf(RangeResult result) {
        return result instanceof RangeResult.Read read
                ? CompletableFuture.completedFuture(read.bytes().limit())
                : CompletableFuture.failedFuture(((RangeResult.Failed) result).failure());
    }

    private static ByteBuffer allocate(FileRange range, long bytes) throws EcfsException {
        if (bytes > MOST_RANGE_BYTES) {
            throw tooLong(range, bytes, "one range has at most " + MOST_RANGE_BYTES + "; read it as a stream");
        }
        return ByteBuffer.allocate(Math.toIntExact(bytes));
    }

    /** No memory for what is only planned. */
    private static ByteBuffer unread(FileRange range, long bytes) throws EcfsException {
        if (bytes > MOST_PLANNED_BYTES) {
            throw tooLong(range, bytes, "at most " + MOST_PLANNED_BYTES + " are planned at once; name a part of it");
        }
        return ByteBuffer.allocate(0);
    }

    private static EcfsException tooLong(FileRange range, long bytes, String instead) {
        return new EcfsException(
                ErrorCode.INVALID_ARGUMENT, "range of " + bytes + " bytes of " + range.path() + ": " + instead);
    }

    /** Plans, reads if that is wanted, and tells about it; fails as the first range that cannot be had does. */
    public static CompletableFuture<Explanation> explain(
            ReadServices services, Files files, List<FileRange> ranges, int delta, boolean reading) {
        WantedRanges.Memory memory = reading ? JointRead::allocate : JointRead::unread;
        JointRead read = new JointRead(services, files, ranges, memory, delta, true);
        return CancellationScope.whenCancelled(
                read.opened()
                        .thenCompose(pieces ->
                                read.measured(pieces).thenCompose(measured -> read.inBatches(pieces, 0, reading)))
                        .thenCompose(done -> read.explanation(reading)),
                read.wanted::giveUp);
    }

    /** The pieces of all ranges that can be had; fails when the request asks for too much. */
    private CompletableFuture<List<Piece>> opened() {
        return bounded()
                .thenCompose(go -> services.times().opening(() -> wanted.pieces(files)))
                .thenCompose(this::checked);
    }

    private CompletableFuture<Void> bounded() {
        return wanted.count() <= MOST_RANGES
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "request for " + wanted.count() + " ranges: one has at most " + MOST_RANGES));
    }

    private CompletableFuture<List<Piece>> checked(List<Piece> pieces) {
        for (Piece piece : pieces) {
            int parity =
                    services.codes().of(piece.segment().group().policy().code()).parityChunks();
            if (delta < 0 || delta > parity) {
                return CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "late binding with delta " + delta + " cannot read "
                                + piece.target().range().path() + ": its policy "
                                + piece.segment().group().policy() + " has " + parity
                                + " parity chunks, and delta is from 0 to that"));
            }
        }
        return CompletableFuture.completedFuture(pieces);
    }

    private CompletableFuture<Void> measured(List<Piece> pieces) {
        return onOwner(() -> services.costs()
                .measure(pieces.stream()
                        .flatMap(piece -> piece.segment().group().chunks().stream())
                        .distinct()
                        .toList()));
    }

    /** One batch after the other, from the owner thread; what nobody waits for any more is not begun. */
    private CompletableFuture<Void> inBatches(List<Piece> pieces, int from, boolean reading) {
        if (from >= pieces.size()) {
            return CompletableFuture.completedFuture(null);
        }
        int to = Math.min(pieces.size(), from + SPANS_A_PLAN);
        CompletableFuture<Void> done = services.pending().with(new CompletableFuture<>());
        services.owner().execute(() -> {
            try {
                List<Piece> next = stillWanted(pieces.subList(from, to));
                if (next.isEmpty()) {
                    done.complete(null);
                    return;
                }
                SpanBatch batch = SpanBatch.planned(services, next, delta, reading);
                if (traced) {
                    batches.add(batch);
                }
                (reading ? read(batch) : CompletableFuture.<Void>completedFuture(null))
                        .whenComplete((nothing, failure) -> done.complete(null)); // failures are results by now
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done.thenCompose(nothing -> inBatches(pieces, to, reading));
    }

    private List<Piece> stillWanted(List<Piece> pieces) {
        List<Piece> still = new ArrayList<>();
        for (Piece piece : pieces) {
            if (piece.target().giveUp().given()) {
                wanted.over(piece, new CancellationException("given up before it began"));
            } else {
                still.add(piece);
            }
        }
        return still;
    }

    private CompletableFuture<Void> read(SpanBatch batch) {
        long began = services.times().now();
        Optional<ReadsTogether> together = Optional.of(new ReadsTogether(services));
        Waves waves = new Waves(services);
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (SpanPlan span : batch.spans()) {
            SpanWatch watch = traced ? span.trace() : SpanWatch.NOBODY;
            ReadStrategy way = new ReadStrategy(span.chosen(), delta, span.spares(), watch, together);
            Piece piece = span.piece();
            SpanFetch fetch = new SpanFetch(
                    services, piece.file().locations(), piece.file().demand(), piece.from(), piece.to(), way);
            reads.add(waves.add(
                            fetch,
                            piece.segment(),
                            piece.segment().memoryBytes(piece.from(), piece.to()),
                            piece.target().giveUp())
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
            readNanos.add(services.times().readSince(began));
        });
    }

    /** A fetch may bring less than it was asked for, when the layout of an open file changed meanwhile. */
    private static CompletableFuture<Void> copied(Piece piece, FileBytes bytes) {
        ByteBuffer place = piece.target().place(piece.from(), piece.to());
        bytes.copyTo(piece.from(), place);
        return place.hasRemaining()
                ? piece.target()
                        .giveUp()
                        .step(piece.file().readLater(bytes.to(), place))
                        .thenApply(count -> null)
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Explanation> explanation(boolean reading) {
        Optional<EcfsException> failure = wanted.failure();
        if (failure.isPresent()) {
            return CompletableFuture.failedFuture(failure.get());
        }
        ReadAccount account = new ReadAccount();
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (SpanBatch batch : batches) {
            all = all.thenCompose(before -> onOwner(() -> services.plans().exactly(batch.planBlocks(), batch.costs())))
                    .handle((exact, unsolved) -> {
                        account.add(batch, unsolved == null ? exact : Optional.empty());
                        return null;
                    });
        }
        return all.thenApply(done -> account.explanation(reading, readNanos.sum()));
    }

    private <T> CompletableFuture<T> onOwner(Supplier<CompletableFuture<T>> work) {
        CompletableFuture<T> result = services.pending().with(new CompletableFuture<>());
        services.owner().execute(() -> Futures.forward(work.get(), result, late -> {}));
        return result;
    }
}
