package io.ecfs.datanode.repair;

import io.ecfs.datanode.repair.RepairSettings.Limit;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Lets bytes be read no faster than a {@link Limit} says: a token bucket that may run into debt, so that one read of any size passes
 * and the next ones wait for it. Who waits is served in order of arrival. Safe for use by several threads; futures complete outside the lock.
 */
final class RepairPace {
    private static final long NANOS = 1_000_000_000L;

    /** What was not used is kept for so long. */
    private static final long BURST_NANOS = NANOS / 10;

    /** How often it is asked whether users are at work. */
    private static final long LOOK_NANOS = NANOS;

    private record Waiter(long bytes, CompletableFuture<Void> turn) {}

    private final Clock clock;
    private final Scheduler scheduler;
    private final Limit limit;
    private final LongSupplier userBytes;
    private final Object lock = new Object();
    // All of these are guarded by lock.
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private double tokens;
    private long filledAt;
    private long lookedAt;
    private long userBytesThen;
    private boolean busy;
    private boolean waking;

    /** @param userBytes exchanged with clients so far */
    RepairPace(Clock clock, Scheduler scheduler, Limit limit, LongSupplier userBytes) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.limit = limit;
        this.userBytes = userBytes;
        this.filledAt = clock.nanos();
        this.lookedAt = filledAt;
        this.userBytesThen = userBytes.getAsLong();
        this.tokens = burst(limit.rate(false));
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

    private boolean pass(long bytes) {
        if (limit.rate(busy) == 0) {
            return true;
        }
        if (tokens <= 0) {
            return false;
        }
        tokens -= bytes;
        return true;
    }

    /** When the debt is paid, and in time for the next look at the users. */
    private void wakeLater() {
        if (!waking) {
            waking = true;
            long rate = Math.max(1, limit.rate(busy));
            long nanos = (long) Math.min(LOOK_NANOS, (1 - tokens) / rate * NANOS + 1);
            scheduler.schedule(Duration.ofNanos(nanos), this::wake);
        }
    }

    private void refill() {
        long now = clock.nanos();
        long rate = limit.rate(busy);
        tokens = Math.min(burst(rate), tokens + (double) rate * (now - filledAt) / NANOS);
        filledAt = now;
        if (now - lookedAt >= LOOK_NANOS) {
            long bytes = userBytes.getAsLong();
            busy = (double) (bytes - userBytesThen) * NANOS / (now - lookedAt) > limit.busyAbove();
            userBytesThen = bytes;
            lookedAt = now;
        }
    }

    private static double burst(long rate) {
        return Math.max(1, (double) rate * BURST_NANOS / NANOS);
    }
}
