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
import io.ecfs.message.chunk.RelayTimes;
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
import java.util.OptionalInt;

/**
 * Fixed binary heads of the messages that carry or fetch chunk bytes; big endian, every field at its own place.
 *
 * <pre>
 *   chunk      = u64 group | u32 index | u32 generation
 *   token      = see TokenForm
 *   WriteCells = chunk | u64 writer | u64 offset | u32 bytes | u8 tail (0, 1) | u64 group length, when 1
 *                | token of version 2, or nothing
 *   RelayCell  = chunk | u64 writer | u64 offset | u32 bytes | u8 tail (0, 1) | u64 group length, when 1
 *                | u8 wanted (0, 1) | token of version 2, or nothing
 *   PutChunk   = chunk | u32 volume | u64 writer | u32 bytes | u64 group length | u8 sync (0, 1) | token
 *                | u8 bytes of the policy's name | name, ASCII
 *   WriteTail  = chunk | u64 writer | u64 sequence | u64 group offset | u32 length | u8 form (0 mirrored, 1 coded)
 *                | u64 settled | u8 sync (0, 1) | u64 chunk bytes | i64 last record | token of version 2, or nothing
 *   ReadChunk  = chunk | u32 volume | u64 offset | u32 bytes, top bit: spare | token
 *   ChunkReads = u16 number of them | ReadChunk of each
 *   CancelCalls = u16 number of them | u64 of each call
 *   Written    = chunk | u64 length | u32 microseconds, or nothing
 *   Finished   = chunk | u32 microseconds, or nothing
 *   Relayed    = chunk | u64 length | u32 managing | u32 encoding | u32 distributing | u32 serving
 *   Data       = chunk | u64 offset | u32 bytes, top bit: the volume writes
 *   TailWritten = chunk
 * </pre>
 */
final class HotHeads {
    private static final int SPARE = 1 << 31;
    private static final int WRITING = 1 << 31;

    private static final FixedHeads<ByteBuf, ByteBuf> HEADS = FixedHeads.<ByteBuf, ByteBuf>builder()
            .head(ChunkRequest.WriteCells.class, HotHeads::write, HotHeads::writeCells)
            .head(ChunkRequest.RelayCell.class, HotHeads::write, HotHeads::relayCell)
            .head(ChunkRequest.PutChunk.class, HotHeads::write, HotHeads::put)
            .head(ChunkRequest.WriteTail.class, HotHeads::write, HotHeads::writeTail)
            .head(ChunkRequest.ReadChunk.class, HotHeads::write, HotHeads::read)
            .head(ChunkReads.class, HotHeads::write, HotHeads::reads)
            .head(CancelCalls.class, HotHeads::write, HotHeads::cancelCalls)
            .head(
                    ChunkReply.Written.class,
                    HotHeads::write,
                    in -> new ChunkReply.Written(chunk(in), in.readLong(), handled(in)))
            .head(ChunkReply.Finished.class, HotHeads::write, in -> new ChunkReply.Finished(chunk(in), handled(in)))
            .head(ChunkReply.Relayed.class, HotHeads::write, HotHeads::relayed)
            .head(ChunkReply.Data.class, HotHeads::write, HotHeads::data)
            .head(
                    ChunkReply.TailWritten.class,
                    (written, out) -> chunk(written.chunk(), out),
                    in -> new ChunkReply.TailWritten(chunk(in)))
            .build();

    private HotHeads() {}

    /** Returns whether messages of this kind have a fixed head here. */
    static boolean covers(Class<? extends Message> kind) {
        return HEADS.covers(kind);
    }

    static void encode(Message message, ByteBuf out) {
        HEADS.encode(message, out);
    }

    /** @throws IllegalArgumentException or IndexOutOfBoundsException when the bytes are no such head */
    static Message decode(Class<? extends Message> kind, ByteBuf in) {
        Message message = HEADS.decode(kind, in);
        if (in.isReadable()) {
            throw new IllegalArgumentException(in.readableBytes() + " bytes too many");
        }
        return message;
    }

    private static void write(ChunkRequest.WriteCells write, ByteBuf out) {
        chunk(write.chunk(), out);
        out.writeLong(write.writer()).writeLong(write.offset()).writeInt(write.bytes());
        groupLength(write.tailOf(), out);
        write.token().ifPresent(token -> token(token, out));
    }

    private static ChunkRequest.WriteCells writeCells(ByteBuf in) {
        ChunkId chunk = chunk(in);
        return new ChunkRequest.WriteCells(
                chunk, in.readLong(), in.readLong(), in.readInt(), groupLength(in), tokenOfWriter(in));
    }

    private static void write(ChunkRequest.PutChunk put, ByteBuf out) {
        chunk(put.chunk(), out);
        out.writeInt(put.volume().value()).writeLong(put.writer()).writeInt(put.bytes());
        out.writeLong(put.groupLength()).writeByte(put.sync() ? 1 : 0);
        token(put.token(), out);
        String policy = put.policy().name();
        out.writeByte(policy.length());
        out.writeCharSequence(policy, StandardCharsets.US_ASCII);
    }

