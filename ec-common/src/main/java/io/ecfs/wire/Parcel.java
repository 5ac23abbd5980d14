package io.ecfs.wire;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Objects;

/**
 * A message with its raw bytes. Whoever holds a parcel owns the payload: hand it on or {@link #release} it, once.
 *
 * @param payload never null; without bytes it is {@link Unpooled#EMPTY_BUFFER}
 */
public record Parcel(Message head, ByteBuf payload) {
    public Parcel {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(payload, "payload");
    }

    public static Parcel of(Message head) {
        return new Parcel(head, Unpooled.EMPTY_BUFFER);
    }

    /**
     * The head, when it is of the kind that the conversation calls for; otherwise the payload is released.
     *
     * @throws EcfsException {@code MALFORMED} for another kind
     */
    public <T extends Message> T expect(Class<T> kind) throws EcfsException {
        if (kind.isInstance(head)) {
            return kind.cast(head);
        }
        release();
        throw new EcfsException(
                ErrorCode.MALFORMED,
                "expected " + kind.getSimpleName() + ", the peer sent "
                        + head.getClass().getSimpleName());
    }

    /** Ends the ownership of the payload. */
    public void release() {
        payload.release();
    }
}
