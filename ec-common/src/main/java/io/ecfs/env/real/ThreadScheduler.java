package io.ecfs.env.real;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link Scheduler} on one daemon thread of its own. */
final class ThreadScheduler implements Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);
    private static final Cancellable NOTHING = () -> false;

    private final String name;
    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread;

    ThreadScheduler(String name) {
        this.name = name;
        NamedThreads factory = NamedThreads.one(name);
        executor = new ScheduledThreadPoolExecutor(1, run -> thread = factory.newThread(run));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("event=task_dropped scheduler={} reason=closed", name);
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        try {
            return cancellable(executor.schedule(guarded(task), nanos(delay), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            LOG.debug("event=task_dropped scheduler={} reason=closed", name);
            return NOTHING;
        }
    }

    @Override
    public Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task) {
        if (delay.isNegative() || delay.isZero()) {
            throw new IllegalArgumentException("delay of a repeated task on " + name + " must be positive: " + delay);
        }
        try {
            return cancellable(executor.scheduleWithFixedDelay(
                    guarded(task), nanos(initialDelay), nanos(delay), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            LOG.debug("event=task_dropped scheduler={} reason=closed", name);
            return NOTHING;
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        executor.shutdown();
        executor.getQueue().clear();
        if (!isCurrent()) {
            Shutdown.await(executor, name);
        }
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("event=task_failed scheduler={} error={}", name, e.toString(), e);
            }
        };
    }

    private static Cancellable cancellable(Future<?> future) {
        return () -> future.cancel(false);
    }

    private static long nanos(Duration duration) {
        return Math.max(0, TimeUnit.NANOSECONDS.convert(duration));
    }
}
