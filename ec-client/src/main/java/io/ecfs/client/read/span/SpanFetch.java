package io.ecfs.client.read.span;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.BudgetWait;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Pending;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Segment;
import io.ecfs.env.Scheduler;
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
public final class SpanFetch {
    private static final Logger LOG = LoggerFactory.getLogger(SpanFetch.class);
    private static final int REFRESHES = 2;
    private static final Set<ErrorCode> WORTH_A_REFRESH = Set.of(ErrorCode.GROUP_UNREADABLE, ErrorCode.TOKEN_REFUSED);

    private final SpanReads reads;
    private final Scheduler owner;
    private final Pending pending;
    private final ClientConfig config;
    private final Locations locations;
    private final MemoryBudget budget;
    private final long from;
    private volatile long to;
    private volatile ReadStrategy way;
    private final CompletableFuture<FileBytes> result = new CompletableFuture<>();
    private volatile CompletableFuture<?> step = CompletableFuture.completedFuture(null);

    /** @param from file offsets [from, to) within one span */
    SpanFetch(
            SpanReads reads,
            Scheduler owner,
            Pending pending,
            ClientConfig config,
            Locations locations,
            MemoryBudget budget,
            long from,
            long to,
            ReadStrategy way) {
        this.way = way;
        this.reads = reads;
        this.owner = owner;
        this.pending = pending;
        this.config = config;
        this.locations = locations;
        this.budget = budget;
        this.from = from;
        this.to = to;
        Futures.whenCancelled(result, () -> step.cancel(false));
    }

    /** The bytes; cancel it to give up, at whatever step. */
    public CompletableFuture<FileBytes> result() {
        return result;
    }

    /** The budget that its memory is reserved from. */
    public MemoryBudget memory() {
        return budget;
    }

    private CompletableFuture<Void> reserve(long bytes) {
        CompletableFuture<Void> granted =
                BudgetWait.acquire(budget, bytes, config.budgetWait(), owner, "reads under way");
        enter(granted);
        return granted;
    }

    /** Waits for memory, then reads. */
    public CompletableFuture<FileBytes> start(Segment segment) {
        pending.with(result);
        long bytes = Span.memoryBytes(segment, from, to);
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
    public CompletableFuture<FileBytes> startWith(Segment segment, long reserved) {
        pending.with(result);
        attempt(segment, reserved, REFRESHES);
        return result;
    }

    private void attempt(Segment segment, long reserved, int refreshes) {
        if (result.isDone()) {
            budget.release(reserved);
            return;
        }
        CompletableFuture<? extends GroupBytes> read =
                reads.read(segment, from, to, way, (known, missing) -> locations.places(from, known, missing));
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
                owner.schedule(config.retryPause(), () -> refresh(cause, reserved, refreshes - 1));
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
                // The bytes of a stripe that became full lie elsewhere now, perhaps in several spans: the caller
                // reads on from there.
                way = way.unplanned();
                to = Math.min(to, Span.end(fresh, from, config.spanBytes()));
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
