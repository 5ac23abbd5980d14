package io.ecfs.client.base;

import io.ecfs.wire.Futures;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The running steps of a call that may be cancelled. A composed future does not cancel its steps when it is cancelled;
 * this does, also those that begin after that. Safe for use by several threads.
 */
public final class CancellationScope {
    private final Map<Long, CompletableFuture<?>> steps = new ConcurrentHashMap<>();
    private final AtomicLong lastStep = new AtomicLong();
    private volatile boolean cancelled;

    /** @return the step, cancelled when it comes too late */
    public <T> CompletableFuture<T> step(CompletableFuture<T> step) {
        if (!step.isDone()) {
            long number = lastStep.incrementAndGet();
            steps.put(number, step);
            step.whenComplete((value, failure) -> steps.remove(number));
        }
        if (cancelled) {
            step.cancel(false);
        }
        return step;
    }

    public boolean cancelled() {
        return cancelled;
    }

    /**
     * Cancels all later steps; {@link #now} cancels the running ones. When the end of one scope's step can begin
     * another's, all scopes get this first.
     */
    public void soon() {
        cancelled = true;
    }

    /** Cancels the running steps, and all later ones. */
    public void now() {
        soon();
        steps.values().forEach(step -> step.cancel(false));
    }

    /** @return the result of {@code composed}; its cancel cancels this scope */
    public <T> CompletableFuture<T> whenCancelled(CompletableFuture<T> composed) {
        return whenCancelled(composed, this::now);
    }

    /** @return the result of {@code composed}; {@code onCancel} runs when it is cancelled */
    public static <T> CompletableFuture<T> whenCancelled(CompletableFuture<T> composed, Runnable onCancel) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.whenCancelled(result, onCancel); // a cancel of composed would reach none of its steps
        Futures.forward(composed, result, late -> {});
        return result;
    }
}
