package io.ecfs.bench.bed;

import io.ecfs.datanode.store.queue.TaskBatchTimes;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A datanode with one disk: requests are served in order of arrival, spare chunks only when nothing else waits, and not
 * at all after a long wait, as datanodes do. Waiting requests can be cancelled.
 */
final class QueuedSite {
    /** Between client and site, both ways together: a 10 Gb/s network in one hall. */
    static final long NETWORK_NANOS = 200_000;

    private final VirtualTime time;
    private final Device device;
    private final Queue<Work> waiting = new ArrayDeque<>();
    private final Queue<Work> spares = new ArrayDeque<>();
    private boolean busy;
    private long visits;
    private long bytesRead;
    private boolean failed;
    private TaskBatchTimes times = TaskBatchTimes.NONE;

    QueuedSite(VirtualTime time, Device device) {
        this.time = time;
        this.device = device;
    }

    /** Chunks of one request; the first one that is served takes the overhead besides. */
    final class Visit {
        private final long since = time.nanos();
        private boolean begun;

        private Visit() {}

        /**
         * @param done runs when the chunk has been read; of no bytes, when it is its turn: that asks how busy the site
         *     is, and touches no disk
         */
        Work read(long bytes, Runnable done) {
            return add(new Work(this, bytes, bytes, false, done), waiting);
        }

        /** As {@link #read}, of a chunk that is only wanted if others are late; {@code done} may never run. */
        Work spare(long bytes, Runnable done) {
            return add(new Work(this, bytes, bytes, true, done), spares);
        }

        /** @param done runs when the chunk is on disk */
        Work write(long bytes, Runnable done) {
            return add(new Work(this, bytes, 0, false, done), waiting);
        }
    }

    /** One chunk that is read or written. */
    static final class Work {
        private final Visit visit;
        private final long bytes;
        private final long bytesRead;
        private final Runnable done;
        private final boolean spare;
        private boolean off;

        private Work(Visit visit, long bytes, long bytesRead, boolean spare, Runnable done) {
            this.visit = visit;
            this.bytes = bytes;
            this.bytesRead = bytesRead;
            this.done = done;
            this.spare = spare;
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

    private Work add(Work work, Queue<Work> queue) {
        queue.add(work);
        if (!busy) {
            serve();
        }
        return work;
    }

    private void serve() {
        Work work = next();
        busy = work != null;
        if (work != null) {
            long freeAt = time.nanos() + nanos(work);
            if (!work.visit.begun) {
                begin(work);
            }
            bytesRead += work.bytesRead;
            time.at(freeAt, () -> {
                work.done.run();
                serve();
            });
        }
    }

    private void begin(Work first) {
        first.visit.begun = true;
        visits += first.bytes > 0 ? 1 : 0;
        if (!first.spare) {
            times = times.and(TaskBatchTimes.waited(time.nanos() - first.visit.since));
        }
    }

    private Work next() {
        waiting.removeIf(work -> work.off);
        spares.removeIf(work -> work.off || work.visit.since + VolumeQueue.LONGEST_HOLD_NANOS <= time.nanos());
        return (waiting.isEmpty() ? spares : waiting).poll();
    }

    private long nanos(Work work) {
        return work.bytes == 0 ? 0 : device.readNanos(work.bytes) + (work.visit.begun ? 0 : device.overheadNanos());
    }

    /** Of the visits that began since this was asked last, as a datanode's queue tells it. */
    TaskBatchTimes takeTimes() {
        TaskBatchTimes taken = times;
        times = TaskBatchTimes.NONE;
        return taken;
    }

    /** That were begun, but for those that only ask how busy it is. */
    long visits() {
        return visits;
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
