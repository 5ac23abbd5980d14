package io.ecfs.datanode.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Limits reads to a {@link Rate}: a token bucket that may run into debt, so that one read of any size passes and the
 * next ones wait for it. Waiting reads are served in order of arrival. Safe for use by several threads; futures
 * complete outside the lock.
 */
final class RepairPace {
    private static final long NANOS = 1_000_000_000L;

    /** Unused tokens accumulate for so long. */
    private static final long BURST_NANOS = NANOS / 10;

    /** A rate that is sampled from time to time. */
    interface Rate {
        /** Interval between samples. */
        long everyNanos();

        /**
         * Bytes a second until the next sample; 0: no limit.
         *
         * @param nanos since the last sample; 0 for the first one
         */
        long after(long nanos);
    }

    private record Waiter(long bytes, CompletableFuture<Void> turn) {}

    private final Clock clock;
    private final Scheduler scheduler;
    private final Rate limit;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    @GuardedBy("lock")
    private double tokens;

    @GuardedBy("lock")
    private long filledAt;

    @GuardedBy("lock")
    private long sampledAt;

    @GuardedBy("lock")
    private long rate;

    @GuardedBy("lock")
    private boolean waking;

    RepairPace(Clock clock, Scheduler scheduler, Rate limit) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.limit = limit;
        this.filledAt = clock.nanos();
        this.sampledAt = filledAt;
        this.rate = limit.after(0);
        this.tokens = burst(rate);
    }

    /** Completes when so many bytes may be read. */
    CompletableFuture<Void> take(long bytes) {
        synchronized (lock) {
            refill();
            if (waiters.isEmpty() && pass(bytes)) {
                return CompletableFuture.completedFuture(null);
            }
            Waiter waiter = new Waiter(bytes, new CompletableFuture<>());
            waiters.add(waiter);
            wakeLater();
            return waiter.turn;
        }
    }

    /** Counts bytes that are read without waiting; later {@link #take}s wait for them too. */
    void charge(long bytes) {
        synchronized (lock) {
            refill();
            if (rate > 0) {
                tokens -= bytes;
            }
        }
    }

    private void wake() {
        List<Waiter> next = new ArrayList<>();
        synchronized (lock) {
            waking = false;
            refill();
            while (!waiters.isEmpty() && pass(waiters.element().bytes)) {
                next.add(waiters.remove());
            }
            if (!waiters.isEmpty()) {
                wakeLater();
            }
        }
        next.forEach(waiter -> waiter.turn.complete(null));
    }

    @GuardedBy("lock")
    private boolean pass(long bytes) {
        if (rate == 0) {
            return true;
        }
        if (tokens <= 0) {
            return false;
        }
        tokens -= bytes;
        return true;
    }

    /** Schedules a wake-up when the debt is paid, and in time for the next sample of the rate. */
    @GuardedBy("lock")
    private void wakeLater() {
        if (!waking) {
            waking = true;
            long nanos = (long) Math.min((double) limit.everyNanos(), (1 - tokens) / Math.max(1, rate) * NANOS + 1);
            scheduler.schedule(Duration.ofNanos(nanos), this::wake);
        }
    }

    @GuardedBy("lock")
    private void refill() {
        long now = clock.nanos();
        tokens = Math.min(burst(rate), tokens + (double) rate * (now - filledAt) / NANOS);
        filledAt = now;
        if (now - sampledAt >= limit.everyNanos()) {
            rate = limit.after(now - sampledAt);
            sampledAt = now;
        }
    }

    private static double burst(long rate) {
        return Math.max(1, (double) rate * BURST_NANOS / NANOS);
    }
}
