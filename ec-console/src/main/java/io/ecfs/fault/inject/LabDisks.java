package io.ecfs.fault.inject;

import io.ecfs.fault.profile.LabCluster;
import io.ecfs.fault.victim.StoredVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the volumes of an experiment's cluster lie on. A fault that it has no means for is injected by the datanode's
 * fault file.
 */
public interface LabDisks {
    /** Of a volume of tmpfs or device-mapper. */
    long BYTES_OF_ONE = 1L << 30;

    /** Disks of the kind that a profile names. */
    static LabDisks of(LabCluster.DiskKind kind) {
        return switch (kind) {
            case DIR -> new DirectoryDisks();
            case TMPFS -> new TmpfsDisks(BYTES_OF_ONE);
            case DM -> new DeviceMapperDisks(BYTES_OF_ONE);
        };
    }

    /** Makes the disk of a volume, before its datanode starts. */
    default void make(StoredVolume volume, Path directory) throws IOException {}

    /** Lets the device below a volume vanish. */
    default Optional<Undo> remove(Path directory) throws IOException {
        return Optional.empty();
    }

    /** Lets the device below a volume answer no more. */
    default Optional<Undo> hang(Path directory) throws IOException {
        return Optional.empty();
    }

    /** Lets the device below a volume answer later. */
    default Optional<Undo> slow(Path directory, Duration delay) throws IOException {
        return Optional.empty();
    }

    /** Uses up all that is free, where that takes no room from others. */
    default Optional<Undo> fill(Path directory) throws IOException {
        return Optional.empty();
    }

    /** Lets the volume take no change. */
    Undo makeReadOnly(Path directory) throws IOException;

    /** Removes all disks, after the daemons have ended. Idempotent. */
    default void close() {}
}
