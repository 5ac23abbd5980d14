package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.VolumeState;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chunks of one volume.
 *
 * <pre>
 *   absent --create--> BEING_WRITTEN --append*, finish | finalise--> FINALISED --delete--> absent
 *                          |  ^ fence: shuts the writer out             |  ^
 *                          +--abort--> absent                  verify: CORRUPT
 * </pre>
 *
 * All calls block on the disk and run on the volume's own threads, those on one chunk one after the other, in order
 * ({@link VolumeQueue} sees to both). What a call does not find is an error and never made on the way (HDDS-7462). After an I/O error the
 * volume is {@code FAILED} and refuses everything; a full disk refuses what needs room and serves the rest. A failed sync is always an I/O
 * error: the system may have dropped what it could not write, so that another sync would succeed and mean nothing.
 */
public final class Volume implements AutoCloseable {
    /** Of the disk format. */
    public static final int LAYOUT_VERSION = ChunkHeader.LAYOUT_VERSION;

    private static final Logger LOG = LoggerFactory.getLogger(Volume.class);

    private final VolumeIo io;
    private final ChunkStorage storage;
    private final long reserveBytes;
    // Each entry is replaced by whoever runs its chunk's call; readers see whole records.
    private final NavigableMap<ChunkId, StoredChunk> chunks = new ConcurrentSkipListMap<>();
    private final LongAdder count = new LongAdder();
    private final LongAdder storedBytes = new LongAdder();
    private volatile VolumeIdentity identity;
    private volatile VolumeIo.Space space;
    private volatile boolean failed;

    private Volume(VolumeIo io, VolumeIdentity identity, long reserveBytes) throws IOException {
        this.io = io;
        this.storage = new ChunkStorage(io);
        this.identity = identity;
        this.reserveBytes = reserveBytes;
        this.space = io.space();
    }

    /**
     * Locks the volume, formats it when it is empty, and scans it. Closes {@code io} when it fails.
     *
     * @param owner whose volume it must be
     * @param reserveBytes with less free than this no new chunk is taken
     * @param uuids where a new volume's uuid comes from
     * @throws EcfsException {@code WRONG_CLUSTER}, {@code INCOMPATIBLE_VERSION}, {@code MALFORMED}, {@code BUSY} when
     *     another process holds the volume: nothing was changed; another {@link IOException} when the disk fails
     */
    public static Volume open(VolumeIo io, VolumeIdentity owner, long reserveBytes, Supplier<UUID> uuids)
            throws IOException {
        try {
            io.lock();
            Optional<VolumeIdentity> found = VersionFile.read(io);
            if (found.isPresent()) {
                owner.requireOwner(found.get(), io.describe());
            }
            Volume volume = new Volume(io, found.isPresent() ? found.get() : format(io, owner, uuids), reserveBytes);
            for (StoredChunk chunk : new StartupScan(io, volume.storage).run()) {
                volume.keep(chunk);
            }
            LOG.info(
                    "event=volume_opened volume={} path={} chunks={}",
                    volume.uuid(),
                    io.describe(),
                    volume.chunkCount());
            return volume;
        } catch (IOException | RuntimeException e) {
            io.close();
            throw e;
        }
    }

    private static VolumeIdentity format(VolumeIo io, VolumeIdentity owner, Supplier<UUID> uuids) throws IOException {
        for (ChunkFiles.Place place : ChunkFiles.Place.values()) {
            if (!io.list(place.directory()).isEmpty()) {
                throw new EcfsException(
                        ErrorCode.MALFORMED,
                        io.describe()
                                + " has chunks and no VERSION file: nothing was changed; restore the file, or move "
                                + place.directory() + " away to begin anew");
            }
            io.createDirectory(place.directory());
        }
        VolumeIdentity fresh = new VolumeIdentity(
                owner.clusterId(),
                owner.datanode(),
                owner.datanodeUuid(),
                uuids.get().toString());
        VersionFile.write(io, fresh);
        return fresh;
    }

    public String uuid() {
        return identity.volumeUuid();
    }

    /** Where it is, for operators. */
    public String path() {
        return io.describe();
    }

    /** Where the chunk's data file is; empty when there is no such chunk. */
    public Optional<String> dataFile(ChunkId chunk) {
        return Optional.ofNullable(chunks.get(chunk))
                .map(found -> io.describe() + "/" + found.files().data());
    }

