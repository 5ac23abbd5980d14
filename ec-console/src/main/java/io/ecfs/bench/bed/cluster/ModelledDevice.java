package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.Device;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A disk that serves one visit after the other: each takes an overhead with its first bytes, and a time for all of
 * them. It begins a visit when the one before is over, or when it came if that is later, and waiters are released
 * by the clock: delays of threads do not accumulate.
 *
 * <p>On the one thread of its volume, but for the counters and {@link #on}.
 */
public final class ModelledDevice {
    private final Device device;
    private final Sleep sleep;
    private final LongAdder visits = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder busyNanos = new LongAdder();
    private volatile boolean on;
    private long freeAt;
    private long arrived;
    private boolean begun;

    /** Waits for a moment of the clock. */
    public interface Sleep {
        /** Returns when the clock is there, at once when it is already. */
        void until(long nanos) throws InterruptedIOException;
    }

    /** @param bytesRead of chunks, for all callers */
    record Counts(long visits, long bytesRead, long busyNanos) {
        Counts since(Counts before) {
            return new Counts(visits - before.visits, bytesRead - before.bytesRead, busyNanos - before.busyNanos);
        }
    }

    /** @param nowNanos of the clock that {@code sleep} goes by */
    ModelledDevice(Device device, long nowNanos, Sleep sleep) {
        this.device = device;
        this.sleep = sleep;
        this.freeAt = nowNanos;
        this.arrived = freeAt;
    }

    /** From now on it takes time and counts, or does not. */
    void on(boolean wanted) {
        on = wanted;
    }

    Counts counts() {
        return new Counts(visits.sum(), bytesRead.sum(), busyNanos.sum());
    }

    /** Serves the next request, which arrived at this time. */
    void visit(long arrivedNanos) {
        arrived = arrivedNanos;
        begun = false;
    }

    /** The same of one that came before the last one was over. */
    void visit() {
        visit(freeAt);
    }

    /** Returns when so many bytes are read. */
    void read(long bytes) throws InterruptedIOException {
        if (on) {
            bytesRead.add(bytes);
            take(bytes);
        }
    }

    /** Returns when so many bytes are written. */
    void write(long bytes) throws InterruptedIOException {
        if (on) {
            take(bytes);
        }
    }

    private void take(long bytes) throws InterruptedIOException {
        long cost = device.readNanos(bytes);
        if (!begun) {
            begun = true;
            visits.increment();
            cost += device.overheadNanos();
        }
        freeAt += Math.max(0, arrived - freeAt) + cost;
        busyNanos.add(cost);
        sleep.until(freeAt);
    }
}
