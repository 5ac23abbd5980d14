package io.ecfs.datanode.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.queue.VolumeTask;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Futures;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A read under way: it waits for a buffer, then for its volume; a spare read waits for its volume and takes a buffer
 * when it begins, if one is free then, so that it takes none from others. A cancel of its answer removes it from either
 * queue; work that has begun runs to its end, and its result is released. Safe for use by several threads.
 *
 * <p>The buffer belongs to the task from when it is granted: it passes to the answer when the task succeeds, otherwise
 * it is released.
 */
final class PendingRead {
    private final BufferPool buffers;
    private final boolean spare;
    private final CompletableFuture<Envelope> answer = new CompletableFuture<>();

    @GuardedBy("this")
    private Runnable stop = () -> {};

    /** The queue in which a task waits for its volume. */
    interface Way {
        void take(ServedVolume target, VolumeTask<?> task);

        /** Submits the task by itself. */
        static void alone(ServedVolume target, VolumeTask<?> task) {
            target.queue().submit(List.of(task));
        }
    }

    interface Work<T> {
        /** Takes ownership of the buffer, unless it throws. */
        T run(ByteBuf buffer) throws EcfsException;
    }

    PendingRead(BufferPool buffers, boolean spare) {
        this.buffers = buffers;
        this.spare = spare;
        Futures.whenCancelled(answer, () -> stopped().run());
    }

    CompletableFuture<Envelope> answer() {
        return answer;
    }

    /** Completes the read. */
    void give(Envelope envelope) {
        if (!answer.complete(envelope)) {
            envelope.release();
        }
    }

    /**
     * Runs work with a buffer of so many bytes. If the buffer is granted at once, the task goes by {@code way},
     * otherwise alone once it is granted: the batch that it came with has gone by then. A failure ends the read.
     *
     * @param then takes the result of the work, also after a cancel
     */
    <T> void step(int bytes, ServedVolume target, ChunkId chunk, Way way, Work<T> work, Consumer<T> then) {
        if (spare) {
            queue(new VolumeTask<>(chunk, () -> runWithin(bytes, work), true), target, way, then);
            return;
        }
        CompletableFuture<ByteBuf> granted = buffers.acquire(bytes);
        Way taken = granted.isDone() ? way : Way::alone;
        stopBy(() -> granted.cancel(false));
        granted.whenComplete((buffer, refusal) -> {
            if (refusal != null) {
                answer.completeExceptionally(refusal);
                return;
            }
            VolumeTask<T> task = new VolumeTask<>(chunk, () -> work.run(buffer));
            task.result().whenComplete((result, failure) -> {
                if (failure != null) {
                    buffer.release();
                }
            });
            queue(task, target, taken, then);
        });
    }

    private <T> void queue(VolumeTask<T> task, ServedVolume target, Way way, Consumer<T> then) {
        task.result().whenComplete((result, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                then.accept(result);
            }
        });
        stopBy(() -> target.queue().withdraw(task));
        way.take(target, task);
    }

    private <T> T runWithin(int bytes, Work<T> work) throws EcfsException {
        ByteBuf buffer = buffers.allocate(bytes);
        try {
            return work.run(buffer);
        } catch (EcfsException | RuntimeException | Error e) {
            buffer.release();
            throw e;
        }
    }

    /** Sets what a cancel stops; stops it at once if the read was cancelled already. */
    private void stopBy(Runnable next) {
        synchronized (this) {
            stop = next;
        }
        if (answer.isDone()) {
            next.run();
        }
    }

    private synchronized Runnable stopped() {
        return stop;
    }
}
