package io.ecfs.datanode.server;

import io.ecfs.datanode.store.Volume;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.error.EcfsException;
import io.ecfs.message.VolumeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts on disk what writers closed or flushed without a sync, a round for each volume and interval: {@code close}
 * returns when bytes are in the datanodes' memory, and what the namenodes still have of a replaced file waits longer
 * than a round.
 * Each volume has a thread of its own, so that a slow disk delays no other.
 */
public final class BackgroundSync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundSync.class);

    private final Threads threads;
    private final Duration interval;
    private final List<Scheduler> schedulers = new ArrayList<>();

    /** @param interval from the end of a round to the next */
    public BackgroundSync(Threads threads, Duration interval) {
        this.threads = threads;
        this.interval = interval;
    }

    /** A volume whose journal is in memory is synced when it writes anyway, within bounds. */
    public void start(ServedVolume served) {
        start(
                served.volume(),
                () -> served.staged().isPresent() && served.staged().get().defersSync());
    }

    public void start(Volume volume) {
        start(volume, () -> false);
    }

    private void start(Volume volume, BooleanSupplier deferred) {
        Scheduler scheduler = threads.scheduler("sync-" + volume.uuid().substring(0, 8));
        schedulers.add(scheduler);
        scheduler.scheduleWithFixedDelay(interval, interval, () -> {
            if (!deferred.getAsBoolean()) {
                round(volume);
            }
        });
    }

    private static void round(Volume volume) {
        if (volume.state() == VolumeState.FAILED) {
            return;
        }
        try {
            volume.syncUnsynced();
        } catch (EcfsException e) {
            // The volume has logged it, and what it says of itself from now on tells the namenodes.
            LOG.debug("event=background_sync_failed volume={}", volume.uuid(), e);
        }
    }

    @Override
    public void close() {
        schedulers.forEach(Scheduler::close);
    }
}
