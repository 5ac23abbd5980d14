package io.ecfs.client.base;

import io.ecfs.wire.Futures;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is under way for somebody who may give up. A future that is composed of others does not cancel them when it is
 * cancelled; this does, also those that begin after that. Safe for use by several threads.
 */
public final class CancellationScope {
    private final Map<Long, CompletableFuture<?>> steps = new ConcurrentHashMap<>();
    private final AtomicLong lastStep = new AtomicLong();
    private volatile boolean given;

    /** @return the step, cancelled when it comes too late */
    public <T> CompletableFuture<T> step(CompletableFuture<T> step) {
        if (!step.isDone()) {
            long number = lastStep.incrementAndGet();
            steps.put(number, step);
            step.whenComplete((value, failure) -> steps.remove(number));
        }
        if (given) {
            step.cancel(false);
        }
        return step;
    }

    public boolean given() {
        return given;
    }

    /**
     * Cancels all that comes. What is under way ends by {@link #now}: where one end makes room for another begin, all
     * are told this first.
     */
    public void soon() {
        given = true;
    }

    /** Cancels what is under way, and all that comes. */
    public void now() {
        soon();
        steps.values().forEach(step -> step.cancel(false));
    }

    /** @return what {@code composed} brings; to cancel it is to give up */
    public <T> CompletableFuture<T> whenCancelled(CompletableFuture<T> composed) {
        return whenCancelled(composed, this::now);
    }

    /** @return what {@code composed} brings; {@code giveUp} runs when it is cancelled */
    public static <T> CompletableFuture<T> whenCancelled(CompletableFuture<T> composed, Runnable giveUp) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.whenCancelled(result, giveUp); // a cancel of composed would reach none of its steps
        Futures.forward(composed, result, late -> {});
        return result;
    }
}
