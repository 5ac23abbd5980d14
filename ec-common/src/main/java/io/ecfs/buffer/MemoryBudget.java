package io.ecfs.buffer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A fixed number of bytes to share. A request for more than is left waits in order of arrival; none overtakes another,
 * so a large request is not starved by small ones. Only {@linkplain #acquirePatiently patient requests} let others
 * pass, up to as many bytes as they request themselves. Safe for use by several threads; futures complete outside the
 * lock.
 */
public final class MemoryBudget {
    private final String name;
    private final long total;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    @GuardedBy("lock")
    private long used;

    @GuardedBy("lock")
    private long peak;

    public MemoryBudget(String name, long totalBytes) {
        if (totalBytes <= 0) {
            throw new IllegalArgumentException("memory budget " + name + " must be positive: " + totalBytes);
        }
        this.name = name;
        this.total = totalBytes;
    }

    /**
     * Takes {@code bytes} as soon as they are available. Cancel the future to stop waiting; when {@code cancel} returns
     * false the bytes were granted and must be given back.
     *
     * @return completes when the bytes are the caller's until {@link #release}; fails at once with
     *     {@code INVALID_ARGUMENT} when the whole budget is smaller
     */
    public CompletableFuture<Void> acquire(long bytes) {
        return acquire(bytes, false);
    }

    /**
     * As {@link #acquire}, for a large part of the budget: while it waits others go first if there is room for them,
     * until they have taken as many bytes in all as this requests. Patient requests do not pass each other.
     */
    public CompletableFuture<Void> acquirePatiently(long bytes) {
        return acquire(bytes, true);
    }

    private CompletableFuture<Void> acquire(long bytes, boolean patient) {
        requireNotNegative(bytes);
        if (bytes > total) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    bytes + " bytes at once are more than the whole memory budget " + name + " of " + total
                            + " bytes; raise the budget or ask for less"));
        }
        Waiter waiter = new Waiter(bytes, patient);
        List<Waiter> next;
        synchronized (lock) {
            if (waiters.isEmpty() && bytes <= total - used) {
                take(bytes);
                return CompletableFuture.completedFuture(null);
            }
            waiters.add(waiter);
            next = grant();
        }
        complete(next);
        waiter.whenComplete((granted, failure) -> {
            if (failure != null) {
                withdraw(waiter);
            }
        });
        return waiter;
    }

    /** Takes {@code bytes} now, or returns false when they are not available or other requests wait. */
    public boolean tryAcquire(long bytes) {
        requireNotNegative(bytes);
        synchronized (lock) {
            if (!waiters.isEmpty() || bytes > total - used) {
                return false;
            }
            take(bytes);
            return true;
        }
    }

    /** Releases bytes that were acquired; releasing more than that is a bug. */
    public void release(long bytes) {
        requireNotNegative(bytes);
        List<Waiter> next;
        synchronized (lock) {
            Invariant.check(bytes <= used, "budget %s: %d bytes given back, only %d are out", name, bytes, used);
            used -= bytes;
            next = grant();
        }
        complete(next);
    }

    public long totalBytes() {
        return total;
    }

    public long usedBytes() {
        synchronized (lock) {
            return used;
        }
    }

    /** The most that was in use at one time. */
    public long peakBytes() {
        synchronized (lock) {
            return peak;
        }
    }

    /** Number of requests that wait. */
    public int waiting() {
        synchronized (lock) {
            return waiters.size();
        }
    }

    private void withdraw(Waiter waiter) {
        List<Waiter> next;
        synchronized (lock) {
            if (!waiters.remove(waiter)) {
                return; // granted already: complete() sees that it was not taken and releases it
            }
            next = grant();
        }
        complete(next);
    }

    @GuardedBy("lock")
    private void take(long bytes) {
        used += bytes;
        peak = Math.max(peak, used);
    }

    /** Takes the bytes of all waiters that can go on. */
    @GuardedBy("lock")
    private List<Waiter> grant() {
        if (waiters.isEmpty()) {
            return List.of();
        }
        List<Waiter> granted = new ArrayList<>();
        List<Waiter> passed = new ArrayList<>();
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
            Waiter next = all.next();
            boolean hasTurn = passed.isEmpty()
                    || (!next.patient && passed.stream().allMatch(waiter -> next.bytes <= waiter.letsPass));
            if (hasTurn && next.bytes <= total - used) {
                all.remove();
                take(next.bytes);
                passed.forEach(waiter -> waiter.letsPass -= next.bytes);
                granted.add(next);
            } else if (next.patient) {
                passed.add(next);
            } else {
                break;
            }
        }
        return granted;
    }

    private void complete(List<Waiter> granted) {
        for (Waiter waiter : granted) {
            if (!waiter.complete(null)) {
                release(waiter.bytes);
            }
        }
    }

    private static void requireNotNegative(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("negative number of bytes: " + bytes);
        }
    }

    private static final class Waiter extends CompletableFuture<Void> {
        private final long bytes;
        private final boolean patient;
        private long letsPass; // bytes of others, if it is patient; under the lock of the budget

        Waiter(long bytes, boolean patient) {
            this.bytes = bytes;
            this.patient = patient;
            this.letsPass = bytes;
        }
    }
}
