package io.ecfs.client.read.batch;

import io.ecfs.client.base.Pending;
import io.ecfs.client.read.batch.WantedRanges.Piece;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.wire.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * One request for several ranges.
 *
 * <pre>
 *   ranges --> open the files, by one call --> spans --> plan of up to 64 spans --> read in parallel --> the next 64
 *                 `-- a file that is not there: its ranges fail, the others are read
 * </pre>
 *
 * A span whose plan comes to nothing (chunks that fail, are late or have moved) is read as any other span then. Batches
 * are planned and begun on the client's owner thread.
 */
final class JointRead {
    /** Their files are opened side by side. */
    private static final int MOST_RANGES = 4096;

    private final BatchPlanner planner;
    private final BatchReader reader;
    private final ReadTimes times;
    private final Scheduler owner;
    private final Pending pending;
    private final FileOpener files;
    private final WantedRanges wanted;
    private final int delta;
    private final boolean traced;
    private final List<SpanBatch> batches = new ArrayList<>(); // owner thread; read when all is over

    /** The time of this request's batches; {@link ReadTimes} has the sum of all requests. */
    private final LongAdder readNanos = new LongAdder();

    JointRead(
            BatchPlanner planner,
            BatchReader reader,
            ReadTimes times,
            Scheduler owner,
            Pending pending,
            FileOpener files,
            WantedRanges wanted,
            int delta,
            boolean traced) {
        this.planner = planner;
        this.reader = reader;
        this.times = times;
        this.owner = owner;
        this.pending = pending;
        this.files = files;
        this.wanted = wanted;
        this.delta = delta;
        this.traced = traced;
    }

    WantedRanges wanted() {
        return wanted;
    }

    /** Fails the ranges that have no result yet. */
    Void failed(Throwable failure) {
        wanted.failed(failure);
        return null;
    }

    /** The pieces of all ranges that can be had. */
    CompletableFuture<List<Piece>> pieces() {
        return times.opening(() -> wanted.pieces(files));
    }

    /** The same; fails when the request exceeds a limit. */
    CompletableFuture<List<Piece>> checkedPieces() {
        return bounded().thenCompose(go -> pieces()).thenCompose(this::checked);
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
            int parity = planner.parityChunks(piece.segment().group());
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

    CompletableFuture<Void> measured(List<Piece> pieces) {
        return onOwner(() -> planner.measure(pieces));
    }

    /** One batch after the other, from the owner thread; pieces that were cancelled are not begun. */
    CompletableFuture<Void> inBatches(List<Piece> pieces, int from, Purpose purpose) {
        if (from >= pieces.size()) {
            return CompletableFuture.completedFuture(null);
        }
        int to = Math.min(pieces.size(), from + BatchPlanner.SPANS_A_PLAN);
        CompletableFuture<Void> done = pending.with(new CompletableFuture<>());
        owner.execute(() -> {
            try {
                List<Piece> next = stillWanted(pieces.subList(from, to));
                if (next.isEmpty()) {
                    done.complete(null);
                    return;
                }
                SpanBatch batch = planner.plan(next, delta, purpose);
                if (traced) {
                    batches.add(batch);
                }
                (purpose == Purpose.EXPLAIN
                                ? CompletableFuture.<Void>completedFuture(null)
                                : reader.read(batch, delta, traced, wanted, readNanos))
                        .whenComplete((nothing, failure) -> done.complete(null)); // failures are results by now
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done.thenCompose(nothing -> inBatches(pieces, to, purpose));
    }

    private List<Piece> stillWanted(List<Piece> pieces) {
        List<Piece> still = new ArrayList<>();
        for (Piece piece : pieces) {
            if (piece.target().cancellation().cancelled()) {
                wanted.over(piece, new CancellationException("given up before it began"));
            } else {
                still.add(piece);
            }
        }
        return still;
    }

    CompletableFuture<Explanation> explanation(boolean reading) {
        Optional<EcfsException> failure = wanted.failure();
        if (failure.isPresent()) {
            return CompletableFuture.failedFuture(failure.get());
        }
        ReadAccount account = new ReadAccount();
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (SpanBatch batch : batches) {
            all = all.thenCompose(before -> onOwner(() -> planner.exactly(batch)))
                    .handle((exact, unsolved) -> {
                        account.add(batch, unsolved == null ? exact : Optional.empty());
                        return null;
                    });
        }
        return all.thenApply(done -> account.explanation(reading, readNanos.sum()));
    }

    private <T> CompletableFuture<T> onOwner(Supplier<CompletableFuture<T>> work) {
        CompletableFuture<T> result = pending.with(new CompletableFuture<>());
        owner.execute(() -> Futures.forward(work.get(), result, late -> {}));
        return result;
    }
}
