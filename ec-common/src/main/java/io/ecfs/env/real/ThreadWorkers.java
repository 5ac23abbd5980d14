package io.ecfs.env.real;

import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** {@link Workers} on daemon threads of their own. */
final class ThreadWorkers implements Workers {
    private final String name;
    private final int queueBound;
    private final ThreadPoolExecutor executor;
    private final ThreadLocal<Boolean> worker = new ThreadLocal<>();

    ThreadWorkers(String name, int threads, int queueBound) {
        if (threads < 1 || queueBound < 1) {
            throw new IllegalArgumentException("workers " + name
                    + " need at least one thread and one place to wait, got " + threads + " and " + queueBound);
        }
        this.name = name;
        this.queueBound = queueBound;
        executor = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(queueBound),
                NamedThreads.several(name),
                (run, pool) -> ((Work<?>) run).refuse(refusal(pool.isShutdown())));
    }

    @Override
    public <T> CompletableFuture<T> submit(Callable<T> callable) {
        Work<T> work = new Work<>(callable, worker);
        executor.execute(work);
        return work.result;
    }

    @Override
    public int queued() {
        return executor.getQueue().size();
    }

    @Override
    public void close() {
        executor.shutdown();
        List<Runnable> left = new ArrayList<>();
        executor.getQueue().drainTo(left);
        left.forEach(run -> ((Work<?>) run).refuse(refusal(true)));
        if (worker.get() == null) {
            Shutdown.await(executor, name);
        }
    }

    private EcfsException refusal(boolean closed) {
        return closed
                ? new EcfsException(ErrorCode.BUSY, "workers " + name + " are closed")
                : new EcfsException(
                        ErrorCode.BUSY, "workers " + name + " are busy and " + queueBound + " requests wait already");
    }

    private record Work<T>(Callable<T> callable, ThreadLocal<Boolean> worker, CompletableFuture<T> result)
            implements Runnable {
        Work(Callable<T> callable, ThreadLocal<Boolean> worker) {
            this(callable, worker, new CompletableFuture<>());
        }

        @Override
        public void run() {
            worker.set(true);
            try {
                Workers.run(callable, result);
            } finally {
                worker.remove();
            }
        }

        void refuse(EcfsException refusal) {
            result.completeExceptionally(refusal);
        }
    }
}
