package io.ecfs.client.read;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.BudgetWait;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.wire.Futures;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One span of a file on its way: memory first, then the read; when the group cannot be read, fresh locations and tokens
 * and another try. The result may be shorter than what was asked for, and owns memory and bytes together; a cancelled
 * or failed fetch leaves nothing behind.
 */
final class SpanFetch {
    private static final Logger LOG = LoggerFactory.getLogger(SpanFetch.class);
    private static final int REFRESHES = 2;
    private static final Set<ErrorCode> WORTH_A_REFRESH = Set.of(ErrorCode.GROUP_UNREADABLE, ErrorCode.TOKEN_REFUSED);

    private final ReadServices services;
    private final Locations locations;
    private final MemoryBudget budget;
    private final long from;
    private volatile long to;
    private volatile ReadStrategy way;
    private final CompletableFuture<FileBytes> result = new CompletableFuture<>();
    private volatile CompletableFuture<?> step = CompletableFuture.completedFuture(null);

    /** @param from file offsets [from, to) within one span */
    SpanFetch(ReadServices services, Locations locations, MemoryBudget budget, long from, long to) {
        this(services, locations, budget, from, to, ReadStrategy.usual(services));
    }

    /** @param way of the first attempt; a plan does not outlive the locations that it was made for */
    SpanFetch(ReadServices services, Locations locations, MemoryBudget budget, long from, long to, ReadStrategy way) {
        this.way = way;
        this.services = services;
        this.locations = locations;
        this.budget = budget;
        this.from = from;
        this.to = to;
        Futures.whenCancelled(result, () -> step.cancel(false));
    }

    /** The bytes; cancel it to give up, at whatever step. */
    CompletableFuture<FileBytes> result() {
        return result;
    }

    /** What its memory is taken from. */
    MemoryBudget memory() {
        return budget;
    }

    private CompletableFuture<Void> reserve(long bytes) {
        CompletableFuture<Void> granted =
                BudgetWait.acquire(budget, bytes, services.config().budgetWait(), services.owner(), "reads under way");
        enter(granted);
        return granted;
    }

    /** Waits for memory, then reads. */
    CompletableFuture<FileBytes> start(Segment segment) {
        services.pending().with(result);
        long bytes = segment.memoryBytes(from, to);
        reserve(bytes).whenComplete((nothing, failure) -> {
            if (failure != null) {
                result.completeExceptionally(EcfsException.of(failure));
            } else {
                attempt(segment, bytes, REFRESHES);
            }
        });
        return result;
    }

    /** Takes over memory that was granted already. */
    CompletableFuture<FileBytes> startWith(Segment segment, long reserved) {
        services.pending().with(result);
        attempt(segment, reserved, REFRESHES);
        return result;
    }

    private void attempt(Segment segment, long reserved, int refreshes) {
        if (result.isDone()) {
            budget.release(reserved);
            return;
        }
        CompletableFuture<? extends GroupBytes> read =
                segment.read(services, from, to, way, (known, missing) -> locations.places(from, known, missing));
        enter(read);
        read.whenComplete((bytes, failure) -> {
            if (failure == null) {
                FileBytes mine = new FileBytes(bytes, segment.shift(), budget, reserved);
                if (!result.complete(mine)) {
                    mine.close();
                }
                return;
            }
            EcfsException cause = EcfsException.of(failure);
            if (refreshes > 0 && WORTH_A_REFRESH.contains(cause.code()) && !result.isDone()) {
                LOG.info(
                        "event=read_again group={} reason=\"{}\"",
                        segment.group().group(),
                        cause.getMessage());
                services.owner()
                        .schedule(services.config().retryPause(), () -> refresh(cause, reserved, refreshes - 1));
            } else {
                fail(cause, reserved);
            }
        });
    }

    private void refresh(EcfsException cause, long reserved, int refreshes) {
        locations.refreshed(from).whenComplete((fresh, failure) -> {
            if (failure != null) {
                EcfsException refused = EcfsException.of(failure);
                refused.addSuppressed(cause);
                fail(refused, reserved);
            } else {
                // The bytes of a stripe that became full lie elsewhere now, perhaps in several spans: whoever asked
                // goes on from there.
                way = way.unplanned();
                to = Math.min(to, fresh.spanEnd(from, services.config().spanBytes()));
                attempt(fresh, reserved, refreshes);
            }
        });
    }

    private void fail(EcfsException cause, long reserved) {
        budget.release(reserved);
        result.completeExceptionally(cause);
    }

    private void enter(CompletableFuture<?> next) {
        step = next;
        if (result.isCancelled()) {
            next.cancel(false);
        }
    }
}
