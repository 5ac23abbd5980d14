package io.ecfs.wire.codec;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Heads of frames: messages to bytes and back, fixed binary for the hot ones ({@link HotHeads}, {@link NamespaceHeads},
 * {@link ReportHeads}), CBOR for all others. Safe for several threads.
 */
public final class MessageCodec {
    private final RecordCodec records = new RecordCodec();

    /** Appends the message to {@code out}. */
    public void encode(Message message, ByteBuf out) {
        if (HotHeads.covers(message.getClass())) {
            HotHeads.encode(message, out);
            return;
        }
        if (NamespaceHeads.covers(message.getClass())) {
            NamespaceHeads.encode(message, new HeadWriter(out));
            return;
        }
        if (ReportHeads.covers(message)) {
            ReportHeads.encode(message, new HeadWriter(out));
            return;
        }
        try (ByteBufOutputStream stream = new ByteBufOutputStream(out)) {
            records.encode((Record) message, stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The head alone, to be stored: {@link #decode(int, byte[])} reads it back. */
    public byte[] encode(Message message) {
        ByteBuf out = Unpooled.buffer();
        encode(message, out);
        byte[] head = new byte[out.readableBytes()];
        out.readBytes(head);
        return head;
    }

    /** As {@link #decode(int, ByteBuf)}. */
    public Message decode(int number, byte[] head) throws EcfsException {
        return decode(number, Unpooled.wrappedBuffer(head));
    }

    /**
     * Reads the message that fills {@code head}; the buffer is borrowed.
     *
     * @param number of the record, see {@link WireNumbers}
     * @throws EcfsException {@code UNSUPPORTED} for a number this version does not know, {@code MALFORMED} for bytes
     *     that are no such message
     */
    public Message decode(int number, ByteBuf head) throws EcfsException {
        Class<? extends Message> kind = WireNumbers.record(number)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.UNSUPPORTED, "message number " + number + " is not known to this version"));
        boolean hot = HotHeads.covers(kind);
        boolean report = ReportHeads.covers(kind, head);
        if (hot || report || NamespaceHeads.covers(kind)) {
            try {
                return hot
                        ? HotHeads.decode(kind, head)
                        : report ? ReportHeads.decode(kind, head) : NamespaceHeads.decode(kind, head);
            } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
                throw new EcfsException(
                        ErrorCode.MALFORMED, "cannot read " + kind.getSimpleName() + ": " + oneLine(e), e);
            }
        }
        try (ByteBufInputStream stream = new ByteBufInputStream(head)) {
            return records.decode(kind, stream);
        } catch (EcfsException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The exception's message in one line, since it may contain received text. */
    private static String oneLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).replaceAll("\\R", " ");
    }
}