    private static void write(ChunkRequest.WriteTail write, ByteBuf out) {
        chunk(write.chunk(), out);
        TailRecord record = write.record();
        out.writeLong(write.writer()).writeLong(record.sequence()).writeLong(record.offset());
        out.writeInt(record.length()).writeByte(record.form() == TailForm.CODED ? 1 : 0);
        out.writeLong(write.settled());
        out.writeByte(write.sync() ? 1 : 0);
        out.writeLong(write.sent().chunkBytes()).writeLong(write.sent().lastRecord());
        write.token().ifPresent(token -> token(token, out));
    }

    private static void write(ChunkReads several, ByteBuf out) {
        out.writeShort(several.reads().size());
        several.reads().forEach(read -> write(read, out));
    }

    private static void write(CancelCalls cancelled, ByteBuf out) {
        out.writeShort(cancelled.calls().size());
        cancelled.calls().forEach(out::writeLong);
    }

    private static void write(ChunkReply.Written written, ByteBuf out) {
        chunk(written.chunk(), out);
        out.writeLong(written.length());
        written.handled().ifPresent(out::writeInt);
    }

    private static void write(ChunkReply.Finished finished, ByteBuf out) {
        chunk(finished.chunk(), out);
        finished.handled().ifPresent(out::writeInt);
    }

    private static OptionalInt handled(ByteBuf in) {
        return in.isReadable() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
    }

    private static void write(ChunkReply.Relayed relayed, ByteBuf out) {
        chunk(relayed.chunk(), out);
        RelayTimes times = relayed.times();
        out.writeLong(relayed.length()).writeInt(times.managing()).writeInt(times.encoding());
        out.writeInt(times.distributing()).writeInt(times.serving());
    }

    private static ChunkReply.Relayed relayed(ByteBuf in) {
        return new ChunkReply.Relayed(
                chunk(in), in.readLong(), new RelayTimes(in.readInt(), in.readInt(), in.readInt(), in.readInt()));
    }

    private static void write(ChunkRequest.RelayCell cell, ByteBuf out) {
        chunk(cell.chunk(), out);
        out.writeLong(cell.writer()).writeLong(cell.offset()).writeInt(cell.bytes());
        groupLength(cell.tailOf(), out);
        out.writeByte(cell.wanted() ? 1 : 0);
        cell.token().ifPresent(token -> token(token, out));
    }

    private static ChunkRequest.RelayCell relayCell(ByteBuf in) {
        return new ChunkRequest.RelayCell(
                chunk(in), in.readLong(), in.readLong(), in.readInt(), groupLength(in), flag(in), tokenOfWriter(in));
    }

    private static void groupLength(long tailOf, ByteBuf out) {
        out.writeByte(tailOf > 0 ? 1 : 0);
        if (tailOf > 0) {
            out.writeLong(tailOf);
        }
    }

    private static long groupLength(ByteBuf in) {
        return flag(in) ? in.readLong() : 0;
    }

    private static void write(ChunkReply.Data data, ByteBuf out) {
        chunk(data.chunk(), out);
        out.writeLong(data.offset()).writeInt(data.writing() ? data.bytes() | WRITING : data.bytes());
    }

    private static ChunkReply.Data data(ByteBuf in) {
        ChunkId chunk = chunk(in);
        long offset = in.readLong();
        int bytes = in.readInt();
        return new ChunkReply.Data(chunk, offset, bytes & ~WRITING, (bytes & WRITING) != 0);
    }

    private static ChunkRequest.WriteTail writeTail(ByteBuf in) {
        ChunkId chunk = chunk(in);
        long writer = in.readLong();
        TailRecord record = new TailRecord(
                in.readLong(), in.readLong(), in.readInt(), flag(in) ? TailForm.CODED : TailForm.MIRRORED);
        long settled = in.readLong();
        boolean sync = flag(in);
        SentBefore sent = new SentBefore(in.readLong(), in.readLong());
        return new ChunkRequest.WriteTail(chunk, writer, record, settled, sync, sent, tokenOfWriter(in));
    }

    private static Optional<BlockToken> tokenOfWriter(ByteBuf in) {
        return in.isReadable() ? Optional.of(token(in)) : Optional.empty();
    }

    private static void write(ChunkRequest.ReadChunk read, ByteBuf out) {
        chunk(read.chunk(), out);
        out.writeInt(read.volume().value()).writeLong(read.offset());
        out.writeInt(read.spare() ? read.bytes() | SPARE : read.bytes());
        token(read.token(), out);
    }

    private static ChunkRequest.ReadChunk read(ByteBuf in) {
        ChunkId chunk = chunk(in);
        VolumeId volume = new VolumeId(in.readInt());
        long offset = in.readLong();
        int bytes = in.readInt();
        return new ChunkRequest.ReadChunk(chunk, volume, offset, bytes & ~SPARE, token(in), (bytes & SPARE) != 0);
    }

    private static ChunkReads reads(ByteBuf in) {
        int count = in.readUnsignedShort();
        List<ChunkRequest.ReadChunk> reads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            reads.add(read(in));
        }
        return new ChunkReads(reads);
    }

    private static CancelCalls cancelCalls(ByteBuf in) {
        int count = in.readUnsignedShort();
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(in.readLong());
        }
        return new CancelCalls(calls);
    }

    private static ChunkRequest.PutChunk put(ByteBuf in) {
        ChunkId chunk = chunk(in);
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
