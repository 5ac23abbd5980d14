package io.ecfs.wire.frame;

import io.ecfs.buffer.MemoryBudget;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Memory for the frames of one connection, out of one budget or of several: the bytes of a frame are taken from each,
 * the narrowest first, so that who waits for its own share keeps nothing of what others have too.
 */
public final class Intake {
    private final List<MemoryBudget> budgets;
    private final Runnable closed;

    /** @param closed runs when the connection has ended */
    public Intake(List<MemoryBudget> budgets, Runnable closed) {
        this.budgets = List.copyOf(budgets);
        this.closed = closed;
    }

    /** Of one budget, which others use besides. */
    public static Intake of(MemoryBudget budget) {
        return new Intake(List.of(budget), () -> {});
    }

    /**
     * Takes bytes as {@link MemoryBudget#acquire} does: cancel the future to stop waiting; when {@code cancel} returns
     * false the bytes were granted and must be given back.
     */
    public CompletableFuture<Void> acquire(long bytes) {
        for (int taken = 0; taken < budgets.size(); taken++) {
            CompletableFuture<Void> next = budgets.get(taken).acquire(bytes);
            if (!next.isDone() || next.isCompletedExceptionally()) {
                Grant grant = new Grant(bytes);
                grant.await(taken, next);
                return grant;
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    public void release(long bytes) {
        release(bytes, budgets.size());
    }

    private void release(long bytes, int taken) {
        for (int i = taken - 1; i >= 0; i--) {
            budgets.get(i).release(bytes);
        }
    }

    /** The connection has ended. Frames that are still used give their bytes back later. */
    public void close() {
        closed.run();
    }

    /** Waits for one budget after the other. */
    private final class Grant extends CompletableFuture<Void> {
        private final long bytes;
        private volatile CompletableFuture<Void> pending;

        Grant(long bytes) {
            this.bytes = bytes;
        }

        private void await(int taken, CompletableFuture<Void> next) {
            pending = next;
            next.whenComplete((granted, failure) -> {
                if (failure != null) {
                    release(bytes, taken);
                    completeExceptionally(failure);
                } else if (taken + 1 < budgets.size() && !isDone()) {
                    await(taken + 1, budgets.get(taken + 1).acquire(bytes));
                } else if (!complete(null)) {
                    release(bytes, taken + 1);
                }
            });
            if (isCancelled()) {
                next.cancel(false);
            }
        }

        @Override
        public boolean cancel(boolean unused) {
            boolean cancelled = super.cancel(false);
            if (cancelled) {
                pending.cancel(false);
            }
            return cancelled;
        }
    }
}
