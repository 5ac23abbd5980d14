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
 * A read under way: it waits for a buffer, then for its volume; a spare one waits for its volume and takes a buffer
 * when it begins, if there is one then, so that it keeps none from others. Who cancels its answer takes it out of
 * either; work that has begun ends by itself, and what it brings is released. Safe for use by several threads.
 *
 * <p>The buffer belongs to the piece of work from when it is granted: to the answer when the work succeeds, otherwise
 * it goes back.
 */
final class PendingRead {
    private final BufferPool buffers;
    private final boolean spare;
    private final CompletableFuture<Envelope> answer = new CompletableFuture<>();
    @GuardedBy("this")
    private Runnable stop = () -> {};

    /** Where a piece waits for its volume. */
    interface Way {
        void take(ServedVolume target, VolumeTask<?> piece);

        /** By itself. */
        static void alone(ServedVolume target, VolumeTask<?> piece) {
            target.queue().submit(List.of(piece));
        }
    }

    interface Work<T> {
        /** Takes the buffer over, unless it throws. */
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

    /** Ends the read. */
    void give(Envelope envelope) {
        if (!answer.complete(envelope)) {
            envelope.release();
        }
    }

    /**
     * Work with a buffer of so many bytes. One that has its buffer at once takes the way, others go alone when they
     * have it: what they came with is gone by then. A failure ends the read.
     *
     * @param then takes what the work brings, also when nobody waits for the answer any more
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
            VolumeTask<T> piece = new VolumeTask<>(chunk, () -> work.run(buffer));
            piece.result().whenComplete((result, failure) -> {
                if (failure != null) {
                    buffer.release();
                }
            });
            queue(piece, target, taken, then);
        });
    }

    private <T> void queue(VolumeTask<T> piece, ServedVolume target, Way way, Consumer<T> then) {
        piece.result().whenComplete((result, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                then.accept(result);
            }
        });
        stopBy(() -> target.queue().withdraw(piece));
        way.take(target, piece);
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

    /** What stops the step that is next; at once, when nobody waits any more. */
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
