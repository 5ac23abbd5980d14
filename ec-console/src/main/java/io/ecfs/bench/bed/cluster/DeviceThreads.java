package io.ecfs.bench.bed.cluster;

import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** The threads of a datanode with one volume: what its volume's thread takes up is a visit of the device. */
final class DeviceThreads implements Threads {
    private static final String OF_VOLUMES = "volume-";

    private final Threads threads;
    private final Clock clock;
    private final ModelledDevice device;

    DeviceThreads(Threads threads, Clock clock, ModelledDevice device) {
        this.threads = threads;
        this.clock = clock;
        this.device = device;
    }

    @Override
    public Scheduler scheduler(String name) {
        return threads.scheduler(name);
    }

    /** @throws IllegalArgumentException when several threads would share the device */
    @Override
    public Workers workers(String name, int count, int queueBound) {
        Workers workers = threads.workers(name, count, queueBound);
        if (!name.startsWith(OF_VOLUMES)) {
            return workers;
        }
        if (count != 1) {
            workers.close();
            throw new IllegalArgumentException("the modelled device of " + name + " serves one thread, not " + count
                    + ": set datanode.store.threads=1");
        }
        return new Visits(workers);
    }

    private final class Visits implements Workers {
        private final Workers workers;
        private final ThreadLocal<Boolean> own = ThreadLocal.withInitial(() -> false); // set on the volume's thread

        Visits(Workers workers) {
            this.workers = workers;
        }

        @Override
        public <T> CompletableFuture<T> submit(Callable<T> work) {
            boolean waited = own.get(); // what the thread takes up itself was in the volume's queue while it worked
            long arrived = clock.nanos();
            return workers.submit(() -> {
                own.set(true);
                if (waited) {
                    device.visit();
                } else {
                    device.visit(arrived);
                }
                try {
                    return work.call();
                } finally {
                    own.remove();
                }
            });
        }

        @Override
        public int queued() {
            return workers.queued();
        }

        @Override
        public void close() {
            workers.close();
        }
    }
}
