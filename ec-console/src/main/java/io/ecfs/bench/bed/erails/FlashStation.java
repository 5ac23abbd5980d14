package io.ecfs.bench.bed.erails;

import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

/** A {@link FlashDevice} in virtual time: reads and writes are served one at a time, in order of arrival. */
final class FlashStation {
    private final VirtualTime time;
    private final FlashDevice device;
    private final SplittableRandom random;
    private final Queue<Access> waiting = new ArrayDeque<>();
    private boolean busy;
    private int reads;
    private long readsEnded;
    private int writes;
    private boolean hasWritten;
    private long lastWriteEnded;
    private long bytesWritten;

    FlashStation(VirtualTime time, FlashDevice device, SplittableRandom random) {
        this.time = time;
        this.device = device;
        this.random = random;
    }

    private record Access(boolean write, long bytes, Runnable done) {}

    void read(long bytes, Runnable done) {
        reads++;
        enter(new Access(false, bytes, done));
    }

    void write(long bytes, Runnable done) {
        writes++;
        enter(new Access(true, bytes, done));
    }

    /** Reads that wait or run. */
    int reads() {
        return reads;
    }

    /** Reads so far. */
    long readsEnded() {
        return readsEnded;
    }

    /** Writes that wait or run. */
    int writes() {
        return writes;
    }

    /** All that were written so far. */
    long bytesWritten() {
        return bytesWritten;
    }

    /** How long its reads will still suffer from its last write; those that run not counted. */
    long disturbedNanos() {
        return hasWritten ? Math.max(0, lastWriteEnded + device.afterNanos() - time.nanos()) : 0;
    }

    private void enter(Access access) {
        waiting.add(access);
        if (!busy) {
            serve();
        }
    }

    private void serve() {
        Access access = waiting.poll();
        busy = access != null;
        if (access != null) {
            long nanos = access.write
                    ? device.writeNanos(access.bytes)
                    : device.readNanos(access.bytes, disturbedNanos() > 0, random);
            time.after(nanos, () -> end(access));
        }
    }

    private void end(Access access) {
        if (access.write) {
            writes--;
            hasWritten = true;
            lastWriteEnded = time.nanos();
            bytesWritten += access.bytes;
        } else {
            reads--;
            readsEnded++;
        }
        access.done.run();
        serve();
    }
}
