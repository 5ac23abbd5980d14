package io.ecfs.client;

import io.ecfs.buffer.BufferPool;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The datanode's side of the chunk messages over plain arrays. Used by one thread. */
public final class MemoryDatanode {
    public static final class Chunk {
        final long writer;
        byte[] bytes = new byte[0];
        public final ByteArrayOutputStream growing = new ByteArrayOutputStream();
        ChunkState state = ChunkState.BEING_WRITTEN;
        long groupLength = -1;
        public boolean synced;
        boolean tail;
        Policy policy;
        final List<TailRecord> records = new ArrayList<>();
        final List<byte[]> kept = new ArrayList<>();

        Chunk(long writer) {
            this.writer = writer;
        }

        public byte[] bytes() {
            return state == ChunkState.BEING_WRITTEN ? growing.toByteArray() : bytes;
        }
    }

    /** In one tail log; fewer than a real datanode takes, so that tests come to it sooner. */
    private static final int MOST_RECORDS = 13_000;

    public final Map<ChunkId, Chunk> chunks = new TreeMap<>();
    /** Whether its only volume writes, in the turn of its ring. */
    public boolean writing;

    private final BufferPool answers;

    public MemoryDatanode(BufferPool answers) {
        this.answers = answers;
    }

    public Envelope answer(ChunkRequest request, ByteBuf payload) throws EcfsException {
        if (request instanceof ChunkRequest.OpenChunk open) {
            return Envelope.of(open(open));
        } else if (request instanceof ChunkRequest.WriteCells write) {
            return Envelope.of(write(write, payload));
        } else if (request instanceof ChunkRequest.PutChunk put) {
            return Envelope.of(put(put, payload));
        } else if (request instanceof ChunkRequest.FinishChunk finish) {
            return Envelope.of(finish(finish));
        } else if (request instanceof ChunkRequest.AbortChunk abort) {
            Chunk chunk = chunks.get(abort.chunk());
            if (chunk != null && chunk.state == ChunkState.BEING_WRITTEN && chunk.writer == abort.writer()) {
                chunks.remove(abort.chunk());
            }
            return Envelope.of(new ChunkReply.Aborted(abort.chunk()));
        } else if (request instanceof ChunkRequest.ReadChunk read) {
            return read(read);
        } else if (request instanceof ChunkRequest.ReadChecksums read) {
            return checksums(read);
        } else if (request instanceof ChunkRequest.WriteTail write) {
            return Envelope.of(writeTail(write, payload));
        } else if (request instanceof ChunkRequest.SyncChunk sync) {
            Chunk chunk = writable(sync.chunk(), sync.writer());
            requireAll(sync.chunk(), chunk, sync.sent());
            chunk.synced = true;
            return Envelope.of(new ChunkReply.Synced(sync.chunk()));
        } else if (request instanceof ChunkRequest.CheckChunk check) {
            requireAll(check.chunk(), writable(check.chunk(), check.writer()), check.sent());
            return Envelope.of(new ChunkReply.Checked(check.chunk()));
        } else if (request instanceof ChunkRequest.ProbeTail probe) {
            return Envelope.of(probeTail(probe));
        } else if (request instanceof ChunkRequest.ReadTail read) {
            return readTail(read);
        }
        ChunkRequest.ProbeChunk probe = (ChunkRequest.ProbeChunk) request;
        Chunk chunk = existing(probe.chunk());
        long length = chunk.bytes().length;
        return Envelope.of(new ChunkReply.Probed(
                new ChunkRecord(probe.chunk(), chunk.state, length, length, chunk.groupLength, Stamp.NONE), "/memory"));
    }

    private ChunkReply open(ChunkRequest.OpenChunk open) throws EcfsException {
        check(open.token().right() == BlockToken.Right.WRITE, ErrorCode.TOKEN_REFUSED, "no right to write");
        check(!chunks.containsKey(open.chunk()), ErrorCode.ALREADY_EXISTS, open.chunk() + " exists");
        Chunk chunk = new Chunk(open.writer());
        chunk.policy = open.policy();
        chunks.put(open.chunk(), chunk);
        return new ChunkReply.Opened(open.chunk());
    }

