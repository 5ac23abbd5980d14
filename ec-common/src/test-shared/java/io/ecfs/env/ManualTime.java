package io.ecfs.env;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Time that passes only when a test says so; every scheduler and every worker runs on the test's thread. */
public final class ManualTime implements Clock, Threads {
    /** 2023-11-14: epoch milliseconds when time begins. */
    public static final long EPOCH_AT_START = 1_700_000_000_000L;

    private final class Task implements Cancellable {
        final long at;
        final long number = ++tasks;
        final Runnable run;
        boolean over;

        Task(long at, Runnable run) {
            this.at = at;
            this.run = run;
        }

        @Override
        public boolean cancel() {
            boolean prevented = !over;
            over = true;
            return prevented;
        }
    }

    private final PriorityQueue<Task> queue =
            new PriorityQueue<>(Comparator.<Task>comparingLong(t -> t.at).thenComparingLong(t -> t.number));
    private final SplittableRandom random;
    /**
     * Where the monotonic clock begins: anywhere, as {@link System#nanoTime} does, so that no default looks like a
     * recent moment.
     */
    private final long nanoOrigin;

    private long tasks;
    private long now;

    public ManualTime(long seed) {
        random = new SplittableRandom(seed);
        nanoOrigin = new SplittableRandom(~seed).nextLong() / 2;
    }

    public Environment environment() {
        return new Environment(this, randomness(), this);
    }

    public Randomness randomness() {
        return Randomness.over(random);
    }

    @Override
    public long nanos() {
        return nanoOrigin + now;
    }

    @Override
    public long epochMillis() {
        return EPOCH_AT_START + now / 1_000_000;
    }

    /** Runs everything that falls due until then, in order. */
    public void advance(Duration by) {
        long until = now + by.toNanos();
        while (!queue.isEmpty() && queue.peek().at <= until) {
            runNext();
        }
        now = until;
    }

    /** Lets time pass until the condition holds. */
    public void until(BooleanSupplier condition, Duration atMost) {
        long deadline = now + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (queue.isEmpty() || queue.peek().at > deadline) {
                throw new AssertionError("condition does not hold after " + atMost);
            }
            runNext();
        }
    }

    /** Runs something once, when so much time has passed. */
    public Cancellable after(Duration delay, Runnable run) {
        Task task = new Task(now + Math.max(0, delay.toNanos()), run);
        queue.add(task);
        return task;
    }

    private void runNext() {
        Task task = queue.poll();
        now = Math.max(now, task.at);
        if (!task.over) {
            task.over = true;
            task.run.run();
        }
    }

    @Override
    public Scheduler scheduler(String name) {
        return new Scheduler() {
            private boolean closed;
            private boolean current;

            private Cancellable at(Duration delay, Runnable run) {
                return after(delay, () -> {
                    if (!closed) {
                        boolean before = current;
                        current = true;
                        run.run();
                        current = before;
                    }
                });
            }

            @Override
            public void execute(Runnable task) {
                at(Duration.ZERO, task);
            }

            @Override
            public Cancellable schedule(Duration delay, Runnable task) {
                return at(delay, task);
            }

            @Override
            public Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task) {
                boolean[] stopped = new boolean[1];
                Runnable[] again = new Runnable[1];
                again[0] = () -> {
                    if (!stopped[0]) {
                        task.run();
                        at(delay, again[0]);
                    }
                };
                at(initialDelay, again[0]);
                return () -> {
                    boolean prevented = !stopped[0];
                    stopped[0] = true;
                    return prevented;
                };
            }

            @Override
            public boolean isCurrent() {
                return current;
            }

            @Override
            public void close() {
                closed = true;
            }
        };
    }

    @Override
    public Workers workers(String name, int threads, int queueBound) {
        Scheduler scheduler = scheduler(name);
        return new Workers() {
            private int queued;

            @Override
            public <T> CompletableFuture<T> submit(Callable<T> work) {
                if (queued >= queueBound) {
                    return CompletableFuture.failedFuture(new EcfsException(ErrorCode.BUSY, name + " is busy"));
                }
                queued++;
                CompletableFuture<T> result = new CompletableFuture<>();
                scheduler.execute(() -> {
                    queued--;
                    try {
                        result.complete(work.call());
                    } catch (Exception e) {
                        result.completeExceptionally(e);
                    }
                });
                return result;
            }

            @Override
            public int queued() {
                return queued;
            }

            @Override
            public void close() {
                scheduler.close();
            }
        };
    }
}
