package io.ecfs.datanode.store;

import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Lets work on one volume wait for the volume's threads: work on one chunk runs in order of arrival, one piece at a time; work on
 * different chunks side by side. At most {@code bound} pieces wait or run.
 */
public final class VolumeQueue implements AutoCloseable {
    private final Workers workers;
    private final int bound;
    private final Object lock = new Object();
    private final Map<ChunkId, Queue<Work<?>>> lanes = new HashMap<>(); // guarded by lock
    private int pending; // guarded by lock

    private record Work<T>(Callable<T> callable, CompletableFuture<T> result) {}

    /** @param workers this queue's own; room for {@code bound} pieces of work */
    public VolumeQueue(Workers workers, int bound) {
        this.workers = workers;
        this.bound = bound;
    }

    /** @return the work's result or exception; {@code BUSY} at once when too much waits already */
    public <T> CompletableFuture<T> submit(ChunkId chunk, Callable<T> callable) {
        Work<T> work = new Work<>(callable, new CompletableFuture<>());
        boolean first;
        synchronized (lock) {
            if (pending >= bound) {
                return CompletableFuture.failedFuture(
                        new EcfsException(ErrorCode.BUSY, "volume is busy: " + bound + " requests wait already"));
            }
            pending++;
            first = !lanes.containsKey(chunk);
            lanes.computeIfAbsent(chunk, c -> new ArrayDeque<>()).add(work);
        }
        if (first) {
            runLater(chunk);
        }
        return work.result;
    }

    /** Work that concerns no chunk. */
    public <T> CompletableFuture<T> submit(Callable<T> callable) {
        return workers.submit(callable);
    }

    /** How many pieces of work on chunks wait or run. */
    public int queued() {
        synchronized (lock) {
            return pending;
        }
    }

    @Override
    public void close() {
        workers.close();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is all that anybody wants of it
    private void runLater(ChunkId chunk) {
        workers.submit(() -> {
                    runOne(chunk);
                    return chunk;
                })
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        refuseLane(chunk, failure);
                    }
                });
    }

    private void runOne(ChunkId chunk) {
        Work<?> work;
        synchronized (lock) {
            work = lanes.get(chunk).element();
        }
        run(work);
        if (leave(chunk)) {
            runLater(chunk);
        }
    }

    /** Takes the finished work out of its lane; true when more waits there. */
    private boolean leave(ChunkId chunk) {
        synchronized (lock) {
            pending--;
            Queue<Work<?>> lane = lanes.get(chunk);
            lane.remove();
            if (lane.isEmpty()) {
                lanes.remove(chunk);
            }
            return !lane.isEmpty();
        }
    }

    private static <T> void run(Work<T> work) {
        try {
            work.result.complete(work.callable.call());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            work.result.completeExceptionally(e);
        } catch (Exception | Error e) {
            work.result.completeExceptionally(e);
        }
    }

    /** The workers are closed, or refuse: nobody will run this lane. */
    private void refuseLane(ChunkId chunk, Throwable failure) {
        Queue<Work<?>> lane;
        synchronized (lock) {
            lane = lanes.remove(chunk);
            pending -= lane == null ? 0 : lane.size();
        }
        if (lane != null) {
            lane.forEach(work -> work.result.completeExceptionally(failure));
        }
    }
}
