package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.util.OptionalInt;

/** Verification of bytes that arrive for a chunk. */
final class ReceivedPayload {
    private ReceivedPayload() {}

    /**
     * Checks a payload before anything of it is written.
     *
     * @param offset in the chunk, of its first byte
     * @throws EcfsException {@code MALFORMED}, {@code CHUNK_CORRUPT} when the payload's length or checksums do not
     *     match
     */
    static void requireSound(ChunkId id, long offset, int bytes, ByteBuf payload) throws EcfsException {
        if (!ChunkPayload.fits(payload, bytes)) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "payload of " + payload.readableBytes() + " bytes cannot carry " + bytes + " bytes of " + id);
        }
        OptionalInt mismatch = ChunkPayload.firstMismatch(payload, bytes);
        if (mismatch.isPresent()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    "bytes for " + id + " at " + (offset + mismatch.getAsInt())
                            + " came damaged: their checksum does not match; nothing was written");
        }
    }
}
