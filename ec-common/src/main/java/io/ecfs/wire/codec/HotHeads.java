package io.ecfs.wire.codec;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.token.TokenForm;
import io.netty.buffer.ByteBuf;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fixed binary heads of the messages that carry or fetch chunk bytes; big endian, every field at its own place.
 *
 * <pre>
 *   chunk      = u64 group | u32 index | u32 generation
 *   token      = see TokenForm
 *   WriteCells = chunk | u64 writer | u64 offset | u32 bytes | u8 tail (0, 1) | u64 group length, when 1 | token of version 2, or nothing
 *   PutChunk   = chunk | u32 volume | u64 writer | u32 bytes | u64 group length | u8 sync (0, 1) | token
 *                | u8 bytes of the policy's name | name, ASCII
 *   WriteTail  = chunk | u64 writer | u64 sequence | u64 group offset | u32 length | u8 form (0 mirrored, 1 coded) | u64 settled
 *                | u8 sync (0, 1) | u64 chunk bytes | i64 last record | token of version 2, or nothing
 *   ReadChunk  = chunk | u32 volume | u64 offset | u32 bytes, top bit: spare | token
 *   ChunkReads = u16 number of them | ReadChunk of each
 *   CancelCalls = u16 number of them | u64 of each call
 *   Written    = chunk | u64 length
 *   Finished   = chunk
 *   Data       = chunk | u64 offset | u32 bytes
 *   TailWritten = chunk
 * </pre>
 */
final class HotHeads {
    private static final int SPARE = 1 << 31;

    private HotHeads() {}

    /** Whether messages of this kind have a fixed head here. */
    static boolean covers(Class<? extends Message> kind) {
        return kind == ChunkRequest.WriteCells.class
                || kind == ChunkRequest.PutChunk.class
                || kind == ChunkRequest.ReadChunk.class
                || kind == ChunkReads.class
                || kind == CancelCalls.class
                || kind == ChunkRequest.WriteTail.class
                || kind == ChunkReply.TailWritten.class
                || kind == ChunkReply.Written.class
                || kind == ChunkReply.Finished.class
                || kind == ChunkReply.Data.class;
    }

    static void encode(Message message, ByteBuf out) {
        if (message instanceof ChunkRequest.WriteCells write) {
            chunk(write.chunk(), out);
            out.writeLong(write.writer()).writeLong(write.offset()).writeInt(write.bytes());
            out.writeByte(write.tail() ? 1 : 0);
            if (write.tail()) {
                out.writeLong(write.tailOf());
            }
            write.token().ifPresent(token -> token(token, out));
        } else if (message instanceof ChunkRequest.PutChunk put) {
            chunk(put.chunk(), out);
            out.writeInt(put.volume().value()).writeLong(put.writer()).writeInt(put.bytes());
            out.writeLong(put.groupLength()).writeByte(put.sync() ? 1 : 0);
            token(put.token(), out);
            String policy = put.policy().name();
            out.writeByte(policy.length());
            out.writeCharSequence(policy, StandardCharsets.US_ASCII);
        } else if (message instanceof ChunkRequest.WriteTail write) {
            chunk(write.chunk(), out);
            TailRecord record = write.record();
            out.writeLong(write.writer()).writeLong(record.sequence()).writeLong(record.offset());
            out.writeInt(record.length()).writeByte(record.form() == TailForm.CODED ? 1 : 0);
            out.writeLong(write.settled());
            out.writeByte(write.sync() ? 1 : 0);
            out.writeLong(write.sent().chunkBytes()).writeLong(write.sent().lastRecord());
            write.token().ifPresent(token -> token(token, out));
        } else if (message instanceof ChunkReply.TailWritten written) {
            chunk(written.chunk(), out);
        } else if (message instanceof ChunkRequest.ReadChunk read) {
            read(read, out);
        } else if (message instanceof ChunkReads several) {
            out.writeShort(several.reads().size());
            several.reads().forEach(read -> read(read, out));
        } else if (message instanceof CancelCalls off) {
            out.writeShort(off.calls().size());
            off.calls().forEach(out::writeLong);
        } else if (message instanceof ChunkReply.Written written) {
            chunk(written.chunk(), out);
            out.writeLong(written.length());
        } else if (message instanceof ChunkReply.Finished finished) {
            chunk(finished.chunk(), out);
        } else if (message instanceof ChunkReply.Data data) {
            chunk(data.chunk(), out);
            out.writeLong(data.offset()).writeInt(data.bytes());
        } else {
            throw new IllegalArgumentException(message.getClass().getName() + " has no fixed head");
        }
    }

    /** @throws IllegalArgumentException or IndexOutOfBoundsException when the bytes are no such head */
    static Message decode(Class<? extends Message> kind, ByteBuf in) {
        Message message;
        if (kind == ChunkReads.class) {
            message = reads(in);
        } else if (kind == CancelCalls.class) {
            message = callOff(in);
        } else {
            message = decode(kind, chunk(in), in);
        }
        if (in.isReadable()) {
            throw new IllegalArgumentException(in.readableBytes() + " bytes too many");
        }
        return message;
    }

