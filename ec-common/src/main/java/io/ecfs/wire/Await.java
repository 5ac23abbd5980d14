package io.ecfs.wire;

import io.ecfs.error.EcfsException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Blocking calls of the client: waits for a future and throws its failure. */
public final class Await {
    private Await() {}

    /**
     * Waits as long as it takes: every future of the client has a deadline of its own.
     *
     * @throws EcfsException as the future failed, with this thread's stack and the failure as its cause
     * @throws InterruptedIOException when this thread is interrupted, which stays marked; the future is cancelled
     */
    public static <T> T result(CompletableFuture<T> future) throws EcfsException, InterruptedIOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            EcfsException failure = EcfsException.of(e);
            throw new EcfsException(
                    failure.code(), failure.getMessage(), failure.hint().orElse(""), failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!future.cancel(false) && !future.isCompletedExceptionally()) {
                return future.join(); // completed at the same moment: the caller owns the result and must get it
            }
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted while waiting for the cluster");
            interrupted.initCause(e);
            throw interrupted;
        }
    }
}
