package io.ecfs.datanode.store;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the file of a tail log, {@code writing/<fan>/<chunk>.tail}. */
final class TailStorage {
    private static final Logger LOG = LoggerFactory.getLogger(TailStorage.class);

    /** Bytes read at a time when a log is searched behind damage. */
    private static final int SEARCH_BYTES = 64 << 10;

    private static final int SECTOR_BYTES = 4096;

    private final VolumeIo io;
    private final UUID volume;
    private final VolumeHealth health;
    private final BufferPool records = new BufferPool("tail records", Long.MAX_VALUE);

    /** @param health counts records that cannot be read any more */
    TailStorage(VolumeIo io, UUID volume, VolumeHealth health) {
        this.io = io;
        this.volume = volume;
        this.health = health;
    }

    String describe() {
        return io.describe();
    }

    /** Appends head and payload in one write. On failure the file is truncated to its previous length. */
    void append(TailLog log, TailRecord record, ByteBuf payload) throws IOException {
        String file = file(log.chunk());
        if (!log.there()) {
            io.create(file);
            log.made();
        }
        int stored = record.storedBytes(log.policy(), log.chunk().index());
        ByteBuf whole = records.allocate(TailRecordFormat.HEAD_BYTES + payload.readableBytes());
        try {
            whole.writeBytes(TailRecordFormat.head(log.chunk(), record, stored, volume));
            whole.writeBytes(payload, payload.readerIndex(), payload.readableBytes());
            io.write(file, log.end(), whole.nioBuffer());
        } catch (VolumeFullException e) {
            io.truncate(file, log.end());
            throw e;
        } finally {
            whole.release();
        }
        log.add(record);
    }

    void cut(TailLog log) throws IOException {
        io.truncate(file(log.chunk()), 0);
        log.cut();
    }

    void sync(TailLog log) throws IOException {
        io.sync(file(log.chunk()));
    }

    void delete(ChunkId chunk) throws IOException {
        String file = file(chunk);
        if (io.length(file).isPresent()) {
            io.delete(file);
        }
    }

    /**
     * Loads the records of a file, also those behind bytes that are no record: each record is valid on its own. The
     * file stays as it is, since a torn end cannot be distinguished from a rotten one; a log with anything but records
     * is {@link TailLog#damaged}.
     */
    void load(TailLog log) throws IOException {
        OptionalLong length = io.length(file(log.chunk()));
        if (length.isEmpty()) {
            return;
        }
        log.made();
        long fileEnd = length.getAsLong();
        for (long at = 0; at >= 0; at = nextHead(log, at, fileEnd)) {
            Optional<TailRecord> record = recordAt(log, at, fileEnd);
            while (record.isPresent()) {
                if (at > log.end()) {
                    log.damage();
                }
                log.add(record.get(), at);
                at = log.end();
                record = recordAt(log, at, fileEnd);
            }
        }
        if (log.damaged() || log.end() < fileEnd) {
            LOG.warn(
                    "event=tail_log_damaged volume={} chunk={} bytes={} end={} inTheMiddle={} note=left_alone",
                    io.describe(),
                    log.chunk(),
                    fileEnd,
                    log.end(),
                    log.damaged());
            log.damage();
        }
    }

    /** Position of the next head of a record of this chunk behind {@code at}; -1: none. */
    private long nextHead(TailLog log, long at, long fileEnd) throws IOException {
        if (log.full()) {
            return -1;
        }
        long head = -1;
        for (long from = at + 1; head < 0 && from + TailRecordFormat.HEAD_BYTES <= fileEnd; ) {
            long to = (from / SEARCH_BYTES + 1) * SEARCH_BYTES;
            head = headIn(log.chunk(), from, to);
            from = to;
        }
        return head;
    }

    /**
     * Position in [from, to) of the next readable head of a record; -1: none. After a failed read it searches sector by
     * sector.
     */
    private long headIn(ChunkId chunk, long from, long to) throws IOException {
        ByteBuffer some = ByteBuffer.allocate((int) (to - from) + TailRecordFormat.HEAD_BYTES - 1);
        if (readable(chunk, from, some) > 0) {
            return firstHead(chunk, from, some.flip());
        }
        long head = -1;
        for (long at = from; head < 0 && at < to; ) {
            long sectorEnd = (at / SECTOR_BYTES + 1) * SECTOR_BYTES;
            int own = (int) (sectorEnd - at);
            // A head may reach into the next sector, unless that is the bad one.
            if (readable(chunk, at, some.clear().limit(own + TailRecordFormat.HEAD_BYTES - 1)) == 0) {
                readable(chunk, at, some.clear().limit(own));
            }
            head = firstHead(chunk, at, some.flip());
            at = sectorEnd;
        }
        return head;
    }

