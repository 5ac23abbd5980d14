package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.VolumeState;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a volume's disk can be used, learnt from what it does: every call that touches the disk goes through {@link #onDisk}. After an
 * I/O error the volume is {@code FAILED} and refuses everything; a full disk refuses what needs room and serves the rest; one that takes no
 * change any more is {@code READ_ONLY} from then on and serves reads. A failed sync is
 * always an I/O error: the system may have dropped what it could not write, so that another sync would succeed and mean nothing. Any thread.
 */
final class VolumeHealth {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeHealth.class);

    /** More than is written between two heartbeats. */
    private static final long PLENTY = 8L << 30;

    private final VolumeIo io;
    private final String uuid;
    private final long reserveBytes;
    private volatile VolumeIo.Space space;
    private final AtomicReference<VolumeState> trouble =
            new AtomicReference<>(VolumeState.HEALTHY); // it only gets worse

    /** @param reserveBytes with less free than this no new chunk is taken */
    VolumeHealth(VolumeIo io, String uuid, long reserveBytes) throws IOException {
        this.io = io;
        this.uuid = uuid;
        this.reserveBytes = reserveBytes;
        this.space = io.space();
    }

    VolumeState state() {
        VolumeState worst = trouble.get();
        if (worst != VolumeState.HEALTHY) {
            return worst;
        }
        return space.freeBytes() < reserveBytes ? VolumeState.FULL : VolumeState.HEALTHY;
    }

    /** As last measured. */
    VolumeIo.Space space() {
        return space;
    }

    /** Asks the disk for its free space. */
    void measure() throws EcfsException {
        onDisk("measure", () -> space = io.space());
    }

    /** @throws EcfsException {@code VOLUME_FULL}, {@code VOLUME_READ_ONLY}, {@code VOLUME_FAILED} */
    void requireRoom() throws EcfsException {
        if (space.freeBytes() - reserveBytes < PLENTY) { // otherwise what heartbeats measure will do
            measure();
        }
        VolumeState state = state();
        if (state == VolumeState.READ_ONLY) {
            throw new EcfsException(
                    ErrorCode.VOLUME_READ_ONLY,
                    "volume " + uuid + " at " + io.describe() + " takes no change any more");
        } else if (state == VolumeState.FULL) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FULL,
                    "volume " + uuid + " takes no new chunk: " + space.freeBytes() + " bytes free, " + reserveBytes
                            + " kept in reserve");
        }
    }

    /** @throws EcfsException {@code VOLUME_FAILED} */
    void requireWorking() throws EcfsException {
        if (trouble.get() == VolumeState.FAILED) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "volume " + uuid + " at " + io.describe() + " failed; replace it");
        }
    }

    /** One chunk's file may be lost; without the VERSION file the whole disk is. */
    void requireDiskThere(NoSuchFileException e) throws IOException {
        if (io.length(VersionFile.NAME).isEmpty()) {
            throw new IOException(io.describe() + " is not there any more", e);
        }
    }

    interface DiskAction<T> {
        T run() throws IOException;
    }

    interface DiskStep {
        void run() throws IOException;
    }

    void onDisk(String what, DiskStep step) throws EcfsException {
        onDisk(what, () -> {
            step.run();
            return this;
        });
    }

    /** @throws EcfsException {@code VOLUME_FULL}, {@code VOLUME_READ_ONLY}, {@code VOLUME_FAILED}, or what the action itself throws */
    <T> T onDisk(String what, DiskAction<T> action) throws EcfsException {
        requireWorking();
        try {
            return action.run();
        } catch (EcfsException e) {
            throw e;
        } catch (VolumeFullException e) {
            LOG.warn("event=volume_full volume={} path={} doing=\"{}\"", uuid, io.describe(), what);
            throw new EcfsException(ErrorCode.VOLUME_FULL, "volume " + uuid + " is full: " + what, e);
        } catch (ReadOnlyVolumeException e) {
            if (trouble.compareAndSet(VolumeState.HEALTHY, VolumeState.READ_ONLY)) {
                LOG.error(
                        "event=volume_read_only volume={} path={} doing=\"{}\" note=its_chunks_move_to_others",
                        uuid,
                        io.describe(),
                        what,
                        e);
            }
            throw new EcfsException(
                    ErrorCode.VOLUME_READ_ONLY, "volume " + uuid + " is read-only: " + what + ": " + e.getMessage(), e);
        } catch (IOException e) {
            trouble.set(VolumeState.FAILED);
            LOG.error("event=volume_failed volume={} path={} doing=\"{}\"", uuid, io.describe(), what, e);
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "volume " + uuid + " failed: " + what + ": " + e.getMessage(), e);
        }
    }
}
