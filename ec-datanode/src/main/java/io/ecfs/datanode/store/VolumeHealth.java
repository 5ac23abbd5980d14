package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.ReadOnlyVolumeException;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.VolumeState;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health of a volume's disk, derived from its results: every call that touches the disk goes through {@link #onDisk} or
 * {@link #reading}. An unreadable file of a chunk costs only that chunk ({@link #unreadable}), up to the volume's
 * {@link ReadErrorAllowance}. After that, or any other I/O error, the volume is {@code FAILED}: it refuses changes, and
 * still serves reads to clients without a better source. A full disk refuses what needs room and serves the rest; a
 * disk that refuses changes is {@code READ_ONLY} from then on and serves reads. A failed sync is always an I/O error:
 * the system may have dropped what it could not write, so that another sync would succeed without meaning. Any thread.
 */
final class VolumeHealth {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeHealth.class);

    /** Free space above which measurements of heartbeats suffice: more than is written between two of them. */
    private static final long PLENTY = 8L << 30;

    private final VolumeIo io;
    private final String uuid;
    private final long reserveBytes;
    private final ReadErrors readErrors;
    private volatile VolumeIo.Space space;
    /** Bytes of chunks. */
    private final AtomicLong writtenSinceMeasured = new AtomicLong();

    private final AtomicReference<VolumeState> trouble =
            new AtomicReference<>(VolumeState.HEALTHY); // it only gets worse

    /** @param reserveBytes free space below which new chunks are refused, and below half of which bytes are */
    VolumeHealth(VolumeIo io, String uuid, long reserveBytes, ReadErrors readErrors) throws IOException {
        this.io = io;
        this.uuid = uuid;
        this.reserveBytes = reserveBytes;
        this.readErrors = readErrors;
        this.space = io.space();
    }

    VolumeState state() {
        VolumeState worst = trouble.get();
        if (worst != VolumeState.HEALTHY) {
            return worst;
        }
        return space.freeBytes() < reserveBytes ? VolumeState.FULL : VolumeState.HEALTHY;
    }

    /** Space of the disk, as last measured. */
    VolumeIo.Space space() {
        return space;
    }

    /** Measures the free space of the disk. */
    void measure() throws EcfsException {
        onDisk("measure", () -> {
            space = io.space();
            writtenSinceMeasured.set(0);
        });
    }

    /**
     * Counts bytes by which a chunk grows that is none of a rewrite. Half of the reserve is left to tail logs and to
     * chunks of rewrites.
     *
     * @throws EcfsException {@code VOLUME_FULL}, {@code VOLUME_FAILED}
     */
    void requireRoomFor(int bytes) throws EcfsException {
        if (reserveBytes == 0 || leavesHalfTheReserve(writtenSinceMeasured.addAndGet(bytes))) {
            return;
        }
        measure();
        if (!leavesHalfTheReserve(writtenSinceMeasured.addAndGet(bytes))) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FULL,
                    "volume " + uuid + " takes no more bytes: " + space.freeBytes() + " bytes free, half of "
                            + reserveBytes + " are reserved");
        }
    }

    private boolean leavesHalfTheReserve(long bytes) {
        return space.freeBytes() - bytes >= reserveBytes / 2;
    }

    /** @throws EcfsException {@code VOLUME_READ_ONLY} */
    void requireWritable() throws EcfsException {
        if (state() == VolumeState.READ_ONLY) {
            throw new EcfsException(
                    ErrorCode.VOLUME_READ_ONLY,
                    "volume " + uuid + " at " + io.describe() + " takes no change any more");
        }
    }

    /** @throws EcfsException {@code VOLUME_FULL}, {@code VOLUME_READ_ONLY}, {@code VOLUME_FAILED} */
    void requireRoom() throws EcfsException {
        if (space.freeBytes() - reserveBytes < PLENTY) { // otherwise what heartbeats measure will do
            measure();
        }
        requireWritable();
        if (state() == VolumeState.FULL) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FULL,
                    "volume " + uuid + " takes no new chunk: " + space.freeBytes() + " bytes free, " + reserveBytes
                            + " are reserved");
        }
    }

    /** @throws EcfsException {@code VOLUME_FAILED} */
    void requireWorking() throws EcfsException {
        if (trouble.get() == VolumeState.FAILED) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "volume " + uuid + " at " + io.describe() + " failed; replace it");
        }
    }

    /** Fails unless the VERSION file exists: without it the whole disk is lost, not only one chunk's file. */
    void requireDiskThere(NoSuchFileException e) throws IOException {
        if (io.length(VersionFile.NAME).isEmpty()) {
            throw new IOException(io.describe() + " is not there any more", e);
        }
    }

    /**
     * Counts an unreadable file of a chunk. It costs only the chunk, unless the volume's own VERSION file is unreadable
     * too or there were too many such files recently.
     */
    void unreadable(UnreadableFileException e) {
        if (trouble.get() == VolumeState.FAILED) {
            return;
        }
        LOG.warn("event=file_unreadable volume={} path={} error=\"{}\"", uuid, io.describe(), e.getMessage());
        if (!readErrors.allow(e.file())) {
            fail("read its chunks: too many files are unreadable (store.readErrors)", e);
            return;
        }
        try {
            if (VersionFile.read(io).isEmpty()) {
                throw new IOException(io.describe() + " is not there any more", e);
            }
        } catch (IOException own) {
            fail("read its VERSION file", own);
        }
    }

    private void fail(String what, IOException e) {
        trouble.set(VolumeState.FAILED);
        LOG.error("event=volume_failed volume={} path={} doing=\"{}\"", uuid, io.describe(), what, e);
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

    /**
     * @throws EcfsException {@code VOLUME_FULL}, {@code VOLUME_READ_ONLY}, {@code VOLUME_FAILED}, or what the action
     *     itself throws
     */
    <T> T onDisk(String what, DiskAction<T> action) throws EcfsException {
        requireWorking();
        return reading(what, action);
    }

    /**
     * As {@link #onDisk}, also on a failed volume: its chunks are a last resort for reads, and checksums guard them.
     */
    <T> T reading(String what, DiskAction<T> action) throws EcfsException {
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
            if (trouble.get() != VolumeState.FAILED) {
                fail(what, e);
            }
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "volume " + uuid + " failed: " + what + ": " + e.getMessage(), e);
        }
    }
}
