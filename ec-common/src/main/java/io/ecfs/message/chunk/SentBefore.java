package io.ecfs.message.chunk;

/**
 * Amount that a writer has sent of a chunk before a message. A datanode that has less lost it in a power failure, and
 * refuses the message: later acknowledgements to the writer must not rely on this chunk.
 *
 * @param chunkBytes cells
 * @param lastRecord number of the last tail record; -1: none
 */
public record SentBefore(long chunkBytes, long lastRecord) {
    public SentBefore {
        if (chunkBytes < 0 || lastRecord < -1) {
            throw new IllegalArgumentException("sent before: " + chunkBytes + " bytes, record " + lastRecord);
        }
    }

    /** Returns whether nothing was sent. */
    public boolean nothing() {
        return chunkBytes == 0 && lastRecord < 0;
    }
}
