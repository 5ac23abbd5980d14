package io.ecfs.bench.bed.erails.cluster;

/**
 * What devices did while they were on.
 *
 * @param chunkBytes written in pages and more
 * @param metadataBytes written for names and short files: a page each
 * @param disturbed reads beside writes, or soon after
 */
record DiskCounts(long bytesRead, long chunkBytes, long metadataBytes, long disturbed) {
    static final DiskCounts NONE = new DiskCounts(0, 0, 0, 0);

    /** Least that a device writes. */
    static final int PAGE_BYTES = 4096;

    static DiskCounts ofRead(long bytes, boolean disturbed) {
        return new DiskCounts(bytes, 0, 0, disturbed ? 1 : 0);
    }

    /** @param bytes 0 for a change of names or lengths */
    static DiskCounts ofWrite(long bytes) {
        return bytes < PAGE_BYTES ? new DiskCounts(0, 0, PAGE_BYTES, 0) : new DiskCounts(0, bytes, 0, 0);
    }

    DiskCounts plus(DiskCounts other) {
        return new DiskCounts(
                bytesRead + other.bytesRead,
                chunkBytes + other.chunkBytes,
                metadataBytes + other.metadataBytes,
                disturbed + other.disturbed);
    }

    DiskCounts since(DiskCounts before) {
        return new DiskCounts(
                bytesRead - before.bytesRead,
                chunkBytes - before.chunkBytes,
                metadataBytes - before.metadataBytes,
                disturbed - before.disturbed);
    }
}
