package io.ecfs.client.base;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Waits for memory, but not for ever. */
public final class BudgetWait {
    private BudgetWait() {}

    /**
     * Takes bytes from a budget.
     *
     * @param holders who may hold the memory, for the message: {@code open writers}
     * @return completes when the bytes are the caller's; fails with {@code BUSY} after {@code patience}. When its
     *     cancelling succeeds nothing was taken
     */
    public static CompletableFuture<Void> acquire(
            MemoryBudget budget, long bytes, Duration patience, Scheduler scheduler, String holders) {
        return within(budget.acquire(bytes), budget, bytes, patience, scheduler, holders);
    }

    /** As {@link #acquire}, but {@linkplain MemoryBudget#acquirePatiently patiently}. */
    public static CompletableFuture<Void> acquirePatiently(
            MemoryBudget budget, long bytes, Duration patience, Scheduler scheduler, String holders) {
        return within(budget.acquirePatiently(bytes), budget, bytes, patience, scheduler, holders);
    }

    private static CompletableFuture<Void> within(
            CompletableFuture<Void> granted,
            MemoryBudget budget,
            long bytes,
            Duration patience,
            Scheduler scheduler,
            String holders) {
        if (granted.isDone()) {
            return granted;
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        Cancellable timer = scheduler.schedule(
                patience,
                () -> result.completeExceptionally(new EcfsException(
                        ErrorCode.BUSY,
                        "no " + bytes + " bytes of memory within " + patience.toSeconds() + " s: " + holders + " hold "
                                + budget.usedBytes() + " of " + budget.totalBytes()
                                + " bytes; close some of them or raise the budget")));
        granted.whenComplete((nothing, failure) -> {
            timer.cancel();
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!result.complete(null)) {
                budget.release(bytes);
            }
        });
        result.whenComplete((nothing, failure) -> {
            if (failure != null) {
                granted.cancel(false);
            }
        });
        return result;
    }
}