    public VolumeState state() {
        if (failed) {
            return VolumeState.FAILED;
        }
        return space.freeBytes() < reserveBytes ? VolumeState.FULL : VolumeState.HEALTHY;
    }

    /** As last measured. */
    public VolumeIo.Space space() {
        return space;
    }

    /** Asks the disk for its free space. */
    public void measure() throws EcfsException {
        onDisk("measure", () -> space = io.space());
    }

    public int chunkCount() {
        return count.intValue();
    }

    /** Bytes of all chunks, checksums not counted. */
    public long chunkBytes() {
        return storedBytes.sum();
    }

    /** What is known of the chunk in memory; does not touch the disk. */
    public Optional<ChunkRecord> find(ChunkId chunk) {
        return Optional.ofNullable(chunks.get(chunk)).map(StoredChunk::record);
    }

    /** Chunks in order, at most {@code limit}, beginning behind {@code after} or at the first. Does not touch the disk. */
    public List<ChunkRecord> records(Optional<ChunkId> after, int limit) {
        NavigableMap<ChunkId, StoredChunk> rest = after.isPresent() ? chunks.tailMap(after.get(), false) : chunks;
        return rest.values().stream().limit(limit).map(StoredChunk::record).toList();
    }

    /** Joins the volume to a cluster for good; namenodes that tell its id at the same moment do so one after the other. */
    public synchronized void bindCluster(String clusterId) throws EcfsException {
        VolumeIdentity joined = identity.withCluster(clusterId);
        joined.requireCluster(identity, io.describe());
        if (!joined.equals(identity)) {
            onDisk("bind", () -> VersionFile.write(io, joined));
            identity = joined;
        }
    }

