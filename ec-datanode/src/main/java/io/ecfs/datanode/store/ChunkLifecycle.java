package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every change of a chunk on a volume, from its creation to its deletion: checks that the chunk's state and writer
 * allow it, changes the files, and then the index.
 *
 * <pre>
 *   absent --put-----------------------------------------------------> FINALISED
 *   absent --create--> BEING_WRITTEN --append*, finish | finalise--> FINALISED --delete--> absent
 *                          |  ^ fence: shuts the writer out             |  ^
 *                          +--abort--> absent                  verify: CORRUPT
 * </pre>
 *
 * The verdicts on a chunk's bytes are {@link ChunkVerifier}. On the volume's threads, calls on one chunk in order.
 */
final class ChunkLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkLifecycle.class);

    private final String uuid;
    private final ChunkStorage storage;
    private final ChunkIndex chunks;
    private final VolumeHealth health;
    private final ChunkVerifier verifier;
    private final Tails tails;
    private final UnsyncedChunks unsynced;
    /** Chunks of rewrites that are being written: they may use the reserve. */
    private final Set<ChunkId> inReserve = ConcurrentHashMap.newKeySet();

    ChunkLifecycle(
            String uuid,
            ChunkStorage storage,
            ChunkIndex chunks,
            VolumeHealth health,
            ChunkVerifier verifier,
            Tails tails,
            UnsyncedChunks unsynced) {
        this.uuid = uuid;
        this.storage = storage;
        this.chunks = chunks;
        this.health = health;
        this.verifier = verifier;
        this.tails = tails;
        this.unsynced = unsynced;
    }

    /** As {@link Volume#create(ChunkId, int, Policy, long)}. */
    void create(ChunkId chunk, int stamp, Policy policy, long writer) throws EcfsException {
        requireNew(chunk);
        health.requireRoom();
        begin(chunk, stamp, policy, writer);
    }

    /** As {@link Volume#createInReserve}. */
    void createInReserve(ChunkId chunk, int stamp, Policy policy, long writer) throws EcfsException {
        requireNew(chunk);
        health.requireWritable();
        begin(chunk, stamp, policy, writer);
        inReserve.add(chunk);
    }

    private void begin(ChunkId chunk, int stamp, Policy policy, long writer) throws EcfsException {
        health.onDisk("create " + chunk, () -> chunks.keep(storage.create(chunk, stamp, policy, writer)));
    }

    private void requireNew(ChunkId chunk) throws EcfsException {
        Optional<StoredChunk> there = chunks.find(chunk);
        if (there.isPresent()) {
            throw exists(there.get());
        }
    }

    /** As {@link Volume#append}. */
    long append(ChunkId id, long writer, long offset, int bytes, long tailOf, ByteBuf payload) throws EcfsException {
        StoredChunk chunk = writable(id, writer);
        chunk.requireAppend(offset, bytes, tailOf);
        ReceivedPayload.requireSound(id, offset, bytes, payload);
        if (!inReserve.contains(id)) {
            health.requireRoomFor(bytes);
        }
        return verifier.onFiles(chunk, "append to " + id, () -> {
            StoredChunk longer = storage.append(beginTail(chunk, bytes, tailOf), payload, bytes);
            chunks.keep(longer);
            unsynced.appended(id);
            return longer.bytes();
        });
    }

    /** As {@link Volume#put(ChunkId, int, Policy, long, int, long, boolean, ByteBuf)}. */
    ChunkRecord put(
            ChunkId id,
            int stamp,
            Policy policy,
            long writer,
            int bytes,
            long groupLength,
            boolean sync,
            ByteBuf payload)
            throws EcfsException {
        Optional<StoredChunk> there = chunks.find(id);
        if (there.isPresent()) {
            return putBefore(there.get(), stamp, writer, bytes, groupLength, sync);
        }
        ReceivedPayload.requireSound(id, 0, bytes, payload);
        health.requireRoom();
        ChunkHeader header = ChunkHeader.put(id, stamp, new GroupLayout(policy, groupLength), writer);
        return health.onDisk("put " + id, () -> {
            StoredChunk put = storage.put(header, payload, sync);
            chunks.keep(put);
            if (!sync) {
                unsynced.closed(put);
            }
            return put.record();
        });
    }

    private ChunkRecord putBefore(StoredChunk chunk, int stamp, long writer, long bytes, long groupLength, boolean sync)
            throws EcfsException {
        boolean own =
                chunk.state() != ChunkState.CORRUPT && chunk.validHeader().writer() == writer && chunk.stamp() == stamp;
        if (own && chunk.validHeader().fenced()) {
            throw chunk.fenced();
        }
        if (!own || !chunk.publishedBy(writer, bytes, groupLength)) {
            throw exists(chunk);
        }
        return publishedBefore(chunk, sync);
    }

    private ChunkRecord publishedBefore(StoredChunk chunk, boolean sync) throws EcfsException {
        if (sync) {
            syncPublished(chunk);
        }
        return chunk.record();
    }

    /**
     * Syncs a chunk that a process before this one published without a sync. Its bytes may have been lost with the
     * power though its header was not, so they are compared first.
     */
    private void syncPublished(StoredChunk chunk) throws EcfsException {
        verifier.requireCompared(chunk);
        verifier.onFiles(chunk, "sync " + chunk.chunk(), () -> storage.syncWhole(chunk));
        unsynced.forget(chunk.chunk());
    }

    /** As {@link Volume#finish}. */
    ChunkRecord finish(ChunkId id, long writer, long chunkBytes, long groupLength, boolean sync) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        if (chunk.publishedBy(writer, chunkBytes, groupLength)) {
            return publishedBefore(chunk, sync);
        }
        writable(id, writer);
        if (chunk.bytes() != chunkBytes || groupLength < 0) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    id + " cannot be finished with " + chunkBytes + " bytes of a group of " + groupLength + ": it has "
                            + chunk.bytes());
        }
        return publish(chunk, chunk.validHeader().published(chunkBytes, groupLength), sync);
    }

    /** As {@link Volume#abort}. */
    void abort(ChunkId id, long writer) throws EcfsException {
        if (chunks.find(id).isPresent()) {
            remove(writable(id, writer));
        }
    }

    /** As {@link Volume#fence}. */
    Optional<ChunkRecord> fence(ChunkId id, long fence) throws EcfsException {
        health.requireWorking();
        Optional<StoredChunk> there = chunks.find(id);
        if (there.isEmpty() || there.get().state() == ChunkState.CORRUPT) {
            return there.map(StoredChunk::record);
        }
        StoredChunk chunk = there.get();
        boolean newer = chunk.state() == ChunkState.BEING_WRITTEN
                && (!chunk.validHeader().fenced() || chunk.validHeader().fence() < fence);
        try {
            verifier.onFiles(chunk, "fence " + id, () -> {
                if (newer) {
                    chunks.keep(storage.change(chunk, chunk.validHeader().withFence(fence), false));
                }
                tails.syncWhole(chunk);
            });
        } catch (EcfsException e) {
            if (e.code() != ErrorCode.VOLUME_READ_ONLY) {
                throw e;
            }
            // The volume does not change any more while this process runs, and its chunks can be read.
            LOG.warn("event=fenced_in_memory volume={} chunk={} reason=\"{}\"", uuid, id, e.getMessage());
            if (newer) {
                ChunkHeader fenced = chunk.validHeader().withFence(fence);
                chunks.keep(new StoredChunk(chunk.files(), chunk.state(), Optional.of(fenced), chunk.bytes()));
            }
        }
        return chunks.find(id).map(StoredChunk::record);
    }

    /** As {@link Volume#finalise}. */
    ChunkRecord finalise(ChunkId id, long chunkBytes, long groupLength) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        if (chunk.state() == ChunkState.FINALISED && chunk.validHeader().groupLength() == groupLength) {
            // Its writer may have published it without a sync.
            syncPublished(chunk);
            return chunk.record();
        }
        boolean cutFits = chunkBytes == chunk.bytes() || chunkBytes % Policy.CHECKSUM_WINDOW_BYTES == 0;
        if (chunk.state() != ChunkState.BEING_WRITTEN
                || chunkBytes < 0
                || chunkBytes > chunk.bytes()
                || groupLength < 0
                || !cutFits
                || (chunkBytes > chunk.record().fullStripeBytes()
                        && chunk.validHeader().groupLength() != groupLength)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    id + " cannot be finalised with " + chunkBytes + " bytes of a group of " + groupLength + ": it is "
                            + chunk.record());
        }
        ChunkHeader header = chunk.validHeader();
        ChunkHeader fenced = header.fenced() ? header : header.withFence(header.fence());
        return publish(chunk, fenced.published(chunkBytes, groupLength), true);
    }

    /** As {@link Volume#delete(ChunkId, int)}. */
    boolean delete(ChunkId id, int stamp) throws EcfsException {
        Optional<StoredChunk> there = chunks.find(id);
        if (there.filter(chunk -> !chunk.mayBeOf(stamp)).isPresent()) {
            return false;
        }
        if (there.isPresent()) {
            remove(there.get());
        } else {
            // A start may find records without their chunk.
            health.onDisk("delete the records of " + id, () -> tails.drop(id));
        }
        return there.isPresent();
    }

    private ChunkRecord publish(StoredChunk chunk, ChunkHeader header, boolean sync) throws EcfsException {
        return verifier.onFiles(chunk, "publish " + chunk.chunk(), () -> {
            try {
                StoredChunk published = storage.publish(chunk, header, sync);
                chunks.keep(published);
                inReserve.remove(chunk.chunk());
                if (sync) {
                    unsynced.forget(chunk.chunk());
                } else {
                    unsynced.closed(published);
                }
                tails.drop(chunk.chunk());
                return published.record();
            } catch (VolumeFullException e) {
                // A header of a higher sequence undid the change: the next one must not go below that.
                chunks.keep(StoredChunk.sound(chunk.files(), header.reopened(), chunk.bytes()));
                throw e;
            }
        });
    }

    private void remove(StoredChunk chunk) throws EcfsException {
        health.onDisk("delete " + chunk.chunk(), () -> {
            tails.drop(chunk.chunk());
            storage.delete(chunk.files());
            chunks.forget(chunk.chunk());
            inReserve.remove(chunk.chunk());
            unsynced.forget(chunk.chunk());
        });
        LOG.debug("event=chunk_removed volume={} chunk={} bytes={}", uuid, chunk.chunk(), chunk.bytes());
    }

    /**
     * Marks the begin of a tail cell. Only the header distinguishes a tail cell as long as a full one: it must be on
     * disk first.
     */
    private StoredChunk beginTail(StoredChunk chunk, int bytes, long tailOf) throws IOException {
        if (tailOf == 0 || chunk.tailBegun()) {
            return chunk;
        }
        ChunkHeader header = chunk.validHeader();
        long whole = new GroupLayout(
                                header.policy(),
                                Math.min(tailOf, header.policy().groupBytes()))
                        .chunkBytes(chunk.chunk().index())
                - chunk.bytes();
        StoredChunk begun = storage.change(
                chunk,
                header.withTail(chunk.bytes(), tailOf),
                Math.max(bytes, whole) >= header.policy().cellBytes());
        chunks.keep(begun);
        return begun;
    }

    private StoredChunk writable(ChunkId id, long writer) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        chunk.requireWritableBy(writer, uuid);
        return chunk;
    }

    private EcfsException exists(StoredChunk chunk) {
        return new EcfsException(
                ErrorCode.ALREADY_EXISTS, chunk.chunk() + " is on volume " + uuid + " already, " + chunk.state());
    }
}
