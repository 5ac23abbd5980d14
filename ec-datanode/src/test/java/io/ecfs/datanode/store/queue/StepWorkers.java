package io.ecfs.datanode.store.queue;

import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Runs what it was given when the test says so; work that calls a run in between is one of several threads. */
final class StepWorkers implements Workers {
    private final Deque<Task<?>> tasks = new ArrayDeque<>();
    private int submitted;
    private int ran;
    private int running;
    private boolean closed;

    private record Task<T>(Callable<T> work, CompletableFuture<T> result) {
        void run() {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        }

        void refuse() {
            result.completeExceptionally(new EcfsException(ErrorCode.BUSY, "closed"));
        }
    }

    void runOne() {
        run(tasks.remove());
    }

    void runLast() {
        run(tasks.removeLast());
    }

    void runAll() {
        while (!tasks.isEmpty()) {
            runOne();
        }
    }

    void runAny(Random random) {
        for (int skipped = tasks.isEmpty() ? 0 : random.nextInt(tasks.size()); skipped > 0; skipped--) {
            tasks.add(tasks.remove());
        }
        if (!tasks.isEmpty()) {
            runOne();
        }
    }

    private void run(Task<?> task) {
        ran++;
        running++;
        task.run();
        running--;
    }

    int submitted() {
        return submitted;
    }

    int running() {
        return running;
    }

    int ran() {
        return ran;
    }

    @Override
    public <T> CompletableFuture<T> submit(Callable<T> work) {
        submitted++;
        Task<T> task = new Task<>(work, new CompletableFuture<>());
        if (closed) {
            task.refuse();
        } else {
            tasks.add(task);
        }
        return task.result();
    }

    @Override
    public int queued() {
        return tasks.size();
    }

    @Override
    public void close() {
        closed = true;
        while (!tasks.isEmpty()) {
            tasks.remove().refuse();
        }
    }
}
