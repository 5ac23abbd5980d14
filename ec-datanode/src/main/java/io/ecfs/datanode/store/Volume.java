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
 * ({@link VolumeQueue} sees to both). What a call does not find is an error and never made on the way (HDDS-7462). What
 * its disk is good for {@link VolumeHealth} says, what its chunks' files are {@link ChunkVerifier}, which there are
 * {@link ChunkIndex}, how they change {@link ChunkLifecycle}.
 */
public final class Volume implements AutoCloseable {
    /** Of the disk format. */
    public static final int LAYOUT_VERSION = ChunkHeader.LAYOUT_VERSION;

    private static final Logger LOG = LoggerFactory.getLogger(Volume.class);

    private final VolumeIo io;
    private final ChunkStorage storage;
    private final ChunkIndex chunks = new ChunkIndex();
    private final VolumeHealth health;
    private final ChunkVerifier verifier;
    private final Tails tails;
    private final ClosedChunks closed = new ClosedChunks();
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
        this.tails = new Tails(identity.volumeUuid(), tailStorage, storage, chunks, verifier);
        this.lifecycle = new ChunkLifecycle(identity.volumeUuid(), storage, chunks, health, verifier, tails, closed);
    }

    /**
     * Locks the volume, formats it when it is empty, and scans it. Closes {@code io} when it fails.
     *
     * @param owner whose volume it must be
     * @param uuids where a new volume's uuid comes from
     * @throws NotMountedException when there is nothing of a volume and none may be made
     * @throws EcfsException {@code WRONG_CLUSTER}, {@code INCOMPATIBLE_VERSION}, {@code MALFORMED}, {@code BUSY} when
     *     another process holds the volume: nothing was changed; another {@link IOException} when the disk fails
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

    /** Whether there is a volume, whoever's it is. */
    public static boolean existsOn(VolumeIo io) throws IOException {
        return io.length(VersionFile.NAME).isPresent();
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

    /** What was acknowledged of stripes that are not full yet. */
    public Tails tails() {
        return tails;
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
        return dataFile(chunk, true);
    }

    /** @param absolute with the volume's own path before it */
    public Optional<String> dataFile(ChunkId chunk, boolean absolute) {
        return chunks.find(chunk)
                .map(found ->
                        (absolute ? io.describe() + "/" : "") + found.files().data());
    }

    public VolumeState state() {
        return health.state();
    }

    /** As last measured. */
    public VolumeIo.Space space() {
        return health.space();
    }

    /** Asks the disk for its free space. */
    public void measure() throws EcfsException {
        health.measure();
    }

    public int chunkCount() {
        return chunks.count();
    }

    /** Bytes of all chunks, checksums not counted. */
    public long chunkBytes() {
        return chunks.storedBytes();
    }

    /** What is known of the chunk in memory; does not touch the disk. */
    public Optional<ChunkRecord> find(ChunkId chunk) {
        return chunks.find(chunk).map(StoredChunk::record);
    }

    /**
     * Chunks in order, at most {@code limit}, beginning behind {@code after} or at the first. Does not touch the disk.
     */
    public List<ChunkRecord> records(Optional<ChunkId> after, int limit) {
        return chunks.records(after, limit);
    }

    /**
     * Joins the volume to a cluster for good; namenodes that tell its id at the same moment do so one after the other.
     */
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
     * Makes a chunk and publishes it with all its bytes, once the payload's checksums match; borrows the payload. Again
     * when this writer has published it just so. After a failure there is no such chunk, but for a crash in the middle.
     *
     * @param stamp of its group
     * @param bytes of the chunk, as {@code groupLength} gives them
     * @param sync on disk when it returns
     * @throws EcfsException {@code ALREADY_EXISTS}, {@code FENCED} when it is this writer's and shut out,
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
     * Publishes the chunk; again when it is published just so.
     *
     * @param sync on disk when it returns
     * @throws EcfsException {@code INVALID_ARGUMENT} when the length on disk is another, {@code CHUNK_MISSING},
     *     {@code FENCED}
     */
    public ChunkRecord finish(ChunkId id, long writer, long chunkBytes, long groupLength, boolean sync)
            throws EcfsException {
        return lifecycle.finish(id, writer, chunkBytes, groupLength, sync);
    }

    /** Drops a chunk that its writer still writes; no-op when there is none. */
    public void abort(ChunkId id, long writer) throws EcfsException {
        lifecycle.abort(id, writer);
    }

    /**
     * Shuts out the chunk's writer for good and puts on disk what it wrote. A published chunk stays as it is. On disk
     * when it returns, however often it was asked before: what an earlier call left in memory proves nothing of the
     * disk. On a disk that takes no change the writer is shut out as long as this process lives.
     *
     * @return the chunk, or empty when there is none
     */
    public Optional<ChunkRecord> fence(ChunkId id, long fence) throws EcfsException {
        return lifecycle.fence(id, fence);
    }

    /**
     * Publishes what a shut-out writer left, cut to {@code chunkBytes}, on disk when it returns. A published chunk of
     * this group length stays as it is, and is on disk then too.
     *
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} when it is too short, published with
     *     another group length, or would be cut inside a checksum window
     */
    public ChunkRecord finalise(ChunkId id, long chunkBytes, long groupLength) throws EcfsException {
        return lifecycle.finalise(id, chunkBytes, groupLength);
    }

    /**
     * Removes the chunk, in whatever state. Only for chunks that the log calls garbage. One of another stamp is another
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
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} beyond the end, {@code CHUNK_CORRUPT} when
     *     the chunk is known to be or its files end too soon
     */
    public ReadRange read(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        return verifier.read(id, offset, bytes, into);
    }

    /**
     * As {@link #read}, but the checksums alone.
     *
     * @param into room for those of {@link ReadRange#checksumBytesFor}
     * @throws EcfsException {@code UNSUPPORTED} while the chunk is being written, but for whole windows and all of its
     *     bytes
     */
    public ReadRange checksums(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        return verifier.checksums(id, offset, bytes, into);
    }

    /**
     * As {@link #read}, but the bytes stay in their file, from where they can be sent.
     *
     * @param checksums get those of the windows; room for them
     * @return empty when the bytes must be read
     */
    public Optional<FileRegion> lend(ChunkId id, long offset, int bytes, ByteBuf checksums) throws EcfsException {
        return verifier.lend(id, offset, bytes, checksums);
    }

    /**
     * Where readers of this machine find a chunk.
     *
     * @throws EcfsException {@code CHUNK_MISSING}, {@code CHUNK_CORRUPT}, {@code UNSUPPORTED} while the chunk is being
     *     written and where there are no files to find
     */
    public ChunkReply.LocalFiles local(ChunkId id) throws EcfsException {
        return verifier.local(id);
    }

    /**
     * That a chunk of this name, if there is one, was made for the group with this stamp. Does not touch the disk.
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
     * Reads all of the chunk and compares it with its checksums; the verdict is kept on disk. Empty when there is no
     * such chunk.
     */
    public Optional<ChunkRecord> verify(ChunkId id) throws EcfsException {
        Optional<StoredChunk> there = chunks.find(id);
        if (there.isPresent()) {
            verifier.verify(there.get());
        }
        return find(id);
    }

    /** The others of its group prove that the chunk is wrong: it is corrupt from now on, whatever its checksums say. */
    public void condemn(ChunkId id) throws EcfsException {
        Optional<StoredChunk> there = chunks.find(id);
        if (there.isPresent()) {
            verifier.condemn(there.get());
        }
    }

    /**
     * Compares at most {@code bytes} of a published chunk with their checksums; a mismatch leads to {@link #verify}.
     * Other chunks are not looked at: one being written has no end yet, of a corrupt one all is known.
     *
     * @param from a multiple of the checksum window
     * @param bytes so too
     */
    public Look look(ChunkId id, long from, int bytes) throws EcfsException {
        health.requireWorking();
        Optional<StoredChunk> there = chunks.find(id).filter(chunk -> chunk.state() == ChunkState.FINALISED);
        if (there.isEmpty()) {
            return new Look(from, true, true);
        }
        StoredChunk chunk = there.get();
        long to = Math.max(from, Math.min(chunk.bytes(), from + bytes));
        boolean sound = verifier.look(chunk, from, to);
        return new Look(to, !sound || to == chunk.bytes(), sound);
    }

    /**
     * @param to how far the chunk was looked at
     * @param last nothing is left to look at
     * @param sound false when the chunk was found corrupt just now
     */
    public record Look(long to, boolean last, boolean sound) {}

    /**
     * What was noted under this name; survives restarts.
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

    /**
     * Notes a few values beside the chunks, in place of what was noted under this name. One thread at a time a name.
     */
    public void note(String name, Map<String, String> values) throws EcfsException {
        health.onDisk("note " + name, () -> TextFile.write(io, name, values));
    }

    /** Chunks that were closed and are not known to be on disk. */
    public int unsyncedChunks() {
        return closed.count();
    }

    /**
     * Puts all chunks on disk that were closed before this call, unless there are none. One thread at a time.
     *
     * @throws EcfsException {@code VOLUME_FAILED}, also when one of them could not be written
     */
    public void syncClosed() throws EcfsException {
        if (closed.count() > 0) {
            health.onDisk("sync closed chunks", () -> closed.sync(io));
        }
    }

    @Override
    public void close() {
        io.close();
    }
}
