package io.ecfs.env;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A few threads with a bounded queue for work that blocks: disk, encoding, the state store. */
public interface Workers extends AutoCloseable {
    /**
     * Queues work in order of arrival. Cancelling the returned future does not stop the work: whatever it holds stays
     * valid until it has run.
     *
     * @return the work's result or exception; {@code EcfsException} with {@code BUSY} at once when the queue is full,
     *     and when these workers are closed before the work began
     */
    <T> CompletableFuture<T> submit(Callable<T> work);

    /** Runs work on this thread, now; its result or exception is that of {@code result}. An interrupt stays one. */
    static <T> void run(Callable<T> work, CompletableFuture<T> result) {
        try {
            result.complete(work.call());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result.completeExceptionally(e);
        } catch (Exception | Error e) {
            result.completeExceptionally(e);
        }
    }

    /** Number of tasks that wait for a thread. */
    int queued();

    /** Lets running work end and waits for it unless called from a worker; fails what has not begun. Idempotent. */
    @Override
    void close();
}
