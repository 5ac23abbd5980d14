package io.ecfs.datanode.server;

import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.datanode.store.ring.StagedVolume;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A volume and the queue in front of it; both are closed together.
 *
 * @param staged the volume's journal and its turns; empty for one without a journal
 */
public record ServedVolume(Volume volume, VolumeQueue queue, Optional<StagedVolume> staged) implements AutoCloseable {
    public ServedVolume {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(staged, "staged");
    }

    /** A volume without a journal, which writes at once in a ring too. */
    public ServedVolume(Volume volume, VolumeQueue queue) {
        this(volume, queue, Optional.empty());
    }

    /** Returns whether readers should rather read other chunks. */
    boolean isWriting() {
        return staged.isPresent() && staged.get().isWriting();
    }

    /** The result of a change, delayed while the journal of the volume is filling up. */
    <T> CompletableFuture<T> acknowledged(CompletableFuture<T> change) {
        return staged.isPresent() ? staged.get().acknowledged(change) : change;
    }

    @Override
    public void close() {
        queue.close();
        volume.close();
    }
}
