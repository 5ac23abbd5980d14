package io.ecfs.env.real;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the last task of a thread or an executor that is shutting down. */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final long PATIENCE_SECONDS = 30;

    private Shutdown() {}

    static void await(ExecutorService executor, String name) {
        try {
            if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("event=threads_stuck name={} waitedSeconds={}", name, PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void await(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            if (thread.isAlive()) {
                LOG.error("event=threads_stuck name={} waitedSeconds={}", thread.getName(), PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