    private Chunk writable(ChunkId id, long writer) throws EcfsException {
        Chunk chunk = existing(id);
        check(chunk.writer == writer, ErrorCode.FENCED, id + " has another writer");
        return chunk;
    }

    private static void requireAll(ChunkId id, Chunk chunk, SentBefore sent) throws EcfsException {
        long last = chunk.records.isEmpty()
                ? -1
                : chunk.records.get(chunk.records.size() - 1).sequence();
        SentBefore has = new SentBefore(chunk.growing.size(), last);
        check(sent.equals(has), ErrorCode.CHUNK_INCOMPLETE, id + " has " + has + ", not " + sent);
    }

    private ChunkReply writeTail(ChunkRequest.WriteTail write, ByteBuf payload) throws EcfsException {
        Chunk chunk = writable(write.chunk(), write.writer());
        TailRecord record = write.record();
        int stored = record.storedBytes(chunk.policy, write.chunk().index());
        requireAll(write.chunk(), chunk, write.sent());
        check(chunk.state == ChunkState.BEING_WRITTEN && !chunk.tail, ErrorCode.INVALID_ARGUMENT, "closed");
        check(ChunkPayload.fits(payload, stored), ErrorCode.MALFORMED, "size of payload");
        check(
                ChunkPayload.firstMismatch(payload, stored).isEmpty(),
                ErrorCode.CHUNK_CORRUPT,
                "checksum of " + write.chunk());
        if (chunk.records.stream().allMatch(r -> r.end() <= write.settled())) {
            chunk.records.clear();
            chunk.kept.clear();
        }
        check(chunk.records.size() < MOST_RECORDS, ErrorCode.INVALID_ARGUMENT, "its log is full");
        byte[] bytes = new byte[stored];
        ChunkPayload.data(payload, stored).getBytes(0, bytes);
        chunk.records.add(record);
        chunk.kept.add(bytes);
        chunk.synced = write.sync();
        return new ChunkReply.TailWritten(write.chunk());
    }

    private ChunkReply probeTail(ChunkRequest.ProbeTail probe) throws EcfsException {
        Chunk chunk = existing(probe.chunk());
        long length = chunk.bytes().length;
        long full = chunk.tail ? length / chunk.policy.cellBytes() * chunk.policy.cellBytes() : length;
        return new ChunkReply.TailProbed(
                new ChunkRecord(probe.chunk(), chunk.state, length, full, chunk.groupLength, Stamp.NONE),
                new TailCoverage(ranges(chunk, TailForm.MIRRORED), ranges(chunk, TailForm.CODED)),
                false);
    }

    /** Not joined: nobody may depend on that for single records. */
    private static List<TailCoverage.Range> ranges(Chunk chunk, TailForm form) {
        return chunk.records.stream()
                .filter(r -> r.form() == form)
                .map(r -> new TailCoverage.Range(r.offset(), r.end()))
                .toList();
    }

    private Envelope readTail(ChunkRequest.ReadTail read) throws EcfsException {
        Chunk chunk = existing(read.chunk());
        for (int i = 0; i < chunk.records.size(); i++) {
            TailRecord record = chunk.records.get(i);
            if (record.offset() <= read.from() && read.from() < record.end()) {
                boolean mirrored = record.form() == TailForm.MIRRORED;
                int skip = mirrored ? (int) (read.from() - record.offset()) : 0;
                int bytes = Math.min(read.most(), chunk.kept.get(i).length - skip);
                ByteBuf payload = answers.allocate(ChunkPayload.payloadBytes(bytes));
                payload.writeZero(ChunkPayload.checksumBytes(bytes)).writeBytes(chunk.kept.get(i), skip, bytes);
                ChunkPayload.seal(payload, bytes);
                return new Envelope(
                        mirrored
                                ? new ChunkReply.TailBytes(read.chunk(), record.form(), read.from(), bytes, bytes)
                                : new ChunkReply.TailBytes(
                                        read.chunk(), record.form(), record.offset(), record.length(), bytes),
                        payload);
            }
        }
        return Envelope.of(new ChunkReply.TailBytes(read.chunk(), TailForm.MIRRORED, read.from(), 0, 0));
    }

