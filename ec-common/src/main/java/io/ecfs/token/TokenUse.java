package io.ecfs.token;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.BlockToken.Right;
import java.util.Objects;

/**
 * What a caller wants to do with a chunk, and must have a token for.
 *
 * @param fromByte of the chunk bytes [fromByte, toByte) that it is about; for all that are there, from 0 to {@link Long#MAX_VALUE}
 * @param principal whom the connection is of
 */
public record TokenUse(ChunkId chunk, Right right, long fromByte, long toByte, String principal) {
    public TokenUse {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(right, "right");
        Objects.requireNonNull(principal, "principal");
    }

    /** Of the whole chunk. */
    public static TokenUse whole(ChunkId chunk, Right right, String principal) {
        return new TokenUse(chunk, right, 0, Long.MAX_VALUE, principal);
    }

    /** Of the chunk, but of no byte of it: its name, its state, or its tail log. */
    public static TokenUse noBytes(ChunkId chunk, Right right, String principal) {
        return new TokenUse(chunk, right, Long.MAX_VALUE, 0, principal);
    }
}
