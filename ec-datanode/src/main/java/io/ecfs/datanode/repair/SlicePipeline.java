package io.ecfs.datanode.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes slices through their stages, a few at the same time, so that one is read while another is computed and a third
 * one written:
 *
 * <pre>
 *   slice 0   begin prepare append
 *   slice 1         begin prepare  append
 *   slice 2               begin    prepare append
 * </pre>
 *
 * One begins when the one before has begun, that is, got its memory: who waits for memory never keeps any back from a
 * slice that could go on, so slices of many chunks cannot block each other. Appends come in order. After one that could
 * not be prepared nothing is appended any more.
 *
 * <p>For one run. Its steps run on whichever thread the stage before ended.
 */
final class SlicePipeline {
    /** Processing stages of a slice. Futures fail for good. */
    interface Stages {
        /** Gets it memory, when its turn has come. */
        CompletableFuture<SliceWork> begin(Slice slice);

        /** Reads and computes it; false: not so, but maybe in another way. */
        CompletableFuture<Boolean> prepare(SliceWork work);

        /** Writes it behind those before it. */
        CompletableFuture<Long> append(SliceWork work);

        /** Releases it after success, failure or cancellation. */
        void end(SliceWork work);
    }

    private final List<Slice> slices;
    private final int atOnce;
    private final Stages stages;
    private final CompletableFuture<Integer> result = new CompletableFuture<>();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private int next;

    @GuardedBy("lock")
    private int written;

    @GuardedBy("lock")
    private int underWay;

    @GuardedBy("lock")
    private boolean beginning;

    @GuardedBy("lock")
    private boolean stopped;

    @GuardedBy("lock")
    private Throwable failure;
    /** Of the last slice that began: true when it and all before it are written. */
    @GuardedBy("lock")
    private CompletableFuture<Boolean> before = CompletableFuture.completedFuture(true);

    /** @param first slice to take, all before it are written */
    SlicePipeline(List<Slice> slices, int first, int atOnce, Stages stages) {
        this.slices = slices;
        this.next = first;
        this.written = first;
        this.atOnce = atOnce;
        this.stages = stages;
    }

    /** Completes when nothing is under way any more: how many slices from the first on are written. */
    CompletableFuture<Integer> run() {
        synchronized (lock) {
            if (next == slices.size()) {
                return CompletableFuture.completedFuture(written);
            }
        }
        goOn();
        return result;
    }

    private void goOn() {
        Slice slice;
        CompletableFuture<Boolean> earlier;
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        synchronized (lock) {
            if (beginning || underWay == atOnce || stopped || next == slices.size()) {
                return;
            }
            beginning = true;
            underWay++;
            slice = slices.get(next++);
            earlier = before;
            before = own;
        }
        begin(slice).whenComplete((work, why) -> {
            synchronized (lock) {
                beginning = false;
            }
            if (why != null) {
                ended(own, false, why);
                return;
            }
            take(work, earlier).whenComplete((all, because) -> {
                stages.end(work);
                ended(own, because == null && all, because);
            });
            goOn();
        });
    }

    private CompletableFuture<SliceWork> begin(Slice slice) {
        try {
            return stages.begin(slice);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Boolean> take(SliceWork work, CompletableFuture<Boolean> earlier) {
        CompletableFuture<Boolean> prepared;
        try {
            prepared = stages.prepare(work);
        } catch (RuntimeException | Error e) {
            prepared = CompletableFuture.failedFuture(e);
        }
        return earlier.thenCombine(prepared, Boolean::logicalAnd)
                .thenCompose(all ->
                        all ? stages.append(work).thenApply(length -> true) : CompletableFuture.completedFuture(false));
    }

    private void ended(CompletableFuture<Boolean> own, boolean done, Throwable why) {
        synchronized (lock) {
            underWay--;
            written += done ? 1 : 0;
            stopped |= !done;
            failure = failure == null ? why : failure;
        }
        own.complete(done);
        goOn();
        Throwable reason;
        int appended;
        synchronized (lock) {
            if (underWay > 0 || !(stopped || next == slices.size())) {
                return;
            }
            reason = failure;
            appended = written;
        }
        if (reason == null) {
            result.complete(appended);
        } else {
            result.completeExceptionally(reason);
        }
    }
}
