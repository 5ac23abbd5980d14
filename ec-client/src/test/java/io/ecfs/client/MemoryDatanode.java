package io.ecfs.client;

import io.ecfs.buffer.BufferPool;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkReply;
import io.ecfs.message.ChunkRequest;
import io.ecfs.message.ChunkState;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Parcel;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;

/** The datanode's side of the chunk messages over plain arrays. Used by one thread. */
final class MemoryDatanode {
    static final class Chunk {
        final long writer;
        byte[] bytes = new byte[0];
        final ByteArrayOutputStream growing = new ByteArrayOutputStream();
        ChunkState state = ChunkState.BEING_WRITTEN;
        long groupLength = -1;
        boolean synced;
        boolean tail;

        Chunk(long writer) {
            this.writer = writer;
        }

        byte[] bytes() {
            return state == ChunkState.BEING_WRITTEN ? growing.toByteArray() : bytes;
        }
    }

    final Map<ChunkId, Chunk> chunks = new TreeMap<>();
    private final BufferPool answers;

    MemoryDatanode(BufferPool answers) {
        this.answers = answers;
    }

    Parcel answer(ChunkRequest request, ByteBuf payload) throws EcfsException {
        if (request instanceof ChunkRequest.OpenChunk open) {
            return Parcel.of(open(open));
        } else if (request instanceof ChunkRequest.WriteCells write) {
            return Parcel.of(write(write, payload));
        } else if (request instanceof ChunkRequest.PutChunk put) {
            return Parcel.of(put(put, payload));
        } else if (request instanceof ChunkRequest.FinishChunk finish) {
            return Parcel.of(finish(finish));
        } else if (request instanceof ChunkRequest.AbortChunk abort) {
            Chunk chunk = chunks.get(abort.chunk());
            if (chunk != null && chunk.state == ChunkState.BEING_WRITTEN && chunk.writer == abort.writer()) {
                chunks.remove(abort.chunk());
            }
            return Parcel.of(new ChunkReply.Aborted(abort.chunk()));
        } else if (request instanceof ChunkRequest.ReadChunk read) {
            return read(read);
        }
        ChunkRequest.ProbeChunk probe = (ChunkRequest.ProbeChunk) request;
        Chunk chunk = existing(probe.chunk());
        long length = chunk.bytes().length;
        return Parcel.of(new ChunkReply.Probed(
                new ChunkRecord(probe.chunk(), chunk.state, length, length, chunk.groupLength), "/memory"));
    }

    private ChunkReply open(ChunkRequest.OpenChunk open) throws EcfsException {
        check(open.token().right() == BlockToken.Right.WRITE, ErrorCode.TOKEN_REFUSED, "no right to write");
        check(!chunks.containsKey(open.chunk()), ErrorCode.ALREADY_EXISTS, open.chunk() + " exists");
        chunks.put(open.chunk(), new Chunk(open.writer()));
        return new ChunkReply.Opened(open.chunk());
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
        return new ChunkReply.Written(write.chunk(), chunk.growing.size());
    }

    private ChunkReply put(ChunkRequest.PutChunk put, ByteBuf payload) throws EcfsException {
        ChunkId id = put.chunk();
        open(new ChunkRequest.OpenChunk(id, put.volume(), put.policy(), put.writer(), put.token()));
        write(new ChunkRequest.WriteCells(id, put.writer(), 0, put.bytes(), true), payload);
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
        chunk.groupLength = finish.groupLength();
        chunk.synced |= finish.sync();
        return new ChunkReply.Finished(finish.chunk());
    }

    private Parcel read(ChunkRequest.ReadChunk read) throws EcfsException {
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
        return new Parcel(new ChunkReply.Data(read.chunk(), from, to - from), payload);
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
