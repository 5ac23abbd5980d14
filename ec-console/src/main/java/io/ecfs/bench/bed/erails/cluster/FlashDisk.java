package io.ecfs.bench.bed.erails.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.bench.bed.cluster.ModelledDevice.Sleep;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.InterruptedIOException;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * A {@link FlashDevice} on real time: reads and writes are served one at a time, in order of arrival, and callers are
 * released by the clock, so that delays of threads do not accumulate. Safe for use by several threads.
 */
final class FlashDisk implements RingDisk {
    private final FlashDevice device;
    private final LongSupplier nanos;
    private final Sleep sleep;

    @GuardedBy("this")
    private final SplittableRandom random;

    @GuardedBy("this")
    private boolean on;

    @GuardedBy("this")
    private long freeAt;

    /** Reads that begin before this time suffer from the last write. */
    @GuardedBy("this")
    private long disturbedUntil;

    @GuardedBy("this")
    private DiskCounts counts = DiskCounts.NONE;

    /** @param nanos of the clock that {@code sleep} goes by */
    FlashDisk(FlashDevice device, LongSupplier nanos, Sleep sleep, SplittableRandom random) {
        this.device = device;
        this.nanos = nanos;
        this.sleep = sleep;
        this.random = random;
        this.freeAt = nanos.getAsLong();
        this.disturbedUntil = freeAt;
    }

    @Override
    public VolumeIo around(VolumeIo directory) {
        return new FlashVolumeIo(directory, this);
    }

    @Override
    public synchronized void on(boolean wanted) {
        on = wanted;
    }

    @Override
    public synchronized DiskCounts counts() {
        return counts;
    }

    /** Returns when so many bytes are read. */
    void read(long bytes) throws InterruptedIOException {
        sleep.until(readUntil(bytes));
    }

    /** Returns when so many bytes are written. */
    void write(long bytes) throws InterruptedIOException {
        sleep.until(writeUntil(bytes));
    }

    /** Returns when a change of names or lengths is written. */
    void change() throws InterruptedIOException {
        sleep.until(writeUntil(0));
    }

    private synchronized long readUntil(long bytes) {
        long now = nanos.getAsLong();
        if (!on || bytes == 0) {
            return now;
        }
        long begins = now + Math.max(0, freeAt - now);
        boolean disturbed = begins - disturbedUntil < 0;
        freeAt = begins + device.readNanos(bytes, disturbed, random);
        counts = counts.plus(DiskCounts.ofRead(bytes, disturbed));
        return freeAt;
    }

    private synchronized long writeUntil(long bytes) {
        long now = nanos.getAsLong();
        if (!on) {
            return now;
        }
        freeAt = now + Math.max(0, freeAt - now) + device.writeNanos(Math.max(DiskCounts.PAGE_BYTES, bytes));
        disturbedUntil = freeAt + device.afterNanos();
        counts = counts.plus(DiskCounts.ofWrite(bytes));
        return freeAt;
    }
}
