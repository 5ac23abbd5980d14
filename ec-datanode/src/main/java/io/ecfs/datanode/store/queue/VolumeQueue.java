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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Lets work on one volume wait for the volume's threads.
 *
 * <pre>
 *   pieces of one message --> one visit --> waiting, in order of arrival --> one task of the workers: its pieces
 *                                              |                             one after the other
 *                                              |-- several, a part in each, when nothing else waits for idle threads
 *                                              `-- whose chunk another visit has: left to that visit
 *                                                    |-- which has nothing more to do: it runs it next
 *                                                    `-- which has: a visit of its own, before those that wait
 * </pre>
 *
 * What is read by many waits its turn once, as everything does: were it to wait again behind each reader before it, the
 * last of ten readers of a hot chunk would wait ten times as long as others.
 *
 * Spares are pieces that somebody wants only if others are late; they are taken only while less than half of the bound
 * is, and {@link DeferredHedges} keeps them back. One at a time begins, and only when nothing else waits or runs:
 * beside others it would take the disk from them, and what arrives meanwhile waits for no more than this one.
 *
 * What must always hold: visits begin in order of arrival, and so do pieces on one chunk ({@link PerChunkOrder}), but
 * for spares; no more visits are with the workers than they have threads; while one waits, all threads have something
 * to do; at most {@code bound} pieces wait or run, and as many that concern no chunk.
 */
public final class VolumeQueue implements AutoCloseable {
    /** Held back for so long, spares are refused; that is seen when anything arrives or ends, and with heartbeats. */
    public static final long LONGEST_HOLD_NANOS = 1_000_000_000;

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
    private final Set<PiecesVisit> lined = new LinkedHashSet<>(); // have their lanes, need a thread
    @GuardedBy("lock")
    private final DeferredHedges held = new DeferredHedges();
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

    /** @param workers this queue's own, with so many threads */
    public VolumeQueue(Workers workers, int threads, int bound, Clock clock) {
        this.workers = workers;
        this.threads = threads;
        this.bound = bound;
        this.clock = clock;
    }

    /** @return the work's result or exception; {@code BUSY} at once when too much waits already */
    public <T> CompletableFuture<T> submit(ChunkId chunk, Callable<T> work) {
        VolumeTask<T> piece = new VolumeTask<>(chunk, work);
        submit(List.of(piece), false);
        return piece.result();
    }

    /**
     * One visit for all of them but those that are spare, which are held back: it has one thread, or several when they
     * are free and nothing waits. Each piece has its own result, and its own refusal when too much waits already.
     * Readers come this way: how long that takes is what {@link #takeTimes} tells.
     */
    public void submit(List<? extends VolumeTask<?>> pieces) {
        submit(pieces, true);
    }

    private void submit(List<? extends VolumeTask<?>> pieces, boolean ofReaders) {
        PiecesVisit batch = new PiecesVisit();
        batch.ofReaders = ofReaders;
        List<VolumeTask<?>> refused = new ArrayList<>();
        refuseOverdue();
        synchronized (lock) {
            batch.since = clock.nanos();
            for (VolumeTask<?> piece : pieces) {
                if (piece.state() == VolumeTask.State.WITHDRAWN) {
                    continue;
                }
                if (pending >= (piece.isSpare() ? (bound + 1) / 2 : bound)) {
                    refused.add(piece);
                } else {
                    pending++;
                    piece.become(VolumeTask.State.WAITING);
                    if (piece.isSpare()) {
                        held.hold(piece, batch.since);
                    } else {
                        batch.add(piece);
                    }
                }
            }
            if (!batch.pieces.isEmpty()) {
                waiting.add(batch);
            }
        }
        refused.forEach(piece -> piece.fail(busy()));
        beginFree();
    }

    /**
     * Takes a piece out that has not begun: it never runs, and its result is cancelled. One that runs is let run.
     *
     * @return whether it had not begun
     */
    public boolean withdraw(VolumeTask<?> piece) {
        synchronized (lock) {
            if (piece.state() == VolumeTask.State.BEGUN || piece.state() == VolumeTask.State.WITHDRAWN) {
                return false;
            }
            if (piece.state() != VolumeTask.State.NEW) {
                takeOut(piece);
            }
            piece.become(VolumeTask.State.WITHDRAWN);
        }
        piece.result().cancel(false);
        beginWaiting();
        return true;
    }

    /** Work that concerns no chunk. */
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

    /** How many pieces of work on chunks wait or run. */
    public int queued() {
        synchronized (lock) {
            return pending;
        }
    }

    /**
     * Of readers' visits since this was asked last, and the waits of what concerns no chunk; spares aside, which may
     * wait.
     */
    public TaskBatchTimes takeTimes() {
        synchronized (lock) {
            TaskBatchTimes taken = times;
            times = TaskBatchTimes.NONE;
            return taken;
        }
    }

