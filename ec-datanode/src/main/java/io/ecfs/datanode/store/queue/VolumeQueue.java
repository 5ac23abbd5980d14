package io.ecfs.datanode.store.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Queue of the tasks for one volume's threads.
 *
 * <pre>
 *   tasks of one message --> one batch --> waiting, in order of arrival --> a worker runs them in turn
 *       several workers, a part each, when nothing else waits for the free threads
 *       a task whose chunk another batch uses is LEFT to that batch, which runs it next when it has no other task;
 *           otherwise it gets a batch of its own, before those that wait
 * </pre>
 *
 * A read of a hot chunk waits its turn only once: if it waited again behind each earlier reader, the last of ten
 * readers would wait ten times as long as others.
 *
 * Spares are reads that are needed only if others are late; they are accepted only while less than half of the bound is
 * used, and {@link DeferredHedges} defers them. They begin one at a time, and only when nothing else waits or runs:
 * beside others a spare would take the disk from them, and later arrivals wait for at most this one.
 *
 * Always true: batches begin in order of arrival, and so do tasks on one chunk ({@link PerChunkOrder}), except spares;
 * no more batches are with the workers than they have threads; while one waits, all threads are busy; at most
 * {@code bound} tasks on chunks wait or run, and as many others.
 */
public final class VolumeQueue implements AutoCloseable {
    /** Spares that were deferred for so long are refused; checked when a task arrives or ends, and with heartbeats. */
    public static final long LONGEST_HOLD_NANOS = DeferredHedges.LONGEST_NANOS;

    private final Workers workers;
    private final int threads;
    private final int bound;
    private final Clock clock;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final PerChunkOrder lanes = new PerChunkOrder();

    @GuardedBy("lock")
    private final Set<TaskBatch> waiting = new LinkedHashSet<>();

    @GuardedBy("lock")
    private final Set<ChunkTaskBatch> lined = new LinkedHashSet<>(); // need a thread

    /**
     * The batch that runs a task while it waits or runs, and with which it came while it is LEFT; deferred spares have
     * none.
     */
    @GuardedBy("lock")
    private final Map<VolumeTask<?>, ChunkTaskBatch> batches = new HashMap<>();

    @GuardedBy("lock")
    private final DeferredHedges deferred = new DeferredHedges();

    @GuardedBy("lock")
    private int pending;

    @GuardedBy("lock")
    private int others;

    @GuardedBy("lock")
    private int begun;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private TaskBatchTimes times = TaskBatchTimes.NONE;

    @GuardedBy("lock")
    private TaskBatchTimes taken = TaskBatchTimes.NONE;

    /** @param workers owned by this queue, with so many threads */
    public VolumeQueue(Workers workers, int threads, int bound, Clock clock) {
        this.workers = workers;
        this.threads = threads;
        this.bound = bound;
        this.clock = clock;
    }

    /** @return the work's result or exception; {@code BUSY} at once when too much waits already */
    public <T> CompletableFuture<T> submit(ChunkId chunk, Callable<T> work) {
        VolumeTask<T> task = new VolumeTask<>(chunk, work);
        submit(List.of(task), false);
        return task.result();
    }

    /**
     * Submits tasks as one batch, except spares, which are deferred: it gets one thread, or several when they are free
     * and nothing waits. Each task has its own result, and its own refusal when too much waits already. Reads come this
     * way: {@link #takeTimes} has their times.
     */
    public void submit(List<? extends VolumeTask<?>> tasks) {
        submit(tasks, true);
    }

    private void submit(List<? extends VolumeTask<?>> tasks, boolean ofReaders) {
        ChunkTaskBatch batch = new ChunkTaskBatch();
        batch.ofReaders = ofReaders;
        List<VolumeTask<?>> refused = new ArrayList<>();
        refuseOverdue();
        synchronized (lock) {
            batch.since = clock.nanos();
            for (VolumeTask<?> task : tasks) {
                if (task.state() == VolumeTask.State.WITHDRAWN) {
                    continue;
                }
                if (pending >= (task.isSpare() ? (bound + 1) / 2 : bound)) {
                    refused.add(task);
                } else {
                    pending++;
                    task.become(VolumeTask.State.WAITING);
                    if (task.isSpare()) {
                        deferred.add(task, batch.since);
                    } else {
                        add(batch, task);
                    }
                }
            }
            if (!batch.tasks.isEmpty()) {
                waiting.add(batch);
            }
        }
        refused.forEach(task -> task.fail(busy()));
        beginFree();
    }

