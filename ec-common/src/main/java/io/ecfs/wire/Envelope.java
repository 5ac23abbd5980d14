package io.ecfs.wire;

import io.ecfs.buffer.FileSlice;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Objects;
import java.util.Optional;

/**
 * A message with its raw bytes. The owner of an envelope owns them: pass it on or {@link #release} it, once.
 *
 * @param payload never null; without bytes it is {@link Unpooled#EMPTY_BUFFER}
 * @param file bytes after the payload, sent from a file: only in answers to peers that {@linkplain Session#takesFiles
 *     accept them}. At the other end all bytes are payload
 */
public record Envelope(Message head, ByteBuf payload, Optional<FileSlice> file) {
    public Envelope {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(file, "file");
    }

    public Envelope(Message head, ByteBuf payload) {
        this(head, payload, Optional.empty());
    }

    public static Envelope of(Message head) {
        return new Envelope(head, Unpooled.EMPTY_BUFFER);
    }

    /**
     * The head, when it is of the expected kind; otherwise the payload is released.
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

    /** Ends the ownership of the bytes. */
    public void release() {
        payload.release();
        file.ifPresent(FileSlice::close);
    }
}
