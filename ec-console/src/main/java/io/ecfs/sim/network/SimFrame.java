package io.ecfs.sim.network;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Message;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.codec.WireNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** A message as bytes: what really travels, so that every record passes through its codec. */
record SimFrame(int number, byte[] head, byte[] payload) {

    /** Takes over the parcel's payload. */
    static SimFrame of(MessageCodec codec, Envelope envelope) {
        ByteBuf head = Unpooled.buffer();
        codec.encode(envelope.head(), head);
        byte[] payload = ByteBufUtil.getBytes(envelope.payload());
        envelope.release();
        return new SimFrame(WireNumbers.of(envelope.head().getClass()), ByteBufUtil.getBytes(head), payload);
    }

    Message message(MessageCodec codec) {
        try {
            return codec.decode(number, Unpooled.wrappedBuffer(head));
        } catch (EcfsException e) {
            throw new SimulationFailure("message number " + number + " does not come back from its codec", e);
        }
    }

    /** A copy of its own for its receiver. */
    Envelope envelope(MessageCodec codec) {
        return new Envelope(
                message(codec), payload.length == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(payload));
    }
}
