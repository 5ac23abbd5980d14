package io.ecfs.datanode.scrub;

import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.message.chunk.ChunkRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Scrubs the volumes of a datanode concurrently, on one thread of its own; disks are read on the volumes' threads. */
public final class Scrubber implements AutoCloseable {
    private final Environment environment;
    private final ScrubSettings settings;
    private final Scheduler scheduler;
    private final List<VolumeScrub> walks = new CopyOnWriteArrayList<>();

    /** @param owner name of the datanode, for the thread's name */
    public Scrubber(String owner, Environment environment, ScrubSettings settings) {
        this.environment = environment;
        this.settings = settings;
        this.scheduler = environment.threads().scheduler("scrub-" + owner);
    }

    /**
     * Begins to scrub a volume, unless scrubbing is off.
     *
     * @param corrupt receives each chunk that was found corrupt, once
     */
    public void start(Volume volume, VolumeQueue queue, Consumer<ChunkRecord> corrupt) {
        if (settings.on()) {
            VolumeScrub walk = new VolumeScrub(volume, queue, scheduler, environment.clock(), settings, corrupt);
            walks.add(walk);
            walk.start();
        }
    }

    /** Counts since the start, by uuid of the volume. */
    public Map<String, ScrubCounts> counts() {
        return walks.stream().collect(Collectors.toMap(VolumeScrub::volume, VolumeScrub::counts));
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
