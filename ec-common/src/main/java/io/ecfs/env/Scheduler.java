package io.ecfs.env;

import java.time.Duration;

/**
 * The one thread of one component. Tasks run one at a time and each sees what those before it did; tasks given to
 * {@link #execute} run in the order given, timed tasks in the order they fall due. A task that throws is logged as an
 * error, and the scheduler and a repeated task go on. After {@link #close} nothing new starts and new tasks are
 * dropped.
 */
public interface Scheduler extends AutoCloseable {
    void execute(Runnable task);

    /** Runs the task once, {@code delay} from now; a delay of zero or less means as soon as possible. */
    Cancellable schedule(Duration delay, Runnable task);

    /** Runs the task {@code initialDelay} from now and again {@code delay} after the end of each run. */
    Cancellable scheduleWithFixedDelay(Duration initialDelay, Duration delay, Runnable task);

    /**
     * True when the caller runs as one of this scheduler's tasks: for checks that state is touched by its owner only.
     */
    boolean isCurrent();

    /** Lets the running task end, and waits for it unless called from a task itself; drops all others. Idempotent. */
    @Override
    void close();
}