    /** Lets running work end and waits for it; fails what has not begun. */
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

    /** The visit that would have run the piece is responsible for what was left to it. */
    @GuardedBy("lock")
    private void takeOut(VolumeTask<?> piece) {
        if (held.letGo(piece)) {
            pending--;
            return;
        }
        PiecesVisit batch = piece.batch();
        batch.pieces.remove(piece);
        gone(piece);
        if (batch.pieces.isEmpty()) {
            waiting.remove(batch); // a visit of nothing does not take place
            lined.remove(batch);
        }
    }

    @GuardedBy("lock")
    private void gone(VolumeTask<?> piece) {
        pending--;
        lanes.leave(piece).ifPresent(left -> passOn(left, piece.batch()));
    }

    /**
     * Called when the piece is the first of its lane. The visit that it was left to runs it if that has nothing else to
     * do, and one of its own otherwise: a chunk that is asked for again and again must not keep a
     * visit from its other chunks.
     */
    @GuardedBy("lock")
    private void passOn(VolumeTask<?> left, PiecesVisit batch) {
        PiecesVisit heir = batch.pieces.isEmpty() ? batch : new PiecesVisit();
        left.become(VolumeTask.State.WAITING);
        heir.add(left);
        if (heir != batch) {
            lined.add(heir);
        }
    }

    private void beginWaiting() {
        refuseOverdue();
        beginFree();
    }

    /** Hands visits to the workers while one of their threads is free. */
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
            } else if (!held.isEmpty() && (begun == 0 || closed)) {
                PiecesVisit alone = new PiecesVisit();
                alone.add(held.takeOldest());
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
     * Not with the lock held: whoever waits for them is told at once. To be called now and then, for when all threads
     * hang.
     */
    public void refuseOverdue() {
        List<VolumeTask<?>> overdue;
        synchronized (lock) {
            overdue = held.isEmpty() ? List.of() : held.takeOverdue(clock.nanos());
            overdue.forEach(piece -> piece.become(VolumeTask.State.WITHDRAWN));
            pending -= overdue.size();
        }
        overdue.forEach(piece ->
                piece.fail(new EcfsException(ErrorCode.BUSY, "volume is busy: a spare was held back for a second")));
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
    final class PiecesVisit implements TaskBatch {
        private final Deque<VolumeTask<?>> pieces = new ArrayDeque<>(); // those that have not begun
        private long since;
        private boolean ofReaders; // to be timed
        private boolean served; // its first piece has run

        void add(VolumeTask<?> piece) {
            piece.joins(this);
            pieces.add(piece);
        }

        @GuardedBy("lock")
        @Override
        public void taken() {
            times = ofReaders ? times.and(TaskBatchTimes.waited(clock.nanos() - since)) : times;
            pieces.forEach(lanes::line);
            pieces.removeIf(piece -> piece.state() == VolumeTask.State.LEFT);
            if (waiting.isEmpty()) {
                cut(threads - begun);
            }
        }

        /** So many visits of it at most; this one is the first of them. */
        @GuardedBy("lock")
        private void cut(int most) {
            List<List<VolumeTask<?>>> parts = TaskBatchParts.of(pieces, most);
            pieces.clear();
            pieces.addAll(parts.get(0));
            for (List<VolumeTask<?>> part : parts.subList(1, parts.size())) {
                PiecesVisit other = new PiecesVisit();
                part.forEach(other::add);
                lined.add(other);
            }
        }

        @Override
        public void run() {
            for (Optional<VolumeTask<?>> piece = next(); piece.isPresent(); piece = next()) {
                long began = clock.nanos();
                piece.get().run();
                ran(piece.get(), clock.nanos() - began);
                beginWaiting();
            }
        }

        private void ran(VolumeTask<?> piece, long nanos) {
            synchronized (lock) {
                times = ofReaders && !served ? times.and(TaskBatchTimes.served(nanos)) : times;
                served = true;
                gone(piece);
            }
        }

        private Optional<VolumeTask<?>> next() {
            synchronized (lock) {
                Optional<VolumeTask<?>> next = Optional.ofNullable(pieces.poll());
                next.ifPresent(piece -> piece.become(VolumeTask.State.BEGUN));
                return next;
            }
        }

        /** Those behind them in their lanes will not run either. */
        @Override
        public void refuse(Throwable reason) {
            List<VolumeTask<?>> left = new ArrayList<>();
            synchronized (lock) {
                pieces.forEach(piece -> left.addAll(lanes.clear(piece.chunk())));
                pieces.clear();
                left.forEach(piece -> piece.become(VolumeTask.State.WITHDRAWN));
                pending -= left.size();
            }
            left.forEach(piece -> piece.fail(reason));
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
