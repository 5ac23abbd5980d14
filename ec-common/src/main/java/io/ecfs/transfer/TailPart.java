package io.ecfs.transfer;

import io.ecfs.message.chunk.TailForm;

/**
 * Bytes of a group from one chunk's tail log.
 *
 * @param offset of the first group byte it is about
 * @param length group bytes it is about; 0: the log has nothing there
 * @param bytes those themselves when they are mirrored; otherwise the chunk's cell of them
 */
public record TailPart(TailForm form, long offset, int length, byte[] bytes) {
    /** Behind the last group byte. */
    public long end() {
        return offset + length;
    }
}
