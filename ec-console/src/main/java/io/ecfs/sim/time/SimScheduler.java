package io.ecfs.sim.time;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import java.time.Duration;

/**
 * A thread of a simulated process: tasks run in the order given, a moment after they are. A task that throws is a bug
 * and ends the run.
 */
final class SimScheduler implements Scheduler {
    private final SimProcess process;
    private long lastWakeNanos;
    private boolean current;
    private boolean closed;

    SimScheduler(SimProcess process) {
        this.process = process;
    }

    @Override
    public void execute(Runnable task) {
        lastWakeNanos = Math.max(lastWakeNanos, process.wakeNanos());
        process.at(lastWakeNanos, () -> run(task));
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return process.after(delay.toNanos(), () -> run(task));
    }

    @Override
    public Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task) {
        Repeated repeated = new Repeated(delay, task);
        process.after(initialDelay.toNanos(), repeated::runOnce);
        return repeated;
    }

    private final class Repeated implements Cancellable {
        private final Duration delay;
        private final Runnable task;
        private boolean stopped;

        Repeated(Duration delay, Runnable task) {
            this.delay = delay;
            this.task = task;
        }

        void runOnce() {
            if (!stopped && !closed) {
                SimScheduler.this.run(task);
                process.after(delay.toNanos(), this::runOnce);
            }
        }

        @Override
        public boolean cancel() {
            boolean prevented = !stopped;
            stopped = true;
            return prevented;
        }
    }

    private void run(Runnable task) {
        if (closed) {
            return;
        }
        boolean before = current;
        current = true;
        try {
            task.run();
        } finally {
            current = before;
        }
    }

    @Override
    public boolean isCurrent() {
        return current;
    }

    @Override
    public void close() {
        closed = true;
    }
}