    private ChunkReply write(ChunkRequest.WriteCells write, ByteBuf payload) throws EcfsException {
        Chunk chunk = existing(write.chunk());
        check(chunk.writer == write.writer(), ErrorCode.FENCED, write.chunk() + " has another writer");
        check(chunk.state == ChunkState.BEING_WRITTEN && !chunk.tail, ErrorCode.INVALID_ARGUMENT, "closed");
        check(write.offset() == chunk.growing.size(), ErrorCode.INVALID_ARGUMENT, "gap at " + write.offset());
        check(ChunkPayload.fits(payload, write.bytes()), ErrorCode.MALFORMED, "size of payload");
        check(
                ChunkPayload.firstMismatch(payload, write.bytes()).isEmpty(),
                ErrorCode.CHUNK_CORRUPT,
                "checksum of " + write.chunk());
        byte[] bytes = new byte[write.bytes()];
        ChunkPayload.data(payload, write.bytes()).getBytes(0, bytes);
        chunk.growing.writeBytes(bytes);
        chunk.tail = write.tail();
        chunk.synced = false;
        chunk.groupLength = write.tail() ? write.tailOf() : -1;
        return new ChunkReply.Written(write.chunk(), chunk.growing.size());
    }

    private ChunkReply put(ChunkRequest.PutChunk put, ByteBuf payload) throws EcfsException {
        ChunkId id = put.chunk();
        open(new ChunkRequest.OpenChunk(id, put.volume(), put.policy(), put.writer(), put.token()));
        write(new ChunkRequest.WriteCells(id, put.writer(), 0, put.bytes(), put.groupLength()), payload);
        return finish(new ChunkRequest.FinishChunk(id, put.writer(), put.bytes(), put.groupLength(), put.sync()));
    }

    private ChunkReply finish(ChunkRequest.FinishChunk finish) throws EcfsException {
        Chunk chunk = existing(finish.chunk());
        check(chunk.writer == finish.writer(), ErrorCode.FENCED, finish.chunk() + " has another writer");
        check(
                finish.chunkBytes() == chunk.bytes().length,
                ErrorCode.INVALID_ARGUMENT,
                finish.chunk() + " has " + chunk.bytes().length + " bytes, not " + finish.chunkBytes());
        chunk.bytes = chunk.bytes();
        chunk.state = ChunkState.FINALISED;
        chunk.records.clear();
        chunk.kept.clear();
        chunk.groupLength = finish.groupLength();
        chunk.synced |= finish.sync();
        return new ChunkReply.Finished(finish.chunk());
    }

    private Envelope read(ChunkRequest.ReadChunk read) throws EcfsException {
        Chunk chunk = existing(read.chunk());
        byte[] bytes = chunk.bytes();
        long end = read.offset() + read.bytes();
        check(end <= bytes.length, ErrorCode.INVALID_ARGUMENT, "read behind the end of " + read.chunk());
        int window = ChunkPayload.WINDOW_BYTES;
        int from = (int) (read.offset() / window * window);
        int to = (int) Math.min(bytes.length, (end + window - 1) / window * window);
        ByteBuf payload = answers.allocate(ChunkPayload.payloadBytes(to - from));
        payload.writeZero(ChunkPayload.checksumBytes(to - from)).writeBytes(bytes, from, to - from);
        ChunkPayload.seal(payload, to - from);
        return new Envelope(new ChunkReply.Data(read.chunk(), from, to - from, writing), payload);
    }

    private Envelope checksums(ChunkRequest.ReadChecksums read) throws EcfsException {
        Envelope whole = read(
                new ChunkRequest.ReadChunk(read.chunk(), read.volume(), read.offset(), read.bytes(), read.token()));
        ChunkReply.Data data = whole.expect(ChunkReply.Data.class);
        int bytes = ChunkPayload.checksumBytes(data.bytes());
        return new Envelope(
                new ChunkReply.Checksums(read.chunk(), data.offset(), data.bytes()),
                whole.payload().writerIndex(whole.payload().readerIndex() + bytes));
    }

    private Chunk existing(ChunkId id) throws EcfsException {
        check(chunks.containsKey(id), ErrorCode.CHUNK_MISSING, "no chunk " + id);
        return chunks.get(id);
    }

    private static void check(boolean holds, ErrorCode code, String message) throws EcfsException {
        if (!holds) {
            throw new EcfsException(code, message);
        }
    }
}
