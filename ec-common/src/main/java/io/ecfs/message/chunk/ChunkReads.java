package io.ecfs.message.chunk;

import io.ecfs.message.Message;
import java.util.List;

/**
 * Several reads of chunks in one message. Each is a call of its own, as if it had come in a message of its own:
 * answered or failed by itself and as soon as it can be, and called off alone. The number of the message is that of the
 * first, the others have those that follow.
 *
 * @param reads at least one, of any volumes of one datanode
 */
public record ChunkReads(List<ChunkRequest.ReadChunk> reads) implements Message {
    /** In one message. */
    public static final int MOST = 256;

    public ChunkReads {
        reads = List.copyOf(reads);
        if (reads.isEmpty() || reads.size() > MOST) {
            throw new IllegalArgumentException(
                    "a message of " + reads.size() + " reads of chunks: it has from 1 to " + MOST);
        }
    }
}
