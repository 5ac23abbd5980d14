package io.ecfs.datanode.store.queue;

import io.ecfs.env.Workers;
import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Work on one chunk, and its future result. Its state belongs to its {@link VolumeQueue} and is guarded by its lock.
 *
 * <pre>
 *   NEW ----&gt; WAITING ----&gt; BEGUN
 *    |        |  |  ^
 *    |        |  v  |
 *    |        |  LEFT
 *    v        v    v
 *      WITHDRAWN
 * </pre>
 */
public final class VolumeTask<T> {
    private final ChunkId chunk;
    private final Callable<T> work;
    private final boolean spare;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private State state = State.NEW;

    enum State {
        /** Not submitted, or refused. */
        NEW,
        /** Waits for its turn in its batch. */
        WAITING,
        /** In its lane behind a task of another batch, whose thread assigns it. */
        LEFT,
        /** Runs, or has run. */
        BEGUN,
        /** Withdrawn; never runs. */
        WITHDRAWN;

        private boolean leadsTo(State next) {
            return switch (this) {
                case NEW -> next == WAITING || next == WITHDRAWN;
                case WAITING -> next == LEFT || next == BEGUN || next == WITHDRAWN;
                case LEFT -> next == WAITING || next == WITHDRAWN;
                case BEGUN, WITHDRAWN -> false;
            };
        }
    }

    public VolumeTask(ChunkId chunk, Callable<T> work) {
        this(chunk, work, false);
    }

    /** @param spare whether it may wait until nothing else does */
    public VolumeTask(ChunkId chunk, Callable<T> work, boolean spare) {
        this.chunk = chunk;
        this.work = work;
        this.spare = spare;
    }

    /** The work's result or exception, as soon as it is over; {@code BUSY} at once when too much waits already. */
    public CompletableFuture<T> result() {
        return result;
    }

    ChunkId chunk() {
        return chunk;
    }

    boolean isSpare() {
        return spare;
    }

    State state() {
        return state;
    }

    void become(State next) {
        Invariant.check(state.leadsTo(next), "task on %s: from %s to %s", chunk, state, next);
        state = next;
    }

    void run() {
        Workers.run(work, result);
    }

    void fail(Throwable reason) {
        result.completeExceptionally(reason);
    }
}
