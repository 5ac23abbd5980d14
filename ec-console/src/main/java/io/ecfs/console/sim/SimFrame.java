package io.ecfs.console.sim;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Message;
import io.ecfs.wire.MessageCodec;
import io.ecfs.wire.Parcel;
import io.ecfs.wire.WireNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** A message as bytes: what really travels, so that every record passes through its codec. */
record SimFrame(int number, byte[] head, byte[] payload) {

    /** Takes over the parcel's payload. */
    static SimFrame of(MessageCodec codec, Parcel parcel) {
        ByteBuf head = Unpooled.buffer();
        codec.encode(parcel.head(), head);
        byte[] payload = ByteBufUtil.getBytes(parcel.payload());
        parcel.release();
        return new SimFrame(WireNumbers.of(parcel.head().getClass()), ByteBufUtil.getBytes(head), payload);
    }

    Message message(MessageCodec codec) {
        try {
            return codec.decode(number, Unpooled.wrappedBuffer(head));
        } catch (EcfsException e) {
            throw new SimulationFailure("message number " + number + " does not come back from its codec", e);
        }
    }

    /** A copy of its own for whoever receives it. */
    Parcel parcel(MessageCodec codec) {
        return new Parcel(message(codec), payload.length == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(payload));
    }
}
