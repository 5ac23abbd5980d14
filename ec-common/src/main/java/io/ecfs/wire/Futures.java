package io.ecfs.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Connections of a result to the call it waits for: the outcome is passed forward, a cancel back. Futures composed of
 * others ({@code thenApply} and its like) pass no cancel on, and lose a value that comes after they were cancelled.
 */
public final class Futures {
    private Futures() {}

    /**
     * Completes {@code result} with the outcome of {@code call}; a cancel of it cancels {@code call}.
     *
     * @param unwanted takes a value that comes when {@code result} is over, and would not be released otherwise
     */
    public static <T> void join(CompletableFuture<T> call, CompletableFuture<T> result, Consumer<? super T> unwanted) {
        whenCancelled(result, () -> call.cancel(false));
        forward(call, result, unwanted);
    }

    /** As {@link #join}, but a cancel of the result does not cancel {@code call}. */
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

    /**
     * Completes {@code result} with the outcome of {@code call}, whose value needs no release. A failure of a composed
     * call is passed on without the {@link CompletionException} around it.
     */
    public static <T> void forward(CompletableFuture<T> call, CompletableFuture<T> result) {
        call.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(cause(failure));
            } else {
                result.complete(value);
            }
        });
    }

    /** The failure itself, without the exception that a composed future puts around it. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Runs {@code onCancel} if {@code result} is cancelled. */
    public static void whenCancelled(CompletableFuture<?> result, Runnable onCancel) {
        result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                onCancel.run();
            }
        });
    }
}
