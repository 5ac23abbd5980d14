package io.ecfs.datanode.store.ring;

import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.message.ring.ReadTimes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** What requests need to know of a staged volume. Any thread. */
public final class StagedVolume {
    /**
     * Longest time that closed chunks stay unsynced in a journal in memory; less than the garbage.delay of namenodes.
     */
    private static final Duration LONGEST_UNSYNCED = Duration.ofMinutes(1);

    private static final long NEVER = Long.MIN_VALUE;

    private final StagedVolumeIo io;
    private final Scheduler delays;
    private final Clock clock;
    private final AtomicLong deferredSince = new AtomicLong(NEVER);
    private final RoleLatencies latencies = new RoleLatencies();
    private volatile boolean skewed;

    /** @param delays of acknowledgements; not closed here */
    public StagedVolume(StagedVolumeIo io, Scheduler delays, Clock clock) {
        this.io = io;
        this.delays = delays;
        this.clock = clock;
    }

    public StagedVolumeIo io() {
        return io;
    }

    public boolean isWriting() {
        return skewed || io.roles().slowsReads();
    }

    /** @param isSkewed whether the clock of its ring is off, so that other volumes may read and write at other times */
    public void skewed(boolean isSkewed) {
        skewed = isSkewed;
    }

    /** Records how long a read takes that begins now, unless it fails. */
    public void measure(CompletableFuture<?> read) {
        long began = clock.nanos();
        CompletableFuture<?> unused = read.thenRun(() -> latencies.record(isWriting(), clock.nanos() - began));
    }

    /** Times of recent reads while the volume only read, or else while it wrote. */
    public ReadTimes readTimes(boolean whileWriting) {
        return latencies.times(whileWriting);
    }

    public <T> CompletableFuture<T> acknowledged(CompletableFuture<T> change) {
        return change.thenCompose(answer -> {
            Duration delay = io.acknowledgementDelay();
            if (delay.isZero()) {
                return CompletableFuture.completedFuture(answer);
            }
            CompletableFuture<T> later = new CompletableFuture<>();
            delays.schedule(delay, () -> later.complete(answer));
            return later;
        });
    }

    /** Returns whether a background sync may wait until the volume writes anyway. */
    public boolean defersSync() {
        if (!io.syncSpills()) {
            deferredSince.set(NEVER);
            return false;
        }
        long now = clock.nanos();
        deferredSince.compareAndSet(NEVER, now);
        // What was deferred before nothing was staged is drained.
        long deferred =
                Math.min(now - deferredSince.get(), io.roles().stagedFor().toNanos());
        if (deferred < LONGEST_UNSYNCED.toNanos()) {
            return true;
        }
        deferredSince.set(NEVER);
        return false;
    }
}
