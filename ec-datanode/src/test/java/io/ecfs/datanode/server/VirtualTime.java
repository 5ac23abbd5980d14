package io.ecfs.datanode.server;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** An environment in one thread, whose time passes when {@link #pass} is called. */
final class VirtualTime implements Threads, Clock {
    private final Random random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private long now;
    private long number;

    private record Event(long at, long number, Runnable run) {}

    VirtualTime(long seed) {
        random = new Random(seed);
    }

    Environment environment() {
        return new Environment(this, randomness(), this);
    }

    Randomness randomness() {
        return Randomness.over(random);
    }

    /** Runs all that falls due within {@code duration}. */
    void pass(Duration duration) {
        long until = now + duration.toNanos();
        while (!events.isEmpty() && events.peek().at <= until) {
            Event event = events.poll();
            now = event.at;
            event.run.run();
        }
        now = until;
    }

    void at(Duration delay, Runnable run) {
        events.add(new Event(now + delay.toNanos(), number++, run));
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public long epochMillis() {
        return now / 1_000_000;
    }

    @Override
    public Scheduler scheduler(String name) {
        return new VirtualScheduler();
    }

    @Override
    public Workers workers(String name, int threads, int queueBound) {
        return new Workers() {
            private int queued;

            @Override
            public <T> CompletableFuture<T> submit(Callable<T> work) {
                if (queued >= queueBound) {
                    return CompletableFuture.failedFuture(new EcfsException(ErrorCode.BUSY, name + " is busy"));
                }
                queued++;
                CompletableFuture<T> result = new CompletableFuture<>();
                at(Duration.ofNanos(1000), () -> {
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
            public void close() {}
        };
    }

    private final class VirtualScheduler implements Scheduler {
        private boolean closed;

        @Override
        public void execute(Runnable task) {
            schedule(Duration.ZERO, task);
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            boolean[] over = {false};
            at(delay, () -> {
                if (!over[0] && !closed) {
                    over[0] = true;
                    task.run();
                }
            });
            return () -> {
                boolean was = over[0];
                over[0] = true;
                return !was;
            };
        }

        @Override
        public Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task) {
            boolean[] over = {false};
            repeat(initialDelay, delay, task, over);
            return () -> {
                boolean was = over[0];
                over[0] = true;
                return !was;
            };
        }

        private void repeat(Duration in, Duration delay, Runnable task, boolean[] over) {
            at(in, () -> {
                if (!over[0] && !closed) {
                    task.run();
                    repeat(delay, delay, task, over);
                }
            });
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
}
