package io.ecfs.wire.frame;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.codec.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;

/** Frames as bytes, for peers that send what no client of ours would. */
public final class RawFrames {
    private static final int LONGEST = 1 << 24;

    private RawFrames() {}

    /** A whole frame of a request with the number {@code id}. */
    public static byte[] of(long id, Message head, byte[] payload) throws EcfsException {
        EncodedFrame frame = EncodedFrame.of(
                new MessageCodec(),
                UnpooledByteBufAllocator.DEFAULT,
                0,
                id,
                new Envelope(head, Unpooled.wrappedBuffer(payload)),
                LONGEST);
        ByteBuf all = Unpooled.wrappedBuffer(frame.start(), frame.payload());
        byte[] bytes = ByteBufUtil.getBytes(all);
        all.release();
        return bytes;
    }

    /** The greeting with which a client of this user begins. */
    public static byte[] greeting(String user) throws EcfsException {
        return of(1, new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", user, List.of(), "client"), new byte[0]);
    }
}
