package io.ecfs.wire.frame;

import io.ecfs.buffer.FileSlice;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.codec.WireNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;

/**
 * A frame that is ready to send: header and head in one buffer, payload and file as they were given. Its owner owns all
 * of them.
 */
public record EncodedFrame(ByteBuf start, ByteBuf payload, Optional<FileSlice> file) {
    private static final int HEAD_GUESS = 232;

    /**
     * Encodes the head on the calling thread; the envelope's bytes pass to the frame, or are released when this throws.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when the frame would be longer than {@code maxLength}
     */
    public static EncodedFrame of(
            MessageCodec codec, ByteBufAllocator allocator, int flags, long id, Envelope envelope, int maxLength)
            throws EcfsException {
        ByteBuf start = allocator.directBuffer(FrameHeader.BYTES + HEAD_GUESS);
        boolean done = false;
        try {
            start.writeZero(FrameHeader.BYTES);
            codec.encode(envelope.head(), start);
            int headBytes = start.readableBytes() - FrameHeader.BYTES;
            long length = (long) headBytes + bytesOf(envelope.payload(), envelope.file());
            if (length > maxLength) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        envelope.head().getClass().getSimpleName() + " of " + length
                                + " bytes is over the frame limit of " + maxLength + "; send less at once");
            }
            int type = WireNumbers.of(envelope.head().getClass());
            new FrameHeader((int) length, type, flags, headBytes, id).put(start);
            done = true;
            return new EncodedFrame(start, envelope.payload(), envelope.file());
        } finally {
            if (!done) {
                start.release();
                envelope.release();
            }
        }
    }

    /** Length on the wire. */
    public int bytes() {
        return Math.toIntExact(start.readableBytes() + bytesOf(payload, file));
    }

    private static long bytesOf(ByteBuf payload, Optional<FileSlice> file) {
        return (long) payload.readableBytes() + file.map(FileSlice::bytes).orElse(0);
    }

    /** Sets the call's number on its connection. */
    public void number(long id) {
        start.setLong(FrameHeader.ID_OFFSET, id);
    }

    public void release() {
        start.release();
        payload.release();
        file.ifPresent(FileSlice::close);
    }
}
