package io.ecfs.namenode.log.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Scheduler;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Linearizable reads. A read runs at once, on the caller's thread, and its result waits until leadership after that
 * moment is confirmed; all results that wait together share one confirmation round, and one round is under way at a
 * time.
 *
 * <p>Why this suffices: the read ran on a state with everything that was committed before this leader's term (it leads
 * only from then on) and everything that this leader acknowledged (answers leave after applying). If a newer leader had
 * acknowledged anything before the read, a majority would have refused this leader's term since, and the round would
 * not succeed. A namenode without peers is that majority: its results are there at once.
 */
final class Reads {
    private record Result<T>(long term, CompletableFuture<T> future, T value, Exception thrown) {
        void deliver() {
            if (thrown != null) {
                future.completeExceptionally(thrown);
            } else {
                future.complete(value);
            }
        }
    }

    private final boolean alone;
    private final Leaderships leaderships;
    private final Scheduler scheduler;
    private final Supplier<CompletableFuture<Void>> confirm;
    private final RatisFailures failures;

    @GuardedBy("this")
    private List<Result<?>> waiting = new ArrayList<>();

    @GuardedBy("this")
    private CompletableFuture<Void> round;

    /** Of the leadership in which the round began. */
    @GuardedBy("this")
    private long roundTerm;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param alone this namenode has no peers
     * @param confirm begins to prove that this namenode leads after the call; may never complete when it does not
     */
    Reads(
            boolean alone,
            Leaderships leaderships,
            Scheduler scheduler,
            Supplier<CompletableFuture<Void>> confirm,
            RatisFailures failures) {
        this.alone = alone;
        this.leaderships = leaderships;
        this.scheduler = scheduler;
        this.confirm = confirm;
        this.failures = failures;
    }

    <T> CompletableFuture<T> read(LocalRead<T> read) {
        Leadership now = leaderships.now();
        if (!now.leading()) {
            return CompletableFuture.failedFuture(failures.notLeader());
        }
        Result<T> result = run(now.term(), read);
        if (alone) {
            settle(result, null);
            return result.future();
        }
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(failures.notLeader());
            }
            waiting.add(result);
            if (round == null) {
                begin();
            }
        }
        return result.future();
    }

    private static <T> Result<T> run(long term, LocalRead<T> read) {
        try {
            return new Result<>(term, new CompletableFuture<>(), read.run(), null);
        } catch (Exception e) {
            // An outcome like any other: only the leader can prove that something does not exist.
            return new Result<>(term, new CompletableFuture<>(), null, e);
        }
    }

    private synchronized void begin() {
        List<Result<?>> mine = waiting;
        waiting = new ArrayList<>();
        // A copy, so that cancelling it does not affect what the confirmation shares.
        CompletableFuture<Void> begun = confirm.get().copy();
        round = begun;
        roundTerm = leaderships.now().term();
        var unused = begun.whenComplete((done, failed) -> scheduler.execute(() -> end(begun, mine, failed)));
    }

    private void end(CompletableFuture<Void> ended, List<Result<?>> results, Throwable failed) {
        results.forEach(result -> settle(result, failed));
        synchronized (this) {
            if (round == ended) {
                round = null;
                if (!waiting.isEmpty()) {
                    begin();
                }
            }
        }
    }

    private void settle(Result<?> result, Throwable failed) {
        Leadership now = leaderships.now();
        if (failed == null && now.leading() && now.term() == result.term()) {
            result.deliver();
        } else {
            result.future().completeExceptionally(failed == null ? failures.notLeader() : failures.of(failed));
        }
    }

    /**
     * Abandons the round that is under way when this namenode no longer leads, or leads again in another term, which
     * the round would not notice. Called on every check of the role.
     */
    void abandonUnlessLeading() {
        Leadership now = leaderships.now();
        CompletableFuture<Void> lost;
        synchronized (this) {
            lost = now.leading() && now.term() == roundTerm ? null : round;
        }
        if (lost != null) {
            lost.completeExceptionally(failures.notLeader());
        }
    }

    /** Fails all that waits and all that comes after. */
    void close() {
        List<Result<?>> left;
        CompletableFuture<Void> lost;
        synchronized (this) {
            closed = true;
            left = waiting;
            waiting = new ArrayList<>();
            lost = round;
        }
        left.forEach(result -> result.future().completeExceptionally(failures.notLeader()));
        if (lost != null) {
            lost.completeExceptionally(failures.notLeader());
        }
    }
}
