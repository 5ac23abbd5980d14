package io.ecfs.namenode.store.rocks;

/**
 * Bounds of the store's memory outside the heap.
 *
 * @param writeBufferBytes of all tables together, before they are flushed
 * @param blockCacheBytes of rows and indexes read from disk
 */
public record RocksSettings(long writeBufferBytes, long blockCacheBytes) {
    private static final long MIB = 1024 * 1024;

    /** Every table takes memory by the MiB: with less than this, each write would flush. */
    private static final long LEAST_WRITE_BUFFER_BYTES = 16 * MIB;

    public static final RocksSettings DEFAULT = new RocksSettings(64 * MIB, 128 * MIB);

    public RocksSettings {
        if (writeBufferBytes < LEAST_WRITE_BUFFER_BYTES || blockCacheBytes < MIB) {
            throw new IllegalArgumentException("the write buffer needs at least 16 MiB and the block cache 1 MiB, got "
                    + writeBufferBytes + " and " + blockCacheBytes + " bytes");
        }
    }

    /** As {@link #DEFAULT}, under the name that configuration needs. */
    public static RocksSettings defaults() {
        return DEFAULT;
    }
}
