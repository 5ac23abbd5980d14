package io.ecfs.bench.bed.cluster;

import io.ecfs.env.Clock;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;

/** Lets the calling thread sleep; it wakes some tens of microseconds late at best. */
public final class ThreadSleep implements ModelledDevice.Sleep {
    private final Clock clock;

    public ThreadSleep(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void until(long nanos) throws InterruptedIOException {
        for (long left = nanos - clock.nanos(); left > 0; left = nanos - clock.nanos()) {
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while the disk's time was taken");
            }
        }
    }
}