    private static Message decode(Class<? extends Message> kind, ChunkId chunk, ByteBuf in) {
        Message message;
        if (kind == ChunkRequest.WriteCells.class) {
            message = new ChunkRequest.WriteCells(
                    chunk, in.readLong(), in.readLong(), in.readInt(), flag(in) ? in.readLong() : 0, tokenOfWriter(in));
        } else if (kind == ChunkRequest.PutChunk.class) {
            message = put(chunk, in);
        } else if (kind == ChunkRequest.WriteTail.class) {
            long writer = in.readLong();
            TailRecord record = new TailRecord(
                    in.readLong(), in.readLong(), in.readInt(), flag(in) ? TailForm.CODED : TailForm.MIRRORED);
            message = writeTail(chunk, writer, record, in);
        } else if (kind == ChunkReply.TailWritten.class) {
            message = new ChunkReply.TailWritten(chunk);
        } else if (kind == ChunkRequest.ReadChunk.class) {
            message = read(chunk, in);
        } else if (kind == ChunkReply.Written.class) {
            message = new ChunkReply.Written(chunk, in.readLong());
        } else if (kind == ChunkReply.Finished.class) {
            message = new ChunkReply.Finished(chunk);
        } else {
            message = new ChunkReply.Data(chunk, in.readLong(), in.readInt());
        }
        return message;
    }

    private static ChunkRequest.WriteTail writeTail(ChunkId chunk, long writer, TailRecord record, ByteBuf in) {
        long settled = in.readLong();
        boolean sync = flag(in);
        SentBefore sent = new SentBefore(in.readLong(), in.readLong());
        return new ChunkRequest.WriteTail(chunk, writer, record, settled, sync, sent, tokenOfWriter(in));
    }

    private static Optional<BlockToken> tokenOfWriter(ByteBuf in) {
        return in.isReadable() ? Optional.of(token(in)) : Optional.empty();
    }

    private static void read(ChunkRequest.ReadChunk read, ByteBuf out) {
        chunk(read.chunk(), out);
        out.writeInt(read.volume().value()).writeLong(read.offset());
        out.writeInt(read.spare() ? read.bytes() | SPARE : read.bytes());
        token(read.token(), out);
    }

    private static ChunkRequest.ReadChunk read(ChunkId chunk, ByteBuf in) {
        VolumeId volume = new VolumeId(in.readInt());
        long offset = in.readLong();
        int bytes = in.readInt();
        return new ChunkRequest.ReadChunk(chunk, volume, offset, bytes & ~SPARE, token(in), (bytes & SPARE) != 0);
    }

    private static ChunkReads reads(ByteBuf in) {
        int count = in.readUnsignedShort();
        List<ChunkRequest.ReadChunk> reads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            reads.add(read(chunk(in), in));
        }
        return new ChunkReads(reads);
    }

    private static CancelCalls callOff(ByteBuf in) {
        int count = in.readUnsignedShort();
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(in.readLong());
        }
        return new CancelCalls(calls);
    }

    private static ChunkRequest.PutChunk put(ChunkId chunk, ByteBuf in) {
        VolumeId volume = new VolumeId(in.readInt());
        long writer = in.readLong();
        int bytes = in.readInt();
        long groupLength = in.readLong();
        boolean sync = flag(in);
        BlockToken token = token(in);
        CharSequence policy = in.readCharSequence(in.readUnsignedByte(), StandardCharsets.US_ASCII);
        return new ChunkRequest.PutChunk(
                chunk, volume, Policy.parse(policy.toString()), writer, bytes, groupLength, sync, token);
    }

    static void chunk(ChunkId chunk, ByteBuf out) {
        out.writeLong(chunk.group().value()).writeInt(chunk.index()).writeInt(chunk.generation());
    }

    static ChunkId chunk(ByteBuf in) {
        return new ChunkId(new GroupId(in.readLong()), in.readInt(), in.readInt());
    }

    static void token(BlockToken token, ByteBuf out) {
        out.writeBytes(TokenForm.bytes(token));
    }

    static BlockToken token(ByteBuf in) {
        ByteBuffer bytes = in.nioBuffer(in.readerIndex(), Math.min(in.readableBytes(), TokenForm.MOST_BYTES));
        try {
            return TokenForm.read(bytes);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a block token ends in the middle", e);
        } finally {
            in.skipBytes(bytes.position());
        }
    }

    static boolean flag(ByteBuf in) {
        byte flag = in.readByte();
        if (flag != 0 && flag != 1) {
            throw new IllegalArgumentException("flag byte must be 0 or 1, got " + flag);
        }
        return flag == 1;
    }
}
