package io.ecfs.client.read.span;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.BudgetWait;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.location.Segment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.wire.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Spans of one plan, begun as memory comes free: a wave of them at a time, which leaves in one message to each
 * datanode. One by one each would be a visit of its own, and nothing of the plan would be left. One wave waits for
 * memory at a time, and lets other reads of the client pass for as many bytes as it asks for itself.
 * Used by one thread.
 */
public final class Waves {
    /** Part of the memory of all reads that a wave takes at most; a larger span goes alone. */
    private static final int SHARE = 4;

    private final Scheduler owner;
    private final Duration budgetWait;
    private final List<List<Entry>> waves = new ArrayList<>();
    private long lastBytes;

    private record Entry(
            SpanFetch fetch,
            Segment segment,
            long bytes,
            CancellationScope cancellation,
            CompletableFuture<FileBytes> read) {}

    public Waves(Scheduler owner, Duration budgetWait) {
        this.owner = owner;
        this.budgetWait = budgetWait;
    }

    /**
     * One more span.
     *
     * @param bytes of memory that it takes
     * @param cancellation of those who want it
     * @return what the fetch brings when {@link #begin} has been called
     */
    public CompletableFuture<FileBytes> add(
            SpanFetch fetch, Segment segment, long bytes, CancellationScope cancellation) {
        cancellation.step(fetch.result());
        if (waves.isEmpty() || lastBytes + bytes > fetch.memory().totalBytes() / SHARE) {
            waves.add(new ArrayList<>());
            lastBytes = 0;
        }
        lastBytes += bytes;
        Entry entry = new Entry(fetch, segment, bytes, cancellation, new CompletableFuture<>());
        waves.get(waves.size() - 1).add(entry);
        return entry.read();
    }

    /** Begins all that were added; call once. */
    public void begin() {
        CompletableFuture<?> turn = CompletableFuture.completedFuture(null);
        for (List<Entry> wave : waves) {
            turn = turn.handle((before, noMemory) -> noMemory)
                    .thenCompose(noMemory -> isBusy(noMemory) ? refuse(wave, noMemory) : begin(wave));
        }
    }

    /** Returns whether memory is short: when one wave waited as long as is allowed, the others do not begin to wait. */
    private static boolean isBusy(Throwable noMemory) {
        return noMemory != null && EcfsException.of(noMemory).code() == ErrorCode.BUSY;
    }

    private static CompletableFuture<Void> refuse(List<Entry> wave, Throwable noMemory) {
        wave.forEach(entry -> begin(entry, noMemory));
        return CompletableFuture.failedFuture(noMemory);
    }

    private CompletableFuture<Void> begin(List<Entry> wave) {
        MemoryBudget memory = wave.get(0).fetch().memory();
        long bytes = wave.stream().mapToLong(Entry::bytes).sum();
        CompletableFuture<Void> granted =
                BudgetWait.acquirePatiently(memory, bytes, budgetWait, owner, "reads under way");
        AtomicInteger wanted = new AtomicInteger(wave.size());
        for (Entry entry : wave) {
            Futures.whenCancelled(entry.fetch().result(), () -> {
                if (wanted.decrementAndGet() == 0) {
                    granted.cancel(false);
                }
            });
        }
        granted.whenComplete((nothing, failure) -> {
            for (Entry entry : wave) {
                begin(entry, failure);
            }
        });
        return granted;
    }

    private static void begin(Entry entry, Throwable noMemory) {
        if (noMemory != null) {
            entry.read().completeExceptionally(noMemory);
            return;
        }
        if (entry.cancellation().cancelled()) {
            entry.fetch().result().cancel(false); // it takes the memory, and gives it back
        }
        // Only forward: those who want it cancel the fetch itself, which is a step of theirs.
        Futures.forward(entry.fetch().startWith(entry.segment(), entry.bytes()), entry.read(), FileBytes::close);
    }
}
