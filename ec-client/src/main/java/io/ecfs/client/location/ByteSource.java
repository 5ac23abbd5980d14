package io.ecfs.client.location;

import java.util.concurrent.CompletableFuture;

/**
 * Bytes of a segment that do not come from cells of chunks: those of tail records, those that a writer still has in
 * memory, and the zeros of a hole.
 */
public interface ByteSource {
    /** Group bytes [from, to), of the segment. */
    CompletableFuture<byte[]> read(long from, long to);
}