    private long firstHead(ChunkId chunk, long from, ByteBuffer some) {
        for (int i = 0; i + TailRecordFormat.HEAD_BYTES <= some.limit(); i++) {
            if (TailRecordFormat.parse(some.slice(i, TailRecordFormat.HEAD_BYTES), chunk, volume)
                    .isPresent()) {
                return from + i;
            }
        }
        return -1;
    }

    private Optional<TailRecord> recordAt(TailLog log, long at, long fileEnd) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(TailRecordFormat.HEAD_BYTES);
        if (log.full() || readable(log.chunk(), at, bytes) < TailRecordFormat.HEAD_BYTES) {
            return Optional.empty();
        }
        Optional<TailRecordFormat.Head> head = TailRecordFormat.parse(bytes.flip(), log.chunk(), volume);
        if (head.isEmpty()) {
            return Optional.empty();
        }
        TailRecord record = head.get().record();
        boolean may = record.fits(log.policy())
                && record.sequence() > log.lastSequence()
                && head.get().storedBytes()
                        == record.storedBytes(log.policy(), log.chunk().index())
                && TailRecordFormat.fileBytes(head.get().storedBytes()) <= fileEnd - at;
        if (!may) {
            return Optional.empty();
        }
        ByteBuf payload = records.allocate(ChunkPayload.payloadBytes(head.get().storedBytes()));
        try {
            return readPayload(log.chunk(), at, head.get().storedBytes(), payload)
                    ? Optional.of(record)
                    : Optional.empty();
        } catch (UnreadableFileException e) {
            return Optional.empty();
        } finally {
            payload.release();
        }
    }

    /**
     * Reads mirrored bytes from {@code from} on, each record's verified, and seals them as one payload.
     *
     * @return number of bytes
     */
    int readRun(TailLog log, List<TailLog.Entry> run, long from, int most, ByteBuf into) throws IOException {
        long last = run.get(run.size() - 1).record().end();
        int bytes = (int) Math.min(most, last - from);
        int begin = into.writerIndex();
        into.writeZero(ChunkPayload.checksumBytes(bytes));
        long position = from;
        for (TailLog.Entry entry : run) {
            TailRecord record = entry.record();
            if (position == from + bytes) {
                break;
            }
            ByteBuf payload = records.allocate(ChunkPayload.payloadBytes(record.length()));
            try {
                requireSound(log, entry, record.length(), payload);
                int skip = (int) (position - record.offset());
                int take = (int) Math.min(record.length() - skip, from + bytes - position);
                into.writeBytes(ChunkPayload.data(payload, record.length()), skip, take);
                position += take;
            } finally {
                payload.release();
            }
        }
        ChunkPayload.seal(into.slice(begin, into.writerIndex() - begin), bytes);
        return bytes;
    }

    /** Reads the payload of one record as it was written. */
    void readOne(TailLog log, TailLog.Entry entry, ByteBuf into) throws IOException {
        requireSound(
                log, entry, entry.record().storedBytes(log.policy(), log.chunk().index()), into);
    }

    /**
     * Checks a record. One that cannot be read, or does not match, is lost alone: the chunk's cells and its other
     * records stay.
     */
    private void requireSound(TailLog log, TailLog.Entry entry, int stored, ByteBuf into) throws IOException {
        ChunkId chunk = log.chunk();
        if (!soundPayload(chunk, entry.at(), stored, into)) {
            log.forget(entry);
            LOG.error("event=tail_record_damaged volume={} chunk={} record={}", io.describe(), chunk, entry.record());
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    entry.record() + " in the tail log of " + chunk
                            + " cannot be read, or does not match its checksums; read another chunk's log");
        }
    }

    private boolean soundPayload(ChunkId chunk, long at, int stored, ByteBuf into) throws IOException {
        try {
            return readPayload(chunk, at, stored, into);
        } catch (UnreadableFileException e) {
            health.unreadable(e);
            return false;
        }
    }

    /** Bytes read; 0 when a sector cannot be read, which counts as damage. */
    private int readable(ChunkId chunk, long at, ByteBuffer into) throws IOException {
        try {
            return io.read(file(chunk), at, into);
        } catch (UnreadableFileException e) {
            return 0;
        }
    }

    private boolean readPayload(ChunkId chunk, long at, int stored, ByteBuf into) throws IOException {
        int bytes = ChunkPayload.payloadBytes(stored);
        int begin = into.writerIndex();
        ByteBuffer memory = into.nioBuffer(begin, bytes);
        if (io.read(file(chunk), at + TailRecordFormat.HEAD_BYTES, memory) < bytes) {
            return false;
        }
        into.writerIndex(begin + bytes);
        return ChunkPayload.firstMismatch(into.slice(begin, bytes), stored).isEmpty();
    }

    private static String file(ChunkId chunk) {
        return new ChunkFiles(ChunkFiles.Place.WRITING, chunk).tail();
    }
}
