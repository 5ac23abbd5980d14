package io.ecfs.token;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.BlockToken.Right;
import java.util.Objects;

/**
 * Use of a chunk, for which the caller must have a token.
 *
 * @param fromByte of the chunk bytes [fromByte, toByte) that it is about; for all that are there, from 0 to
 *     {@link Long#MAX_VALUE}
 * @param principal whom the connection is of
 * @param relayed by a proved datanode, for whomever the token was given to: its own principal does not count
 */
public record TokenUse(ChunkId chunk, Right right, long fromByte, long toByte, String principal, boolean relayed) {
    public TokenUse {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(right, "right");
        Objects.requireNonNull(principal, "principal");
        if (fromByte < 0 || toByte < fromByte) {
            throw new IllegalArgumentException("use of bytes [" + fromByte + ", " + toByte + ") of " + chunk);
        }
    }

    /** By the caller itself. */
    public TokenUse(ChunkId chunk, Right right, long fromByte, long toByte, String principal) {
        this(chunk, right, fromByte, toByte, principal, false);
    }

    /** Of the whole chunk. */
    public static TokenUse whole(ChunkId chunk, Right right, String principal) {
        return new TokenUse(chunk, right, 0, Long.MAX_VALUE, principal);
    }

    /** Of the whole chunk, by its writer. */
    public static TokenUse ofWriter(ChunkId chunk, String principal) {
        return whole(chunk, Right.WRITE, principal);
    }

    /** Of so many bytes of the chunk, however far they would reach. */
    public static TokenUse bytes(ChunkId chunk, Right right, long offset, int bytes, String principal) {
        long end = offset > Long.MAX_VALUE - bytes ? Long.MAX_VALUE : offset + bytes;
        return new TokenUse(chunk, right, offset, end, principal);
    }

    /** Of the chunk, but of no byte of it: its name, its state, or its tail log. */
    public static TokenUse noBytes(ChunkId chunk, Right right, String principal) {
        return new TokenUse(chunk, right, 0, 0, principal);
    }

    /** The same, by a proved datanode that relays what a client sends; see {@link #relayed}. */
    public TokenUse ofRelay() {
        return new TokenUse(chunk, right, fromByte, toByte, principal, true);
    }
}
