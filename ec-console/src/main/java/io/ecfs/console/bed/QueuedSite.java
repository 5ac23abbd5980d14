package io.ecfs.console.bed;

import io.ecfs.console.sim.VirtualTime;
import java.util.ArrayDeque;
import java.util.Queue;

/** A datanode with one disk: what it is asked for is served one after the other in order of arrival. What still waits can be called off. */
final class QueuedSite {
    private final VirtualTime time;
    private final Device device;
    private final Queue<Work> waiting = new ArrayDeque<>();
    private boolean busy;
    private long freeAt;
    private long bytesRead;
    private boolean failed;

    QueuedSite(VirtualTime time, Device device) {
        this.time = time;
        this.device = device;
    }

    /** What arrives in one request: whatever of it is served first takes the overhead besides. */
    final class Visit {
        private boolean begun;

        private Visit() {}

        /** @param done runs when the chunk has been read */
        Work read(long bytes, Runnable done) {
            return add(new Work(this, bytes, bytes, done));
        }

        /** @param done runs when the chunk is on disk */
        Work write(long bytes, Runnable done) {
            return add(new Work(this, bytes, 0, done));
        }
    }

    /** One chunk that is read or written. */
    static final class Work {
        private final Visit visit;
        private final long bytes;
        private final long bytesRead;
        private final Runnable done;
        private boolean off;

        private Work(Visit visit, long bytes, long bytesRead, Runnable done) {
            this.visit = visit;
            this.bytes = bytes;
            this.bytesRead = bytesRead;
            this.done = done;
        }

        /** It is not needed any more: it takes no time unless it has begun. */
        void callOff() {
            off = true;
        }
    }

    /** A request arrives; what it asks for is to be said before another one does. */
    Visit visit() {
        return new Visit();
    }

    private Work add(Work work) {
        waiting.add(work);
        if (!busy) {
            serve();
        }
        return work;
    }

    private void serve() {
        Work next = waiting.poll();
        while (next != null && next.off) {
            next = waiting.poll();
        }
        busy = next != null;
        if (next != null) {
            Work work = next;
            freeAt = time.nanos() + nanos(work);
            work.visit.begun = true;
            bytesRead += work.bytesRead;
            time.at(freeAt, () -> {
                work.done.run();
                serve();
            });
        }
    }

    private long nanos(Work work) {
        return device.readNanos(work.bytes) + (work.visit.begun ? 0 : device.overheadNanos());
    }

    /** How long a request that arrives now waits until it is served. */
    long waitNanos() {
        long wait = busy ? freeAt - time.nanos() : 0;
        Visit last = null;
        for (Work work : waiting) {
            if (!work.off) {
                wait += work.visit == last ? device.readNanos(work.bytes) : nanos(work);
                last = work.visit;
            }
        }
        return wait;
    }

    long bytesRead() {
        return bytesRead;
    }

    boolean failed() {
        return failed;
    }

    void fail() {
        failed = true;
    }
}