    /**
     * Withdraws a task that has not begun: it never runs, and its result is cancelled. A running one continues.
     *
     * @return whether it had not begun
     */
    public boolean withdraw(VolumeTask<?> task) {
        synchronized (lock) {
            if (task.state() == VolumeTask.State.BEGUN || task.state() == VolumeTask.State.WITHDRAWN) {
                return false;
            }
            if (task.state() != VolumeTask.State.NEW) {
                takeOut(task);
            }
            task.become(VolumeTask.State.WITHDRAWN);
        }
        task.result().cancel(false);
        beginWaiting();
        return true;
    }

    /** Submits work that concerns no chunk. */
    public <T> CompletableFuture<T> submit(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (lock) {
            if (others >= bound) {
                return CompletableFuture.failedFuture(busy());
            }
            others++;
            waiting.add(new OtherVisit<>(work, result));
        }
        beginWaiting();
        return result;
    }

    /** Number of tasks on chunks that wait or run. */
    public int queued() {
        synchronized (lock) {
            return pending;
        }
    }

    /**
     * Times of readers' batches since the last call, and the waits of tasks that concern no chunk; without spares,
     * which may wait.
     */
    public TaskBatchTimes takeTimes() {
        synchronized (lock) {
            TaskBatchTimes latest = times;
            times = TaskBatchTimes.NONE;
            taken = taken.and(latest);
            return latest;
        }
    }

    /** The same times since the start, also those taken. */
    public TaskBatchTimes times() {
        synchronized (lock) {
            return taken.and(times);
        }
    }

    /** Waits for running work to end; fails tasks that have not begun. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        workers.close();
        beginWaiting();
    }

    private EcfsException busy() {
        return new EcfsException(ErrorCode.BUSY, "volume is busy: " + bound + " requests wait already");
    }

    /** Removes a task that has not begun, and passes on the task behind it in its lane. */
    @GuardedBy("lock")
    private void takeOut(VolumeTask<?> task) {
        if (deferred.remove(task)) {
            pending--;
            return;
        }
        ChunkTaskBatch batch = batches.get(task);
        batch.tasks.remove(task);
        gone(task);
        if (batch.tasks.isEmpty()) {
            waiting.remove(batch); // an empty batch does not run
            lined.remove(batch);
        }
    }

    @GuardedBy("lock")
    private void add(ChunkTaskBatch batch, VolumeTask<?> task) {
        batches.put(task, batch);
        batch.tasks.add(task);
    }

    /** Counts a task off that ended or was withdrawn, and passes on the task behind it in its lane. */
    @GuardedBy("lock")
    private void gone(VolumeTask<?> task) {
        pending--;
        ChunkTaskBatch batch = batches.remove(task);
        lanes.leave(task).ifPresent(left -> passOn(left, batch));
    }

    /**
     * Assigns a LEFT task that is now the first of its lane: to the batch before it if that has nothing else to do,
     * otherwise to a batch of its own, so that a hot chunk does not delay the batch's other chunks.
     */
    @GuardedBy("lock")
    private void passOn(VolumeTask<?> left, ChunkTaskBatch batch) {
        ChunkTaskBatch heir = batch.tasks.isEmpty() ? batch : new ChunkTaskBatch();
        left.become(VolumeTask.State.WAITING);
        add(heir, left);
        if (heir != batch) {
            lined.add(heir);
        }
    }

    private void beginWaiting() {
        refuseOverdue();
        beginFree();
    }

    /** Passes batches to the workers while one of their threads is free. */
    private void beginFree() {
        for (Optional<TaskBatch> next = takeNext(); next.isPresent(); next = takeNext()) {
            begin(next.get());
        }
    }

    private Optional<TaskBatch> takeNext() {
        synchronized (lock) {
            if (begun >= threads && !closed) {
                return Optional.empty();
            }
            TaskBatch next;
            if (!lined.isEmpty()) {
                next = takeFirst(lined);
            } else if (!waiting.isEmpty()) {
                next = takeFirst(waiting);
                next.taken();
            } else if (!deferred.isEmpty() && (begun == 0 || closed)) {
                ChunkTaskBatch alone = new ChunkTaskBatch();
                add(alone, deferred.takeOldest());
                next = alone;
                next.taken();
            } else {
                return Optional.empty();
            }
            begun++;
            return Optional.of(next);
        }
    }

