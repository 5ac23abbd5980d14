package io.ecfs.wire;

import io.ecfs.layout.Policy;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.snapshot.SnapshotRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Most payload that the answer to a request may have, known in advance: the server reserves budget for it first, except
 * for spares.
 */
public final class AnswerBytes {
    private static final long CHECKSUM_BYTES = 4;

    /** More than one read takes in a message. */
    private static final int READ_HEAD_BYTES = 320;

    private AnswerBytes() {}

    /** 0 for requests whose answers have no payload. */
    public static long expected(Message request) {
        if (request instanceof ChunkRequest.ReadChunk read) {
            // The answer is widened to whole checksum windows at both ends.
            long windows = read.bytes() / Policy.CHECKSUM_WINDOW_BYTES + 2L;
            return windows * (Policy.CHECKSUM_WINDOW_BYTES + CHECKSUM_BYTES);
        }
        if (request instanceof ChunkReads several) {
            return several.reads().stream().mapToLong(AnswerBytes::expected).sum();
        }
        if (request instanceof ChunkRequest.ReadChecksums read) {
            return (read.bytes() / Policy.CHECKSUM_WINDOW_BYTES + 2L) * CHECKSUM_BYTES;
        }
        if (request instanceof ChunkRequest.ReadTail read) {
            return (read.most() / Policy.CHECKSUM_WINDOW_BYTES + 1L) * CHECKSUM_BYTES + read.most();
        }
        if (request instanceof SnapshotRequest.ReadSnapshot read) {
            return read.bytes();
        }
        return 0;
    }

    /**
     * Bytes that a connection counts for the answer from the request on: none for spares, whose answers are counted
     * when they exist.
     */
    public static long promised(Message request) {
        return request instanceof ChunkRequest.ReadChunk read && read.spare() ? 0 : expected(request);
    }

    /**
     * Cuts reads into those that may go in one message, in their order: what answers one message is never more than one
     * answer may be.
     *
     * @param maxFrameBytes of the answers of one message, and of the message
     */
    public static List<List<ChunkRequest.ReadChunk>> together(List<ChunkRequest.ReadChunk> reads, int maxFrameBytes) {
        int most = Math.min(ChunkReads.MOST, maxFrameBytes / READ_HEAD_BYTES);
        List<List<ChunkRequest.ReadChunk>> cuts = new ArrayList<>();
        List<ChunkRequest.ReadChunk> cut = List.of();
        long bytes = 0;
        for (ChunkRequest.ReadChunk read : reads) {
            long more = expected(read);
            if (cut.isEmpty() || cut.size() == most || bytes + more > maxFrameBytes) {
                cut = new ArrayList<>();
                cuts.add(cut);
                bytes = 0;
            }
            cut.add(read);
            bytes += more;
        }
        return cuts;
    }
}
