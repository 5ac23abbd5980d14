package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.tail.RecoverableLength;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tail logs of a volume: what was acknowledged of stripes that were not full yet. Only chunks that are being
 * written have one.
 *
 * <pre>
 *   (none) --append--&gt; records --append, all before are settled--&gt; begun anew
 *                         `--chunk published, dropped or deleted--&gt; (none)
 * </pre>
 *
 * A log is never changed in place, only restarted. As {@link Volume}: on the volume's threads, calls on one chunk in
 * order.
 */
public final class Tails {
    private static final Logger LOG = LoggerFactory.getLogger(Tails.class);

    private final String uuid;
    private final TailStorage storage;
    private final ChunkStorage chunkStorage;
    private final ChunkIndex chunks;
    private final ChunkVerifier verifier;
    private final UnsyncedChunks unsynced;
    private final Map<ChunkId, TailLog> logs = new ConcurrentHashMap<>();
    private final Set<ChunkId> leftAlone = ConcurrentHashMap.newKeySet();
    /** Chunks that a start found being written, and whose writers have not confirmed since what they had sent. */
    private final Set<ChunkId> interrupted = ConcurrentHashMap.newKeySet();

    Tails(
            String uuid,
            TailStorage storage,
            ChunkStorage chunkStorage,
            ChunkIndex chunks,
            ChunkVerifier verifier,
            UnsyncedChunks unsynced) {
        this.unsynced = unsynced;
        this.uuid = uuid;
        this.storage = storage;
        this.chunkStorage = chunkStorage;
        this.chunks = chunks;
        this.verifier = verifier;
    }

    /** Loads a log at a start: that of a published chunk is dead, of one being written the valid records count. */
    void found(ChunkId id) throws IOException {
        Optional<StoredChunk> chunk = chunks.find(id);
        if (chunk.isEmpty() || chunk.get().state() == ChunkState.CORRUPT) {
            LOG.warn("event=tail_log_left_alone path={} chunk={}", storage.describe(), id);
            leftAlone.add(id);
        } else if (chunk.get().state() == ChunkState.FINALISED) {
            storage.delete(id);
        } else {
            TailLog log = new TailLog(id, chunk.get().validHeader().policy());
            storage.load(log);
            logs.put(id, log);
        }
    }

    /** Notes that a start found the chunk being written. */
    void interrupted(ChunkId id) {
        interrupted.add(id);
        unsynced.acknowledged(id); // some of it may be, and not on disk
    }

    /**
     * Returns whether a chunk being written may have had more bytes than now, so that its length and log prove nothing
     * of what its writer sent. Either it existed when this process started: unsynced bytes may have been lost in a
     * power failure. That ends when its writer names all that it had sent, and the chunk has exactly that. Or its log
     * has lost a record since, which is permanent.
     */
    public boolean wasInterrupted(ChunkId id) {
        TailLog log = logs.get(id);
        return interrupted.contains(id) || (log != null && log.damaged());
    }

    /**
     * Appends a record once its checksums match; borrows the payload. On failure the log is as it was.
     *
     * @param settled group bytes before this are safe in the chunks: a log of only such bytes is restarted
     * @param sync syncs all of the chunk before it returns
     * @param sent what the writer sent before
     * @throws EcfsException {@code CHUNK_MISSING}, {@code FENCED}, {@code CHUNK_CORRUPT} when the payload does not
     *     match, {@code CHUNK_INCOMPLETE} when the chunk lacks some of what was sent before, {@code INVALID_ARGUMENT}
     *     for an impossible record, {@code VOLUME_FULL}: nothing was appended
     */
    public void append(
            ChunkId id, long writer, TailRecord record, long settled, boolean sync, SentBefore sent, ByteBuf payload)
            throws EcfsException {
        StoredChunk chunk = writable(id, writer);
        TailLog log = logOf(chunk);
        requireAll(sent, chunk, log);
        int bytes = requireFits(chunk, log, record);
        ReceivedPayload.requireSound(id, record.offset(), bytes, payload);
        verifier.onFiles(chunk, "tail of " + id, () -> {
            if (log.deadBelow(settled)) {
                storage.cut(log);
            }
            storage.append(log, record, payload);
            if (sync) {
                sync(chunk, log);
            } else {
                unsynced.acknowledged(id);
            }
        });
    }

    private static int requireFits(StoredChunk chunk, TailLog log, TailRecord record) throws EcfsException {
        Policy policy = log.policy();
        if (!record.fits(policy) || record.sequence() <= log.lastSequence() || log.full() || chunk.tailBegun()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    record + " refused by " + chunk.chunk() + " under " + policy + ": its last one has the number "
                            + log.lastSequence() + (log.full() ? ", and its log is full" : "")
                            + (chunk.tailBegun() ? ", and its tail is written" : ""));
        }
        return record.storedBytes(policy, chunk.chunk().index());
    }

    /**
     * Syncs the cells and records that the writer sent of a chunk, as far as they are not on disk yet.
     *
     * @param sent as in {@link #append}
     * @throws EcfsException as {@link #append} for a chunk that is not its writer's any more, or lacks some of it
     */
    public void sync(ChunkId id, long writer, SentBefore sent) throws EcfsException {
        StoredChunk chunk = writable(id, writer);
        TailLog log = logOf(chunk);
        requireAll(sent, chunk, log);
        verifier.onFiles(chunk, "sync " + id, () -> sync(chunk, log));
    }

    /** Checks that the chunk has all that its writer sent; throws as {@link #sync}. */
    public void check(ChunkId id, long writer, SentBefore sent) throws EcfsException {
        StoredChunk chunk = writable(id, writer);
        requireAll(sent, chunk, logOf(chunk));
        unsynced.acknowledged(id); // what is acknowledged by this may be in cells alone
    }

    /**
     * Checks that nothing is missing. Cells and records are only appended, so the length and the last number equal
     * those of the writer exactly when nothing is missing.
     */
    private void requireAll(SentBefore sent, StoredChunk chunk, TailLog log) throws EcfsException {
        boolean all = sent.chunkBytes() == chunk.bytes() && sent.lastRecord() == log.lastSequence();
        if (!all || log.damaged()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_INCOMPLETE,
                    chunk.chunk() + " on volume " + uuid + " has lost what its writer sent: it has " + chunk.bytes()
                            + " bytes and record " + log.lastSequence() + (log.damaged() ? " in a damaged log" : "")
                            + ", not " + sent + "; write elsewhere");
        }
        interrupted.remove(chunk.chunk()); // all that its writer sent is there, regardless of a start
    }

    /** Syncs a whole chunk, without a check of its writer. */
    void syncWhole(StoredChunk chunk) throws IOException {
        chunkStorage.syncWhole(chunk);
        TailLog log = logs.get(chunk.chunk());
        if (log != null) {
            if (log.there()) {
                storage.sync(log); // the log's name is in the directory of the chunk being written
            }
            log.synced(chunk.bytes());
        }
    }

    private void sync(StoredChunk chunk, TailLog log) throws IOException {
        if (!log.syncedUpTo(chunk.bytes())) {
            chunkStorage.syncBytes(chunk);
        }
        boolean names = !log.namesSynced() || !log.nameSynced();
        if (log.dirty()) {
            storage.sync(log);
        }
        if (names) {
            chunkStorage.syncWriting(chunk.chunk());
        }
        log.synced(chunk.bytes());
    }

    /** Bytes of all logs, as of about now; any thread. */
    long bytes() {
        return logs.values().stream().mapToLong(TailLog::end).sum();
    }

    /** Coverage of the chunk's log; empty when it has none. */
    public TailCoverage coverage(ChunkId id) {
        TailLog log = logs.get(id);
        return log == null ? TailCoverage.NONE : log.coverage();
    }

    /**
     * Reads from the log at the group byte {@code from}: mirrored bytes from there on, or a cell of the coded record
     * that covers it, verified.
     *
     * @param into room for a payload of {@code most} bytes
     * @throws EcfsException {@code CHUNK_MISSING}, {@code CHUNK_CORRUPT} when the log is damaged there,
     *     {@code INVALID_ARGUMENT} when a cell is larger than {@code most}
     */
    public ChunkReply.TailBytes read(ChunkId id, long from, int most, ByteBuf into) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        TailLog log = logs.get(id);
        if (log == null) {
            return new ChunkReply.TailBytes(id, TailForm.MIRRORED, from, 0, 0);
        }
        List<TailLog.Entry> run = log.mirroredFrom(from);
        if (!run.isEmpty()) {
            int bytes =
                    verifier.onFiles(chunk, "read tail of " + id, () -> storage.readRun(log, run, from, most, into));
            return new ChunkReply.TailBytes(id, TailForm.MIRRORED, from, bytes, bytes);
        }
        Optional<TailLog.Entry> coded = log.codedAt(from);
        if (coded.isEmpty()) {
            return new ChunkReply.TailBytes(id, TailForm.MIRRORED, from, 0, 0);
        }
        TailRecord record = coded.get().record();
        int bytes = record.storedBytes(log.policy(), id.index());
        if (bytes > most) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "tail cell of " + id + " has " + bytes + " bytes, asked for are " + most);
        }
        verifier.onFiles(chunk, "read tail of " + id, () -> storage.readOne(log, coded.get(), into));
        return new ChunkReply.TailBytes(id, TailForm.CODED, record.offset(), record.length(), bytes);
    }

    /**
     * Writes to an open chunk of a fenced writer its cell of the tail of a group of this length, in place of the bytes
     * behind its full stripes; synced when it returns. Its log stays, until the chunk is published. May be repeated,
     * also with another length.
     *
     * @param fence of the round of recovery that asks
     * @param payload the cell, sealed; borrowed
     * @throws EcfsException {@code CHUNK_MISSING}, {@code FENCED} when a later round has fenced the chunk,
     *     {@code INVALID_ARGUMENT} when its writer is not fenced, or full stripes are missing, {@code VOLUME_FULL}: the
     *     full stripes are there, and nothing behind them
     */
    public ChunkRecord fill(ChunkId id, long fence, long groupLength, ByteBuf payload) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        if (chunk.state() == ChunkState.FINALISED && chunk.validHeader().groupLength() == groupLength) {
            return chunk.record();
        }
        requireFenced(chunk, fence, groupLength);
        GroupLayout layout = new GroupLayout(chunk.validHeader().policy(), groupLength);
        if (RecoverableLength.holds(layout, chunk.record())) {
            return chunk.record(); // a repeated order must not truncate the cell
        }
        if (RecoverableLength.behind(layout, chunk.record())) {
            throw notFilled(
                    chunk, groupLength, "it has " + chunk.record().fullStripeBytes() + " bytes of full stripes");
        }
        int bytes = Math.toIntExact(layout.chunkBytes(id.index()) - layout.fullStripeChunkBytes());
        ReceivedPayload.requireSound(id, layout.fullStripeChunkBytes(), bytes, payload);
        return verifier.onFiles(chunk, "fill " + id, () -> {
            // Each step updates the index: the next one may find the disk full.
            logOf(chunk).bytesChanged();
            StoredChunk cut = chunkStorage.cutTail(chunk, layout.fullStripeChunkBytes());
            chunks.keep(cut);
            StoredChunk begun = chunkStorage.beginTail(cut, groupLength);
            chunks.keep(begun);
            StoredChunk filled = chunkStorage.append(begun, payload, bytes);
            chunks.keep(filled);
            chunkStorage.syncWhole(filled);
            return filled.record();
        });
    }

    /**
     * Prepares an open chunk of a fenced writer for {@link #appendStripes}: truncates it to its last whole cell, so
     * that it ends with a full stripe. Its log stays.
     *
     * @param fence of the round of recovery that asks
     * @return bytes that it has
     * @throws EcfsException as {@link #fill}
     */
    public long beginStripes(ChunkId id, long fence, long groupLength) throws EcfsException {
        StoredChunk chunk = fenced(id, fence, groupLength);
        int cell = chunk.validHeader().policy().cellBytes();
        long whole = chunk.record().fullStripeBytes() / cell * cell;
        if (whole == chunk.bytes() && !chunk.tailBegun()) {
            return whole;
        }
        return verifier.onFiles(chunk, "fill " + id, () -> {
            logOf(chunk).bytesChanged();
            StoredChunk cut = chunkStorage.cutTail(chunk, whole);
            chunks.keep(cut);
            if (cut.tailBegun()) {
                // A tail that remains after a crash must not be taken for a full cell.
                chunkStorage.syncBytes(cut);
                chunks.keep(chunkStorage.endTail(cut));
            }
            return whole;
        });
    }

    /**
     * Appends cells of full stripes to an open chunk of a fenced writer.
     *
     * @param offset present end of the chunk
     * @param payload sealed; borrowed
     * @return bytes that it has now
     * @throws EcfsException as {@link #fill}; {@code INVALID_ARGUMENT} also when it ends elsewhere
     */
    public long appendStripes(ChunkId id, long fence, long groupLength, long offset, int bytes, ByteBuf payload)
            throws EcfsException {
        StoredChunk chunk = fenced(id, fence, groupLength);
        if (chunk.bytes() != offset || chunk.tailBegun()) {
            throw notFilled(chunk, groupLength, "it does not end at byte " + offset);
        }
        ReceivedPayload.requireSound(id, offset, bytes, payload);
        return verifier.onFiles(chunk, "fill " + id, () -> {
            StoredChunk longer = chunkStorage.append(chunk, payload, bytes);
            chunks.keep(longer);
            return longer.bytes();
        });
    }

    /**
     * Syncs a chunk to which full stripes were appended.
     *
     * @throws EcfsException as {@link #fill}
     */
    public ChunkRecord endStripes(ChunkId id, long fence, long groupLength) throws EcfsException {
        StoredChunk chunk = fenced(id, fence, groupLength);
        return verifier.onFiles(chunk, "fill " + id, () -> {
            syncWhole(chunk);
            return chunk.record();
        });
    }

    private StoredChunk fenced(ChunkId id, long fence, long groupLength) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        requireFenced(chunk, fence, groupLength);
        return chunk;
    }

    private static void requireFenced(StoredChunk chunk, long fence, long groupLength) throws EcfsException {
        if (chunk.state() != ChunkState.BEING_WRITTEN || !chunk.validHeader().fenced()) {
            throw notFilled(chunk, groupLength, "it is " + chunk.record() + ", its writer not shut out");
        }
        if (chunk.validHeader().fence() > fence) {
            throw new EcfsException(
                    ErrorCode.FENCED,
                    chunk.chunk() + " is not filled up to a group of " + groupLength + ": fence " + fence
                            + " was followed by " + chunk.validHeader().fence());
        }
    }

    private static EcfsException notFilled(StoredChunk chunk, long groupLength, String why) {
        return new EcfsException(
                ErrorCode.INVALID_ARGUMENT,
                chunk.chunk() + " cannot be filled up to a group of " + groupLength + ": " + why);
    }

    /** Deletes the log of a chunk that is published or gone. */
    void drop(ChunkId id) throws IOException {
        interrupted.remove(id);
        TailLog log = logs.remove(id);
        if (leftAlone.remove(id) || (log != null && log.there())) {
            storage.delete(id);
        }
    }

    private TailLog logOf(StoredChunk chunk) {
        return logs.computeIfAbsent(
                chunk.chunk(), id -> new TailLog(id, chunk.validHeader().policy()));
    }

    private StoredChunk writable(ChunkId id, long writer) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        chunk.requireWritableBy(writer, uuid);
        return chunk;
    }
}
