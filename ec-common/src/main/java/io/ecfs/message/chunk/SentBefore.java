package io.ecfs.message.chunk;

/**
 * What a writer has sent of a chunk before a message. A datanode that has less lost it, with the power of its machine,
 * and refuses the message: nothing that is acknowledged to the writer from then on may count on this chunk.
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

    /** Whether nothing was sent. */
    public boolean nothing() {
        return chunkBytes == 0 && lastRecord < 0;
    }
}
