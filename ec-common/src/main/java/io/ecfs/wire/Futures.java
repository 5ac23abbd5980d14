package io.ecfs.wire;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A result that stands before the call it waits for: what the call brings goes forward, a cancel goes back. Futures
 * that are composed of others ({@code thenApply} and its like) pass no cancel on, and lose what comes after they were
 * cancelled.
 */
public final class Futures {
    private Futures() {}

    /**
     * Gives {@code result} what {@code call} brings; to cancel it is to cancel {@code call}.
     *
     * @param unwanted takes a value that comes when {@code result} is over: nobody else would release it
     */
    public static <T> void join(CompletableFuture<T> call, CompletableFuture<T> result, Consumer<? super T> unwanted) {
        whenCancelled(result, () -> call.cancel(false));
        forward(call, result, unwanted);
    }

    /** As {@link #join}, for a result whose cancel does not go to {@code call}. */
    public static <T> void forward(
            CompletableFuture<T> call, CompletableFuture<T> result, Consumer<? super T> unwanted) {
        call.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!result.complete(value)) {
                unwanted.accept(value);
            }
        });
    }

    /** Runs {@code giveUp} if that is how {@code result} ends. */
    public static void whenCancelled(CompletableFuture<?> result, Runnable giveUp) {
        result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                giveUp.run();
            }
        });
    }
}
