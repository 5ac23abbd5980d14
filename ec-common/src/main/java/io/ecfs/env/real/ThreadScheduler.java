package io.ecfs.env.real;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Scheduler} on one daemon thread of its own. Immediate tasks wait in a queue without a lock and wake the
 * thread only when it sleeps; timed tasks are known to the thread alone, and reach it by such tasks. (A
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} sorts each task by its time, under a lock: schedulers here
 * run tens of thousands of tasks a second, hardly any of them timed.)
 */
final class ThreadScheduler implements Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);

    private final String name;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timed> timed = new PriorityQueue<>(); // the thread's own
    private final AtomicBoolean asleep = new AtomicBoolean();
    private long timedSoFar; // the thread's own
    private volatile boolean closed;

    ThreadScheduler(String name) {
        this.name = name;
        this.thread = NamedThreads.one(name).newThread(this::work);
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            LOG.debug("event=task_dropped scheduler={} reason=closed", name);
            return;
        }
        tasks.add(task);
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return begin(new Timed(task, due(delay), Optional.empty()));
    }

    @Override
    public Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task) {
        if (delay.isNegative() || delay.isZero()) {
            throw new IllegalArgumentException("delay of a repeated task on " + name + " must be positive: " + delay);
        }
        return begin(new Timed(task, due(initialDelay), Optional.of(delay)));
    }

    private Cancellable begin(Timed task) {
        execute(() -> enqueue(task));
        return task;
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (!isCurrent()) {
            Shutdown.await(thread);
        }
    }

    private void work() {
        while (!closed) {
            Runnable task = tasks.poll();
            if (task != null) {
                run(task);
            }
            runDue();
            if (task == null) {
                sleep();
            }
        }
        tasks.clear();
        timed.clear();
    }

    /**
     * Checks the queue once more after it has announced that it sleeps: a thread that adds a task does the two in the
     * other order.
     */
    private void sleep() {
        asleep.set(true);
        if (tasks.isEmpty() && !closed) {
            Timed next = timed.peek();
            if (next == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, Math.max(1, next.due - System.nanoTime()));
            }
        }
        asleep.set(false);
        var unused = Thread.interrupted(); // left set by a task, it would prevent the thread from sleeping
    }

    private void runDue() {
        while (!closed && !timed.isEmpty() && timed.peek().due - System.nanoTime() <= 0) {
            Timed task = timed.poll();
            if (task.begins()) {
                run(task.work);
                task.every.ifPresent(delay -> {
                    task.due = due(delay);
                    enqueue(task);
                });
            }
        }
    }

    private void enqueue(Timed task) {
        if (task.waits()) {
            task.number = timedSoFar++;
            timed.add(task);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("event=task_failed scheduler={} error={}", name, e.toString(), e);
        }
    }

    private static long due(Duration delay) {
        return System.nanoTime() + Math.min(Math.max(0, TimeUnit.NANOSECONDS.convert(delay)), Long.MAX_VALUE / 2);
    }

    /**
     * A task with its time. A cancelled one leaves the thread's queue with the next task, so that it keeps nothing
     * alive.
     *
     * <pre>
     *   WAITING --its time, once--&gt; OVER
     *      `----- cancel ------------^
     * </pre>
     */
    private final class Timed implements Cancellable, Comparable<Timed> {
        private enum State {
            WAITING,
            OVER
        }

        private final Runnable work;
        private final Optional<Duration> every;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        private long due; // by System.nanoTime; the thread's own once it is enqueued
        private long number; // orders tasks of one time

        Timed(Runnable work, long due, Optional<Duration> every) {
            this.work = work;
            this.due = due;
            this.every = every;
        }

        boolean waits() {
            return state.get() == State.WAITING;
        }

        /** Returns whether it may run now. */
        boolean begins() {
            return every.isPresent() ? waits() : state.compareAndSet(State.WAITING, State.OVER);
        }

        @Override
        public boolean cancel() {
            boolean prevented = !closed && state.compareAndSet(State.WAITING, State.OVER);
            if (prevented) {
                execute(() -> timed.remove(this));
            }
            return prevented;
        }

        @Override
        public int compareTo(Timed other) {
            long earlier = due - other.due;
            return earlier != 0 ? Long.signum(earlier) : Long.compare(number, other.number);
        }
    }
}
