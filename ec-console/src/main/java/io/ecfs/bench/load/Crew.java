package io.ecfs.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that do the same work at the same time. They stay between parts, so that their context switches stay
 * countable.
 */
public final class Crew implements AutoCloseable {
    private final ExecutorService threads;

    public Crew() {
        AtomicInteger number = new AtomicInteger();
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "bench-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Work of one thread of several. */
    public interface Work {
        void run(int thread) throws Exception;
    }

    /** Runs {@code work} on so many threads and returns when all are done; the first failure is thrown then. */
    public void run(int count, Work work) throws Exception {
        List<Callable<Void>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int thread = i;
            calls.add(() -> {
                work.run(thread);
                return null;
            });
        }
        for (Future<Void> done : threads.invokeAll(calls)) {
            try {
                done.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /** One of many pieces of work that are alike. */
    public interface Piece {
        void run(int number) throws Exception;
    }

    /** Deals the pieces [0, {@code count}) over so many threads and times each. */
    public Latencies each(int count, int threadCount, Piece piece) throws Exception {
        Latencies latencies = new Latencies(threadCount);
        run(threadCount, thread -> {
            for (int i = thread; i < count; i += threadCount) {
                long begin = System.nanoTime();
                piece.run(i);
                latencies.record(thread, System.nanoTime() - begin);
            }
        });
        return latencies;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
