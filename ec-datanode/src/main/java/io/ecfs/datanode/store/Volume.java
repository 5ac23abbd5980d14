package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.FileRegion;
import io.ecfs.datanode.store.io.NotMountedException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One volume: its identity, and the calls on its chunks.
 *
 * <p>All calls block on the disk and run on the volume's own threads, those on one chunk one after the other, in order
 * ({@link VolumeQueue} ensures both). A missing chunk is an error and never created implicitly (HDDS-7462).
 * {@link VolumeHealth} has the state of the disk, {@link ChunkVerifier} verifies files, {@link ChunkIndex} lists the
 * chunks, {@link ChunkLifecycle} changes them.
 */
public final class Volume implements AutoCloseable {
    /** Version of the disk format. */
    public static final int LAYOUT_VERSION = ChunkHeader.LAYOUT_VERSION;

    private static final Logger LOG = LoggerFactory.getLogger(Volume.class);

    private final VolumeIo io;
    private final ChunkStorage storage;
    private final ChunkIndex chunks = new ChunkIndex();
    private final VolumeHealth health;
    private final ChunkVerifier verifier;
    private final Tails tails;
    private final UnsyncedChunks unsynced = new UnsyncedChunks();
    private final ChunkLifecycle lifecycle;
    private volatile VolumeIdentity identity;

    private Volume(VolumeIo io, VolumeIdentity identity, VolumeTerms terms) throws IOException {
        this.io = io;
        this.storage = new ChunkStorage(io, UUID.fromString(identity.volumeUuid()));
        this.identity = identity;
        this.health = new VolumeHealth(
                io, identity.volumeUuid(), terms.reserveBytes(), new ReadErrors(terms.readErrors(), terms.clock()));
        this.verifier = new ChunkVerifier(identity.volumeUuid(), storage, chunks, health);
        TailStorage tailStorage = new TailStorage(io, UUID.fromString(identity.volumeUuid()), health);
        this.tails = new Tails(identity.volumeUuid(), tailStorage, storage, chunks, verifier, unsynced);
        this.lifecycle = new ChunkLifecycle(identity.volumeUuid(), storage, chunks, health, verifier, tails, unsynced);
    }

