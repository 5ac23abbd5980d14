package io.ecfs.wire.codec;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.netty.buffer.ByteBuf;

/**
 * Fixed binary heads of what datanodes say of chunks that come and go; big endian. Small files make some of these for
 * each file. A report that tells of anything else is CBOR as a whole: a map, which never begins with a zero byte.
 *
 * <pre>
 *   ChangeReport = u8 0 | text datanode | text uuid | u64 sequence | change*
 *   change       = u8 0 (gone) | u32 volume | chunk
 *                | u8 1 (present) | u32 volume | chunk | u8 state (0 being written, 1 finalised, 2 corrupt) | u64 bytes
 *                  | u64 full stripe bytes | u64 group length | u32 stamp
 *   Noted        = nothing
 * </pre>
 *
 * The other words are those of {@link NamespaceHeads}.
 */
final class ReportHeads {
    private static final int FIXED = 0;
    private static final int GONE = 0;
    private static final int PRESENT = 1;

    private ReportHeads() {}

    /** Returns whether this message is written so. */
    static boolean covers(Message message) {
        if (message instanceof DatanodeReport.ChangeReport report) {
            return report.changes().stream().allMatch(ReportHeads::plain);
        }
        return message instanceof DatanodeReply.Noted;
    }

    private static boolean plain(ChunkChange change) {
        if (change instanceof ChunkChange.Present present) {
            return present.work().isEmpty();
        }
        return change instanceof ChunkChange.Gone;
    }

    /** Returns whether a message of this kind with this head was written so. */
    static boolean covers(Class<? extends Message> kind, ByteBuf head) {
        if (kind == DatanodeReport.ChangeReport.class) {
            return head.isReadable() && head.getByte(head.readerIndex()) == FIXED;
        }
        return kind == DatanodeReply.Noted.class;
    }

    static void encode(Message message, HeadWriter out) {
        if (message instanceof DatanodeReport.ChangeReport report) {
            out.u8(FIXED).text(report.datanode().name()).text(report.uuid()).i64(report.sequence());
            out.number(report.changes().size());
            report.changes().forEach(change -> encode(change, out));
        }
    }

    private static void encode(ChunkChange change, HeadWriter out) {
        if (change instanceof ChunkChange.Present present) {
            present(present, out);
            return;
        }
        if (change instanceof ChunkChange.Gone gone) {
            out.u8(GONE).i32(gone.volume().value());
            HotHeads.chunk(gone.chunk(), out.bytes());
            return;
        }
        throw new IllegalArgumentException(change.getClass().getName() + " has no fixed form");
    }

    private static void present(ChunkChange.Present present, HeadWriter out) {
        ChunkRecord record = present.record();
        out.u8(PRESENT).i32(present.volume().value());
        HotHeads.chunk(record.chunk(), out.bytes());
        out.u8(code(record.state())).i64(record.bytes()).i64(record.fullStripeBytes());
        out.i64(record.groupLength()).i32(record.stamp());
    }

    /** @throws IllegalArgumentException or IndexOutOfBoundsException when the bytes are no such head */
    static Message decode(Class<? extends Message> kind, ByteBuf bytes) {
        HeadReader in = new HeadReader(bytes);
        Message message;
        if (kind == DatanodeReply.Noted.class) {
            message = new DatanodeReply.Noted();
        } else {
            in.u8();
            message = new DatanodeReport.ChangeReport(
                    new DatanodeId(in.text()), in.text(), in.i64(), in.list(() -> change(in)));
        }
        if (bytes.isReadable()) {
            throw new IllegalArgumentException(bytes.readableBytes() + " bytes too many");
        }
        return message;
    }

    private static ChunkChange change(HeadReader in) {
        int kind = in.u8();
        VolumeId volume = new VolumeId(in.i32());
        ChunkId chunk = HotHeads.chunk(in.bytes());
        return switch (kind) {
            case GONE -> new ChunkChange.Gone(volume, chunk);
            case PRESENT ->
                new ChunkChange.Present(
                        volume, new ChunkRecord(chunk, state(in.u8()), in.i64(), in.i64(), in.i64(), in.i32()));
            default -> throw new IllegalArgumentException("no change of a chunk has the number " + kind);
        };
    }

    private static int code(ChunkState state) {
        return switch (state) {
            case BEING_WRITTEN -> 0;
            case FINALISED -> 1;
            case CORRUPT -> 2;
        };
    }

    private static ChunkState state(int code) {
        return switch (code) {
            case 0 -> ChunkState.BEING_WRITTEN;
            case 1 -> ChunkState.FINALISED;
            case 2 -> ChunkState.CORRUPT;
            default -> throw new IllegalArgumentException("no chunk is in state " + code);
        };
    }
}
