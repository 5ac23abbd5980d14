package io.ecfs.wire;

import io.ecfs.layout.Policy;
import io.ecfs.message.ChunkRequest;
import io.ecfs.message.Message;
import io.ecfs.message.SnapshotRequest;

/** How much payload the answer to a request may have, known before it is made: the server takes a budget for it first. */
final class AnswerBytes {
    private static final long CHECKSUM_BYTES = 4;

    private AnswerBytes() {}

    /** 0 for requests whose answers have no payload. */
    static long expected(Message request) {
        if (request instanceof ChunkRequest.ReadChunk read) {
            // The answer is widened to whole checksum windows at both ends.
            long windows = read.bytes() / Policy.CHECKSUM_WINDOW_BYTES + 2L;
            return windows * (Policy.CHECKSUM_WINDOW_BYTES + CHECKSUM_BYTES);
        }
        if (request instanceof ChunkRequest.ReadTail read) {
            return (read.most() / Policy.CHECKSUM_WINDOW_BYTES + 1L) * CHECKSUM_BYTES + read.most();
        }
        if (request instanceof SnapshotRequest.ReadSnapshot read) {
            return read.bytes();
        }
        return 0;
    }
}