    /** @throws EcfsException {@code ALREADY_EXISTS} in any state, {@code VOLUME_FULL}, {@code VOLUME_FAILED} */
    public void create(ChunkId chunk, Policy policy, long writer) throws EcfsException {
        if (chunks.containsKey(chunk)) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    chunk + " is on volume " + uuid() + " already, "
                            + chunks.get(chunk).state());
        }
        measure();
        if (state() == VolumeState.FULL) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FULL,
                    "volume " + uuid() + " takes no new chunk: " + space.freeBytes() + " bytes free, " + reserveBytes
                            + " kept in reserve");
        }
        onDisk("create " + chunk, () -> keep(storage.create(chunk, policy, writer)));
    }

    /**
     * Appends the payload's bytes once their checksums match; borrows the payload.
     *
     * @param tail true for the cell of the split tail, after which nothing follows
     * @return the chunk's length now
     * @throws EcfsException {@code CHUNK_MISSING}, {@code FENCED}, {@code CHUNK_CORRUPT} when the payload does not match,
     *     {@code INVALID_ARGUMENT} for another offset than the end, {@code VOLUME_FULL}: nothing was appended
     */
    public long append(ChunkId id, long writer, long offset, int bytes, boolean tail, ByteBuf payload)
            throws EcfsException {
        StoredChunk chunk = writable(id, writer);
        requireAppend(chunk, offset, bytes, tail);
        if (!ChunkPayload.fits(payload, bytes)) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "payload of " + payload.readableBytes() + " bytes cannot carry " + bytes + " bytes of " + id);
        }
        OptionalInt mismatch = ChunkPayload.firstMismatch(payload, bytes);
        if (mismatch.isPresent()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    "bytes for " + id + " at " + (offset + mismatch.getAsInt())
                            + " came damaged: their checksum does not match; nothing was written");
        }
        onFiles(chunk, "append to " + id, () -> keep(storage.append(beginTail(chunk, bytes, tail), payload, bytes)));
        return chunks.get(id).bytes();
    }

    /**
     * Publishes the chunk; again when it is published just so.
     *
     * @param sync on disk when it returns
     * @throws EcfsException {@code INVALID_ARGUMENT} when the length on disk is another, {@code CHUNK_MISSING}, {@code FENCED}
     */
    public ChunkRecord finish(ChunkId id, long writer, long chunkBytes, long groupLength, boolean sync)
            throws EcfsException {
        StoredChunk chunk = existing(id);
        boolean again = chunk.state() == ChunkState.FINALISED
                && chunk.soundHeader().writer() == writer
                && !chunk.soundHeader().fenced()
                && chunk.bytes() == chunkBytes
                && chunk.soundHeader().groupLength() == groupLength;
        if (again) {
            if (sync) {
                onFiles(chunk, "sync " + id, () -> storage.syncWhole(chunk));
            }
            return chunk.record();
        }
        writable(id, writer);
        if (chunk.bytes() != chunkBytes || groupLength < 0) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    id + " cannot be finished with " + chunkBytes + " bytes of a group of " + groupLength + ": it has "
                            + chunk.bytes());
        }
        return publish(chunk, chunk.soundHeader().published(chunkBytes, groupLength), sync);
    }

    /** Drops a chunk that its writer still writes; no-op when there is none. */
    public void abort(ChunkId id, long writer) throws EcfsException {
        if (chunks.containsKey(id)) {
            remove(writable(id, writer));
        }
    }

    /**
     * Shuts out the chunk's writer for good and puts on disk what it wrote. A published chunk stays as it is. On disk when it returns,
     * however often it was asked before: what an earlier call left in memory proves nothing of the disk.
     *
     * @return the chunk, or empty when there is none
     */
    public Optional<ChunkRecord> fence(ChunkId id, long fence) throws EcfsException {
        requireWorking();
        StoredChunk chunk = chunks.get(id);
        if (chunk == null || chunk.state() == ChunkState.CORRUPT) {
            return find(id);
        }
        boolean newer = chunk.state() == ChunkState.BEING_WRITTEN
                && (!chunk.soundHeader().fenced() || chunk.soundHeader().fence() < fence);
        onFiles(chunk, "fence " + id, () -> {
            if (newer) {
                keep(storage.change(chunk, chunk.soundHeader().withFence(fence), false));
            }
            storage.syncWhole(chunk);
        });
        return find(id);
    }

    /**
     * Publishes what a shut-out writer left, cut to {@code chunkBytes}, on disk when it returns. A published chunk of this group length
     * stays as it is, and is on disk then too.
     *
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} when it is too short, published with another group length, or
     *     would be cut inside a checksum window
     */
    public ChunkRecord finalise(ChunkId id, long chunkBytes, long groupLength) throws EcfsException {
        StoredChunk chunk = existing(id);
        if (chunk.state() == ChunkState.FINALISED && chunk.soundHeader().groupLength() == groupLength) {
            // Its writer may have published it without a sync.
            onFiles(chunk, "sync " + id, () -> storage.syncWhole(chunk));
            return chunk.record();
        }
        boolean cutFits = chunkBytes == chunk.bytes() || chunkBytes % Policy.CHECKSUM_WINDOW_BYTES == 0;
        if (chunk.state() != ChunkState.BEING_WRITTEN
                || chunkBytes < 0
                || chunkBytes > chunk.bytes()
                || groupLength < 0
                || !cutFits) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    id + " cannot be finalised with " + chunkBytes + " bytes of a group of " + groupLength + ": it is "
                            + chunk.record());
        }
        ChunkHeader header = chunk.soundHeader();
        ChunkHeader fenced = header.fenced() ? header : header.withFence(header.fence());
        return publish(chunk, fenced.published(chunkBytes, groupLength), true);
    }

    /**
     * Removes the chunk, in whatever state. Only for chunks that the log calls garbage.
     *
     * @return false when there was none
     */
    public boolean delete(ChunkId id) throws EcfsException {
        StoredChunk chunk = chunks.get(id);
        if (chunk == null) {
            return false;
        }
        remove(chunk);
        return true;
    }

    /**
     * Reads chunk bytes [offset, offset + bytes) with the checksum windows that cover them as a {@link ChunkPayload}; they are not
     * verified here.
     *
     * @param into room for {@link ReadRange#payloadBytesFor}
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} beyond the end, {@code CHUNK_CORRUPT} when the chunk is known to be
     *     or its files end too soon
     */
    public ReadRange read(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        StoredChunk chunk = existing(id);
        if (chunk.state() == ChunkState.CORRUPT) {
            throw new EcfsException(ErrorCode.CHUNK_CORRUPT, id + " on volume " + uuid() + " is corrupt");
        }
        ReadRange range = ReadRange.covering(offset, bytes, chunk.bytes())
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "read of " + bytes + " bytes at " + offset + " of " + id + ", which has " + chunk.bytes()));
        boolean whole = onDisk("read " + id, () -> {
            try {
                return storage.read(chunk.files(), range.from(), range.to(), into);
            } catch (NoSuchFileException e) {
                requireDiskThere(e);
                return false;
            }
        });
        if (!whole) {
            judge(chunk, false);
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    id + " on volume " + uuid() + " is shorter on disk than its " + chunk.bytes() + " bytes");
        }
        return range;
    }

    /** @throws EcfsException {@code CHUNK_MISSING} */
    public ChunkRecord probe(ChunkId id) throws EcfsException {
        requireWorking();
        return existing(id).record();
    }

    /** Reads all of the chunk and compares it with its checksums; the verdict is kept on disk. Empty when there is no such chunk. */
    public Optional<ChunkRecord> verify(ChunkId id) throws EcfsException {
        StoredChunk chunk = chunks.get(id);
        if (chunk == null) {
            return Optional.empty();
        }
        boolean sound = onDisk("verify " + id, () -> {
            try {
                return matchesItsChecksums(chunk);
            } catch (NoSuchFileException e) {
                requireDiskThere(e);
                return false;
            }
        });
        judge(chunk, sound);
        return find(id);
    }

    @Override
    public void close() {
        io.close();
    }

    private boolean matchesItsChecksums(StoredChunk chunk) throws IOException {
        Optional<ChunkHeader> header = storage.readHeader(chunk.files());
        if (header.isEmpty()) {
            return false;
        }
        long bytes = Math.max(chunk.bytes(), header.get().chunkBytes());
        return storage.longEnough(chunk.files(), bytes) && storage.verifiedBytes(chunk.files(), bytes) == bytes;
    }

    /** Notes what is known now of a chunk's bytes. A chunk that never had a readable header stays corrupt. */
    private void judge(StoredChunk chunk, boolean sound) throws EcfsException {
        boolean wasSound = chunk.state() != ChunkState.CORRUPT;
        if (sound == wasSound || chunk.header().isEmpty()) {
            return;
        }
        ChunkHeader header = chunk.soundHeader();
        if (!sound) {
            LOG.error("event=chunk_corrupt volume={} chunk={} bytes={}", uuid(), chunk.chunk(), chunk.bytes());
        } else {
            LOG.info("event=chunk_sound_again volume={} chunk={}", uuid(), chunk.chunk());
        }
        if (header.chunkBytes() < 0) {
            keep(new StoredChunk(
                    chunk.files(),
                    sound ? ChunkState.BEING_WRITTEN : ChunkState.CORRUPT,
                    chunk.header(),
                    chunk.bytes()));
            return;
        }
        ChunkHeader judged = header.judged(sound ? ChunkState.FINALISED : ChunkState.CORRUPT);
        StoredChunk now = new StoredChunk(chunk.files(), judged.state(), Optional.of(judged), judged.chunkBytes());
        keep(now);
        onDisk("mark " + chunk.chunk(), () -> {
            if (io.length(chunk.files().sum()).isPresent()) {
                storage.change(now, judged, false);
            }
            return now;
        });
    }

    private ChunkRecord publish(StoredChunk chunk, ChunkHeader header, boolean sync) throws EcfsException {
        return onFiles(chunk, "publish " + chunk.chunk(), () -> {
            try {
                StoredChunk published = storage.publish(chunk, header, sync);
                keep(published);
                return published.record();
            } catch (VolumeFullException e) {
                // It was taken back by a header of a higher sequence: the next change must not go below that.
                keep(StoredChunk.sound(chunk.files(), header.reopened(), chunk.bytes()));
                throw e;
            }
        });
    }

    private void remove(StoredChunk chunk) throws EcfsException {
        onDisk("delete " + chunk.chunk(), () -> {
            storage.delete(chunk.files());
            forget(chunk.chunk());
        });
        LOG.debug("event=chunk_removed volume={} chunk={} bytes={}", uuid(), chunk.chunk(), chunk.bytes());
    }

    /** A tail cell as long as a full one is told apart by the header alone: that must be on disk before it. */
    private StoredChunk beginTail(StoredChunk chunk, int bytes, boolean tail) throws IOException {
        if (!tail || chunk.tailBegun()) {
            return chunk;
        }
        ChunkHeader header = chunk.soundHeader();
        StoredChunk begun = storage.change(
                chunk,
                header.withTailAt(chunk.bytes()),
                bytes >= header.policy().cellBytes());
        keep(begun);
        return begun;
    }

    private static void requireAppend(StoredChunk chunk, long offset, int bytes, boolean tail) throws EcfsException {
        Policy policy = chunk.soundHeader().policy();
        long limit = policy.groupBytes() / policy.dataChunks();
        boolean behindTail = chunk.tailBegun()
                && (!tail || chunk.bytes() > chunk.soundHeader().fullStripeBytes());
        if (offset != chunk.bytes()
                || offset % Policy.CHECKSUM_WINDOW_BYTES != 0
                || bytes < 0
                || bytes > limit - offset
                || behindTail) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    (tail ? "tail" : "write") + " of " + bytes + " bytes at " + offset + " of " + chunk.chunk()
                            + " refused: it ends at " + chunk.bytes() + (chunk.tailBegun() ? " with its tail" : "")
                            + " and may have " + limit);
        }
    }

    private void keep(StoredChunk chunk) {
        StoredChunk before = chunks.put(chunk.chunk(), chunk);
        if (before == null) {
            count.increment();
        }
        storedBytes.add(chunk.bytes() - (before == null ? 0 : before.bytes()));
    }

    private void forget(ChunkId id) {
        StoredChunk before = chunks.remove(id);
        if (before != null) {
            count.decrement();
            storedBytes.add(-before.bytes());
        }
    }

    private StoredChunk existing(ChunkId id) throws EcfsException {
        StoredChunk chunk = chunks.get(id);
        if (chunk == null) {
            throw new EcfsException(ErrorCode.CHUNK_MISSING, id + " is not on volume " + uuid());
        }
        return chunk;
    }

    private StoredChunk writable(ChunkId id, long writer) throws EcfsException {
        StoredChunk chunk = existing(id);
        if (chunk.state() == ChunkState.CORRUPT) {
            throw new EcfsException(ErrorCode.CHUNK_CORRUPT, id + " on volume " + uuid() + " is corrupt");
        }
        ChunkHeader header = chunk.soundHeader();
        if (header.fenced() || header.writer() != writer) {
            throw new EcfsException(
                    ErrorCode.FENCED,
                    id + " is not this writer's any more: "
                            + (header.fenced() ? "shut out by fence " + header.fence() : "another one opened it"));
        }
        if (chunk.state() != ChunkState.BEING_WRITTEN) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, id + " is published and does not change any more");
        }
        return chunk;
    }

    private void requireWorking() throws EcfsException {
        if (failed) {
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "volume " + uuid() + " at " + io.describe() + " failed; replace it");
        }
    }

    private void onFiles(StoredChunk chunk, String what, DiskStep step) throws EcfsException {
        onFiles(chunk, what, () -> {
            step.run();
            return this;
        });
    }

    /** As {@link #onDisk}, but a file of the chunk that is not there makes only the chunk corrupt. */
    private <T> T onFiles(StoredChunk chunk, String what, DiskAction<T> action) throws EcfsException {
        Optional<T> done = onDisk(what, () -> {
            try {
                return Optional.of(action.run());
            } catch (NoSuchFileException e) {
                requireDiskThere(e);
                LOG.warn("event=chunk_file_lost volume={} chunk={} file={}", uuid(), chunk.chunk(), e.getFile());
                return Optional.empty();
            }
        });
        if (done.isEmpty()) {
            judge(chunks.getOrDefault(chunk.chunk(), chunk), false);
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT, chunk.chunk() + " on volume " + uuid() + " has lost a file: " + what);
        }
        return done.get();
    }

    /** One chunk's file may be lost; without the VERSION file the whole disk is. */
    private void requireDiskThere(NoSuchFileException e) throws IOException {
        if (io.length(VersionFile.NAME).isEmpty()) {
            throw new IOException(io.describe() + " is not there any more", e);
        }
    }

    private interface DiskAction<T> {
        T run() throws IOException;
    }

    private interface DiskStep {
        void run() throws IOException;
    }

    private void onDisk(String what, DiskStep step) throws EcfsException {
        onDisk(what, () -> {
            step.run();
            return this;
        });
    }

    private <T> T onDisk(String what, DiskAction<T> action) throws EcfsException {
        requireWorking();
        try {
            return action.run();
        } catch (EcfsException e) {
            throw e;
        } catch (VolumeFullException e) {
            LOG.warn("event=volume_full volume={} path={} doing=\"{}\"", uuid(), io.describe(), what);
            throw new EcfsException(ErrorCode.VOLUME_FULL, "volume " + uuid() + " is full: " + what, e);
        } catch (IOException e) {
            failed = true;
            LOG.error("event=volume_failed volume={} path={} doing=\"{}\"", uuid(), io.describe(), what, e);
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "volume " + uuid() + " failed: " + what + ": " + e.getMessage(), e);
        }
    }
}
