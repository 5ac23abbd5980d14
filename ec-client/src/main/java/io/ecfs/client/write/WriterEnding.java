package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * That and why the writer of one file ended, and what becomes of all that arrives afterwards. Owned by the client's
 * owner thread; any thread may look, hand over, and release what came too late.
 */
final class WriterEnding {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Optional<EcfsException> failure = Optional.empty();
    private boolean over; // guarded by this

    /** Completes when the file is closed or given up; fails when writing failed. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Why the writer ended, when it did not end well. */
    Optional<EcfsException> failure() {
        return failure;
    }

    /** The writer fails: every later request fails with this reason. */
    void because(EcfsException reason) {
        failure = Optional.of(reason);
        well();
    }

    /** The writer has ended. */
    synchronized void well() {
        over = true;
    }

    /**
     * Hands something over to the writer's owner, which handles all that was handed over before it ends itself: a
     * thread that drops tasks would drop their buffers.
     *
     * @param handOver must not wait
     * @return false when the writer has ended: nothing was handed over
     */
    synchronized boolean before(Runnable handOver) {
        if (!over) {
            handOver.run();
        }
        return !over;
    }

    /** What is left or arrives when all is over: buffers are released, whoever waits is told. */
    void late(WriteEvent event) {
        if (event instanceof WriteEvent.Data data) {
            data.stripe().close();
        } else if (event instanceof WriteEvent.Rescued rescued) {
            rescued.stripe().close();
        } else if (event instanceof WriteEvent.Flush flush) {
            flush.increment().ifPresent(Increment::close);
            tell(flush.done(), true);
        } else if (event instanceof WriteEvent.End end) {
            tell(end.done(), null);
        } else if (event instanceof WriteEvent.Answer answer) {
            answer.arriveLate();
        } else if (event instanceof WriteEvent.Abort abort) {
            abort.done().complete(null);
        }
    }

    private <T> void tell(CompletableFuture<T> waiting, T well) {
        if (failure.isPresent()) {
            waiting.completeExceptionally(failure.get());
        } else {
            waiting.complete(well);
        }
    }
}
