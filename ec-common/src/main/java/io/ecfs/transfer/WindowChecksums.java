package io.ecfs.transfer;

import io.ecfs.layout.GroupLayout.ChunkRange;

/**
 * Checksums of a run of windows of one chunk, as its datanode stores them.
 *
 * @param from offset in the chunk of the first window
 */
public record WindowChecksums(long from, int[] checksums) {
    private static final int WINDOW = ChunkPayload.WINDOW_BYTES;

    /**
     * The part of chunk bytes [begin, end) that is whole windows, the last one short at the end of the chunk only; of
     * no bytes when there is none.
     */
    public static ChunkRange whole(long begin, long end, long chunkBytes) {
        long first = (begin + WINDOW - 1) / WINDOW * WINDOW;
        long last = end == chunkBytes ? end : end / WINDOW * WINDOW;
        return new ChunkRange(first, Math.max(first, last));
    }

    /** Adds chunk bytes [begin, end), which are such windows of the run. */
    public void addTo(ComposedChecksum sum, long begin, long end) {
        for (long at = begin; at < end; at += WINDOW) {
            sum.add(checksums[(int) ((at - from) / WINDOW)], Math.min(WINDOW, end - at));
        }
    }
}
