package io.ecfs.sim.time;

import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Worker threads of a simulated process: work begins in order, and each piece takes a while, so that pieces overtake
 * each other. Those of a disk can be slowed down, and hang.
 */
public final class SimWorkers implements Workers {
    /** Longest time that one piece of work takes. */
    private static final int MAX_WORK_NANOS = 2_000_000;

    private final SimProcess process;
    private final String name;
    private final int threads;
    private final int queueBound;
    private final Queue<Work<?>> waiting = new ArrayDeque<>();
    private int busy;
    private long slowerNanos;
    private boolean hung;
    /** Threads that came to a hung disk. */
    private int stuck;

    private boolean closed;

    private record Work<T>(Callable<T> callable, CompletableFuture<T> result) {
        /** A broken invariant is no result: it ends the simulated run. */
        void run() {
            try {
                result.complete(callable.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        }
    }

    SimWorkers(SimProcess process, String name, int threads, int queueBound) {
        this.process = process;
        this.name = name;
        this.threads = threads;
        this.queueBound = queueBound;
    }

    @Override
    public <T> CompletableFuture<T> submit(Callable<T> callable) {
        if (closed || waiting.size() >= queueBound) {
            return CompletableFuture.failedFuture(refused());
        }
        Work<T> work = new Work<>(callable, new CompletableFuture<>());
        waiting.add(work);
        if (busy < threads) {
            busy++;
            next();
        }
        return work.result();
    }

    private void next() {
        process.after(process.chance(MAX_WORK_NANOS) + slowerNanos, this::turn);
    }

    private void turn() {
        if (hung) {
            stuck++;
            return;
        }
        Work<?> work = waiting.poll();
        if (work == null) {
            busy--;
            return;
        }
        work.run();
        next();
    }

    /** Each piece of work takes so much longer from now on. */
    public void slow(Duration longer) {
        slowerNanos = longer.toNanos();
    }

    /** No piece of work begins until {@link #resume}. */
    public void hang() {
        hung = true;
    }

    public void resume() {
        hung = false;
        int going = stuck;
        stuck = 0;
        for (int thread = 0; thread < going; thread++) {
            next();
        }
    }

    @Override
    public int queued() {
        return waiting.size();
    }

    @Override
    public void close() {
        closed = true;
        while (!waiting.isEmpty()) {
            waiting.poll().result().completeExceptionally(refused());
        }
    }

    private EcfsException refused() {
        return new EcfsException(
                ErrorCode.BUSY, name + (closed ? " is closed" : ": " + queueBound + " pieces of work wait already"));
    }
}
