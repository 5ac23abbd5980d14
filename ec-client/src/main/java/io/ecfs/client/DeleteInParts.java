package io.ecfs.client;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Deletes directories with all that is in them. One that has more in it than the namenode checks in one step (it says
 * {@code NOT_EMPTY} then) is emptied some entries at a time first: such a delete is not atomic, as {@code rm -r} is
 * not.
 */
record DeleteInParts(EcfsClient client) {
    private static final int AT_ONCE = 64;

    /** @param whole deletes the directory in one step */
    CompletableFuture<Void> of(FilePath directory, Supplier<CompletableFuture<Void>> whole) {
        return whole.get()
                .handle((done, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    return isA(failure, ErrorCode.NOT_EMPTY)
                            ? emptied(directory).thenCompose(empty -> whole.get())
                            : CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(result -> result);
    }

    private CompletableFuture<Void> emptied(FilePath directory) {
        return client.list(directory, "", AT_ONCE).thenCompose(page -> {
            CompletableFuture<?>[] deleted = page.entries().stream()
                    .map(FileStatus::path)
                    .map(this::withoutGone)
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture<Void> all = CompletableFuture.allOf(deleted);
            return page.more() ? all.thenCompose(done -> emptied(directory)) : all;
        });
    }

    /** One that another client deletes meanwhile is deleted. */
    private CompletableFuture<Void> withoutGone(FilePath entry) {
        return client.delete(entry, true)
                .handle((done, failure) -> failure == null || isA(failure, ErrorCode.NOT_FOUND)
                        ? CompletableFuture.<Void>completedFuture(null)
                        : CompletableFuture.<Void>failedFuture(failure))
                .thenCompose(result -> result);
    }

    private static boolean isA(Throwable failure, ErrorCode code) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof EcfsException refused && refused.code() == code;
    }
}
