package io.ecfs.console.local;

import io.ecfs.env.Clock;
import io.ecfs.env.real.Poller;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects the end of a local cluster: some time after its last daemon ended. Its console ends with it; until then every
 * page has a banner that no namenode answers. For one thread.
 */
public final class LastDaemon {
    private static final Logger LOG = LoggerFactory.getLogger(LastDaemon.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    /** Daemons may be started again, one after the other. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** Until the first one is there. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path directory;
    private final LongPredicate alive;
    private Optional<Long> noneSinceNanos = Optional.empty();
    private boolean seen;

    /** @param alive whether a process is a daemon of ours that runs */
    LastDaemon(Path directory, LongPredicate alive) {
        this.directory = directory;
        this.alive = alive;
    }

    /** Completes with 0 when the cluster that {@code ecfs up} starts in a directory is gone. */
    public static CompletableFuture<Integer> gone(Path directory, Clock clock) {
        CompletableFuture<Integer> gone = new CompletableFuture<>();
        LastDaemon last = new LastDaemon(directory, pid -> Child.ours(pid).isPresent());
        Thread thread = new Thread(() -> last.watch(clock, gone), "last-daemon");
        thread.setDaemon(true);
        thread.start();
        return gone;
    }

    private void watch(Clock clock, CompletableFuture<Integer> gone) {
        Poller poller = Poller.every(POLL_INTERVAL);
        try {
            while (!gone(clock.nanos())) {
                poller.pause();
            }
            LOG.info("event=console_ends directory={} reason=\"no daemon of its cluster runs any more\"", directory);
            gone.complete(0);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Polls once; true at the end of the cluster. */
    boolean gone(long nowNanos) {
        if (anyAlive()) {
            seen = true;
            noneSinceNanos = Optional.empty();
            return false;
        }
        long since = noneSinceNanos.orElse(nowNanos);
        noneSinceNanos = Optional.of(since);
        return nowNanos - since >= (seen ? GRACE : PATIENCE).toNanos();
    }

    private boolean anyAlive() {
        try {
            return ClusterFile.read(directory).stream()
                    .flatMap(file -> file.daemons().stream())
                    .anyMatch(daemon -> !daemon.role().equals(ClusterFile.CONSOLE) && alive.test(daemon.pid()));
        } catch (IOException unreadable) {
            // It is being rewritten: the next poll reads it.
            return seen && noneSinceNanos.isEmpty();
        }
    }
}
