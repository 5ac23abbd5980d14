package io.ecfs.bench.bed;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * The threads of the bed's clients. Tasks take no simulated time; what is given to workers is done before they answer,
 * so that a run can be repeated.
 */
final class BedThreads implements Threads {
    private final VirtualTime time;

    BedThreads(VirtualTime time) {
        this.time = time;
    }

    @Override
    public Scheduler scheduler(String name) {
        return new Tasks();
    }

    @Override
    public Workers workers(String name, int threads, int queueBound) {
        return new AtOnce();
    }

    private final class Tasks implements Scheduler {
        private boolean closed;

        @Override
        public void execute(Runnable task) {
            time.after(0, () -> run(task));
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return time.after(delay.toNanos(), () -> run(task));
        }

        @Override
        public Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task) {
            throw new UnsupportedOperationException("nothing on the bed repeats itself by a scheduler");
        }

        private void run(Runnable task) {
            if (!closed) {
                task.run();
            }
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class AtOnce implements Workers {
        @Override
        public <T> CompletableFuture<T> submit(Callable<T> work) {
            try {
                return CompletableFuture.completedFuture(work.call());
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public int queued() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
