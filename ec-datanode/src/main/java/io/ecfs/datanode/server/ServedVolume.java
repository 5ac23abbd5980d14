package io.ecfs.datanode.server;

import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import java.util.Objects;

/** A volume and the queue in front of it; both are closed together. */
public record ServedVolume(Volume volume, VolumeQueue queue) implements AutoCloseable {
    public ServedVolume {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(queue, "queue");
    }

    @Override
    public void close() {
        queue.close();
        volume.close();
    }
}