    /**
     * Locks the volume, formats it when it is empty, and scans it. Closes {@code io} when it fails.
     *
     * @param owner required owner of the volume
     * @param uuids source of a new volume's uuid
     * @throws NotMountedException when there is no volume and none may be made
     * @throws EcfsException {@code WRONG_CLUSTER}, {@code INCOMPATIBLE_VERSION}, {@code MALFORMED}, {@code BUSY} when
     *     another process has locked the volume: nothing was changed; another {@link IOException} when the disk fails
     */
    public static Volume open(VolumeIo io, VolumeIdentity owner, VolumeTerms terms, Supplier<UUID> uuids)
            throws IOException {
        try {
            if (!terms.mayFormat() && !existsOn(io)) {
                throw new NotMountedException(io.describe() + " has no VERSION file");
            }
            io.lock();
            Optional<VolumeIdentity> found = VersionFile.read(io);
            if (found.isPresent()) {
                owner.requireOwner(found.get(), io.describe());
                VersionFile.raise(io, found.get());
            }
            Volume volume = new Volume(io, found.isPresent() ? found.get() : format(io, owner, uuids), terms);
            StartupScan scan = new StartupScan(io, volume.storage, volume.health);
            for (StoredChunk chunk : scan.run()) {
                volume.chunks.keep(chunk);
                if (chunk.state() == ChunkState.BEING_WRITTEN) {
                    volume.tails.interrupted(chunk.chunk());
                }
            }
            for (ChunkId chunk : scan.tails()) {
                volume.tails.found(chunk);
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

    /** Returns whether there is a volume, of any owner. */
    public static boolean existsOn(VolumeIo io) throws IOException {
        return io.length(VersionFile.NAME).isPresent();
    }

    /**
     * Uuid of the volume there; empty when there is none.
     *
     * @throws EcfsException as {@link #open}
     */
    public static Optional<String> uuidOn(VolumeIo io) throws IOException {
        return VersionFile.read(io).map(VolumeIdentity::volumeUuid);
    }

    /** The chunk of a file of a volume; empty for one that is of none. */
    public static Optional<ChunkId> chunkOf(String file) {
        return ChunkFiles.parse(file.substring(file.lastIndexOf('/') + 1)).map(ChunkFiles.Name::chunk);
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

    /** The tail logs: acknowledged bytes of stripes that are not full yet. */
    public Tails tails() {
        return tails;
    }

    public String uuid() {
        return identity.volumeUuid();
    }

    /** Path of the volume, for operators. */
    public String path() {
        return io.describe();
    }

    /** Path of the chunk's data file; empty when there is no such chunk. */
    public Optional<String> dataFile(ChunkId chunk) {
        return dataFile(chunk, true);
    }

    /** @param absolute prefixed with the volume's own path */
    public Optional<String> dataFile(ChunkId chunk, boolean absolute) {
        return chunks.find(chunk)
                .map(found ->
                        (absolute ? io.describe() + "/" : "") + found.files().data());
    }

    public VolumeState state() {
        return health.state();
    }

    /** Space of the disk, as last measured. */
    public VolumeIo.Space space() {
        return health.space();
    }

    /** Measures the free space of the disk. */
    public void measure() throws EcfsException {
        health.measure();
    }

    public int chunkCount() {
        return chunks.count();
    }

    /** Bytes of all chunks and of their tail logs. */
    public long chunkBytes() {
        return chunks.storedBytes() + tails.bytes();
    }

    /** The chunk's record in memory; does not touch the disk. */
    public Optional<ChunkRecord> find(ChunkId chunk) {
        return chunks.find(chunk).map(StoredChunk::record);
    }

    /**
     * Chunks in order, at most {@code limit}, beginning behind {@code after} or at the first. Does not touch the disk.
     */
    public List<ChunkRecord> records(Optional<ChunkId> after, int limit) {
        return chunks.records(after, limit);
    }

    /** Binds the volume to a cluster for good; concurrent calls are serialised. */
    public synchronized void bindCluster(String clusterId) throws EcfsException {
        VolumeIdentity joined = identity.withCluster(clusterId);
        joined.requireCluster(identity, io.describe());
        if (!joined.equals(identity)) {
            health.onDisk("bind", () -> VersionFile.write(io, joined));
            identity = joined;
        }
    }

    /**
     * @param stamp of its group
     * @throws EcfsException {@code ALREADY_EXISTS} in any state, {@code VOLUME_FULL}, {@code VOLUME_FAILED} */
    public void create(ChunkId chunk, int stamp, Policy policy, long writer) throws EcfsException {
        lifecycle.create(chunk, stamp, policy, writer);
    }

    /**
     * As {@link #create} for a chunk of a rewrite, which may use the reserve: the leader places only those of cleaning
     * there.
     */
    public void createInReserve(ChunkId chunk, int stamp, Policy policy, long writer) throws EcfsException {
        lifecycle.createInReserve(chunk, stamp, policy, writer);
    }

    /**
     * Appends the payload's bytes once their checksums match; borrows the payload.
     *
     * @param tailOf the group's length for the cell of its split tail, after which nothing follows; otherwise 0
     * @return the chunk's length now
     * @throws EcfsException {@code CHUNK_MISSING}, {@code FENCED}, {@code CHUNK_CORRUPT} when the payload does not
     *     match, {@code INVALID_ARGUMENT} for another offset than the end, {@code VOLUME_FULL}: nothing was appended
     */
    public long append(ChunkId id, long writer, long offset, int bytes, long tailOf, ByteBuf payload)
            throws EcfsException {
        return lifecycle.append(id, writer, offset, bytes, tailOf, payload);
    }

    /**
     * Makes a chunk and publishes it with all its bytes, once the payload's checksums match; borrows the payload.
     * Idempotent for the same writer and bytes. After a failure there is no such chunk, except after a crash.
     *
     * @param stamp of its group
     * @param bytes of the chunk, as {@code groupLength} gives them
     * @param sync on disk when it returns
     * @throws EcfsException {@code ALREADY_EXISTS}, {@code FENCED} when it is this writer's and fenced,
     *     {@code CHUNK_CORRUPT} when the payload does not match, {@code VOLUME_FULL}, {@code VOLUME_FAILED}
     */
    public ChunkRecord put(
            ChunkId id,
            int stamp,
            Policy policy,
            long writer,
            int bytes,
            long groupLength,
            boolean sync,
            ByteBuf payload)
            throws EcfsException {
        return lifecycle.put(id, stamp, policy, writer, bytes, groupLength, sync, payload);
    }

    /**
     * Publishes the chunk; idempotent.
     *
     * @param sync on disk when it returns
     * @throws EcfsException {@code INVALID_ARGUMENT} when the length on disk is another, {@code CHUNK_MISSING},
     *     {@code FENCED}
     */
    public ChunkRecord finish(ChunkId id, long writer, long chunkBytes, long groupLength, boolean sync)
            throws EcfsException {
        return lifecycle.finish(id, writer, chunkBytes, groupLength, sync);
    }

    /** Deletes a chunk that this writer still writes; no-op when there is none. */
    public void abort(ChunkId id, long writer) throws EcfsException {
        lifecycle.abort(id, writer);
    }

    /**
     * Fences the chunk's writer for good and syncs what it wrote. A published chunk stays as it is. Every call syncs,
     * also a repeated one: the state in memory proves nothing about the disk. On a read-only disk the fence lasts as
     * long as this process.
     *
     * @return the chunk, or empty when there is none
     */
    public Optional<ChunkRecord> fence(ChunkId id, long fence) throws EcfsException {
        return lifecycle.fence(id, fence);
    }

    /**
     * Publishes the chunk of a fenced writer, truncated to {@code chunkBytes}, synced when it returns. A published
     * chunk of this group length stays as it is, and is synced too.
     *
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} when it is too short, published with
     *     another group length, or would be cut inside a checksum window
     */
    public ChunkRecord finalise(ChunkId id, long chunkBytes, long groupLength) throws EcfsException {
        return lifecycle.finalise(id, chunkBytes, groupLength);
    }

    /**
     * Deletes the chunk, in any state. Only for chunks that the log calls garbage. One of another stamp is another
     * group's and stays.
     *
     * @return false when there was none
     */
    public boolean delete(ChunkId id, int stamp) throws EcfsException {
        return lifecycle.delete(id, stamp);
    }

    /**
     * Reads chunk bytes [offset, offset + bytes) with the checksum windows that cover them as a {@link ChunkPayload};
     * they are not verified here.
     *
     * @param into room for {@link ReadRange#payloadBytesFor}
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} past the end, {@code CHUNK_CORRUPT} when
     *     the chunk is known to be or its files are too short
     */
    public ReadRange read(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        return verifier.read(id, offset, bytes, into);
    }

    /**
     * As {@link #read} for a range of which only parts are wanted: bytes that cannot be read do not make the chunk
     * corrupt.
     *
     * @return empty when the parts must be read one by one
     */
    public Optional<ReadRange> tryRead(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        return verifier.tryRead(id, offset, bytes, into);
    }

    /**
     * As {@link #read}, but the checksums alone.
     *
     * @param into room for those of {@link ReadRange#checksumBytesFor}
     * @throws EcfsException {@code UNSUPPORTED} while the chunk is being written, except for whole windows and all of
     *     its bytes
     */
    public ReadRange checksums(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        return verifier.checksums(id, offset, bytes, into);
    }

    /**
     * As {@link #read}, but lends the bytes in their file, from which they can be sent.
     *
     * @param checksums receives those of the windows; room for them
     * @return empty when the bytes must be read
     */
    public Optional<FileRegion> lend(ChunkId id, long offset, int bytes, ByteBuf checksums) throws EcfsException {
        return verifier.lend(id, offset, bytes, checksums);
    }

    /**
     * Files of a published chunk, for readers of this machine.
     *
     * @throws EcfsException {@code CHUNK_MISSING}, {@code CHUNK_CORRUPT}, {@code UNSUPPORTED} while the chunk is being
     *     written and when it has no files that they can open
     */
    public ChunkReply.LocalFiles local(ChunkId id) throws EcfsException {
        return verifier.local(id);
    }

    /**
     * Checks that a chunk of this id, if there is one, was made for the group with this stamp. Does not touch the disk.
     *
     * @throws EcfsException {@code CHUNK_MISSING} when it is the chunk of another group of that number
     */
    public void requireStamp(ChunkId id, int stamp) throws EcfsException {
        if (chunks.find(id).filter(chunk -> !chunk.mayBeOf(stamp)).isPresent()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_MISSING,
                    id + " on volume " + uuid() + " is the chunk of another group that had this number before the"
                            + " namenodes' state was rolled back");
        }
    }

    /** @throws EcfsException {@code CHUNK_MISSING} */
    public ChunkRecord probe(ChunkId id) throws EcfsException {
        health.requireWorking();
        return chunks.existing(id, uuid()).record();
    }

    /**
     * Reads all of the chunk and compares it with its checksums; the verdict is stored on disk. Empty when there is no
     * such chunk.
     */
    public Optional<ChunkRecord> verify(ChunkId id) throws EcfsException {
        Optional<StoredChunk> there = chunks.find(id);
        if (there.isPresent()) {
            verifier.verify(there.get());
        }
        return find(id);
    }

    /** Marks the chunk corrupt, even if its checksums match: the others of its group prove that it is wrong. */
    public void condemn(ChunkId id) throws EcfsException {
        Optional<StoredChunk> there = chunks.find(id);
        if (there.isPresent()) {
            verifier.condemn(there.get());
        }
    }

    /**
     * Compares at most {@code bytes} of a published chunk with their checksums; a mismatch leads to {@link #verify}.
     * Other chunks are skipped: one being written has no end yet, and a corrupt one needs no check.
     *
     * @param from a multiple of the checksum window
     * @param bytes a multiple too
     */
    public ScannedSlice scan(ChunkId id, long from, int bytes) throws EcfsException {
        health.requireWorking();
        Optional<StoredChunk> there = chunks.find(id).filter(chunk -> chunk.state() == ChunkState.FINALISED);
        if (there.isEmpty()) {
            return new ScannedSlice(from, true, true);
        }
        StoredChunk chunk = there.get();
        long to = Math.max(from, Math.min(chunk.bytes(), from + bytes));
        boolean sound = verifier.scan(chunk, from, to);
        return new ScannedSlice(to, !sound || to == chunk.bytes(), sound);
    }

    /**
     * @param to end of the slice
     * @param last nothing of the chunk is left to scan
     * @param sound false when the chunk was found corrupt just now
     */
    public record ScannedSlice(long to, boolean last, boolean sound) {}

    /**
     * Values that were noted under this name; they survive restarts.
     *
     * @throws EcfsException {@code MALFORMED} when the note is damaged
     */
    public Optional<Map<String, String>> note(String name) throws EcfsException {
        try {
            return TextFile.read(io, name);
        } catch (EcfsException e) {
            throw e;
        } catch (IOException e) {
            throw new EcfsException(ErrorCode.VOLUME_FAILED, "cannot read " + io.describe() + "/" + name, e);
        }
    }

    /** Stores a few values beside the chunks, replacing those noted under this name. One thread at a time a name. */
    public void note(String name, Map<String, String> values) throws EcfsException {
        health.onDisk("note " + name, () -> TextFile.write(io, name, values));
    }

    /** Work on the disk that concerns no chunk alone. */
    public interface DiskWork {
        void run() throws IOException;
    }

    /** Runs work on the disk, whose errors count as the volume's. */
    public void onDisk(String what, DiskWork work) throws EcfsException {
        health.onDisk(what, work::run);
    }

    /** Number of chunks with acknowledged bytes that are not known to be synced. */
    public int unsyncedChunks() {
        return unsynced.count();
    }

    /**
     * Syncs all chunks that were closed, or got acknowledged records or cells, before this call. One thread at a time.
     *
     * @throws EcfsException {@code VOLUME_FAILED}, also when one of them could not be written
     */
    public void syncUnsynced() throws EcfsException {
        if (unsynced.count() > 0) {
            health.onDisk("sync chunks", () -> unsynced.sync(io));
        }
    }

    @Override
    public void close() {
        io.close();
    }
}