    private static <T> T takeFirst(Set<T> from) {
        T first = from.iterator().next();
        from.remove(first);
        return first;
    }

    /**
     * Refuses overdue spares. Called without the lock, since their results complete here; and periodically, in case all
     * threads hang.
     */
    public void refuseOverdue() {
        List<VolumeTask<?>> overdue;
        synchronized (lock) {
            overdue = deferred.isEmpty() ? List.of() : deferred.takeOverdue(clock.nanos());
            overdue.forEach(task -> task.become(VolumeTask.State.WITHDRAWN));
            pending -= overdue.size();
        }
        overdue.forEach(task ->
                task.fail(new EcfsException(ErrorCode.BUSY, "volume is busy: a spare was deferred for a second")));
    }

    private void begin(TaskBatch batch) {
        workers.submit(() -> {
                    batch.run();
                    end();
                    beginWaiting();
                    return batch;
                })
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        end();
                        batch.refuse(failure);
                    }
                });
    }

    private void end() {
        synchronized (lock) {
            begun--;
        }
    }

    /** Its fields are used under the queue's lock. */
    private final class ChunkTaskBatch implements TaskBatch {
        private final Deque<VolumeTask<?>> tasks = new ArrayDeque<>(); // those that have not begun
        private long since;
        private boolean ofReaders; // to be timed
        private boolean served; // its first task has run

        @GuardedBy("lock")
        @Override
        public void taken() {
            times = ofReaders ? times.and(TaskBatchTimes.waited(clock.nanos() - since)) : times;
            for (VolumeTask<?> task : tasks) {
                Optional<VolumeTask<?>> last = lanes.last(task.chunk());
                lanes.line(task, last.isPresent() && batches.get(last.get()) == this);
            }
            tasks.removeIf(task -> task.state() == VolumeTask.State.LEFT);
            if (waiting.isEmpty()) {
                cut(threads - begun);
            }
        }

        /** Splits it into at most so many batches, of which this one is the first. */
        @GuardedBy("lock")
        private void cut(int most) {
            List<List<VolumeTask<?>>> parts = TaskBatchParts.of(tasks, most);
            tasks.clear();
            tasks.addAll(parts.get(0));
            for (List<VolumeTask<?>> part : parts.subList(1, parts.size())) {
                ChunkTaskBatch other = new ChunkTaskBatch();
                for (VolumeTask<?> task : part) {
                    add(other, task);
                }
                lined.add(other);
            }
        }

        @Override
        public void run() {
            for (Optional<VolumeTask<?>> task = next(); task.isPresent(); task = next()) {
                long began = clock.nanos();
                task.get().run();
                ran(task.get(), clock.nanos() - began);
                beginWaiting();
            }
        }

        private void ran(VolumeTask<?> task, long nanos) {
            synchronized (lock) {
                times = ofReaders && !served ? times.and(TaskBatchTimes.served(nanos)) : times;
                served = true;
                gone(task);
            }
        }

        private Optional<VolumeTask<?>> next() {
            synchronized (lock) {
                Optional<VolumeTask<?>> next = Optional.ofNullable(tasks.poll());
                next.ifPresent(task -> task.become(VolumeTask.State.BEGUN));
                return next;
            }
        }

        /** Fails its tasks, and those behind them in their lanes. */
        @Override
        public void refuse(Throwable reason) {
            List<VolumeTask<?>> left = new ArrayList<>();
            synchronized (lock) {
                tasks.forEach(task -> left.addAll(lanes.clear(task.chunk())));
                tasks.clear();
                left.forEach(task -> task.become(VolumeTask.State.WITHDRAWN));
                for (VolumeTask<?> task : left) {
                    batches.remove(task);
                }
                pending -= left.size();
            }
            left.forEach(task -> task.fail(reason));
        }
    }

    private final class OtherVisit<T> implements TaskBatch {
        private final Callable<T> work;
        private final CompletableFuture<T> result;
        private final long since = clock.nanos();

        OtherVisit(Callable<T> work, CompletableFuture<T> result) {
            this.work = work;
            this.result = result;
        }

        @GuardedBy("lock")
        @Override
        public void taken() {
            times = times.and(TaskBatchTimes.waited(clock.nanos() - since));
        }

        @Override
        public void run() {
            Workers.run(work, result);
            over();
        }

        @Override
        public void refuse(Throwable reason) {
            over();
            result.completeExceptionally(reason);
        }

        private void over() {
            synchronized (lock) {
                others--;
            }
        }
    }
}
