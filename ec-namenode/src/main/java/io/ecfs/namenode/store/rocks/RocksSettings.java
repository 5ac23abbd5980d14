package io.ecfs.namenode.store.rocks;

/**
 * Bounds of the store's memory outside the heap.
 *
 * @param writeBufferBytes of all tables together, before they are flushed
 * @param blockCacheBytes of rows and indexes read from disk
 */
public record RocksSettings(long writeBufferBytes, long blockCacheBytes) {
    private static final long MIB = 1024 * 1024;

    public static final RocksSettings DEFAULT = new RocksSettings(64 * MIB, 128 * MIB);

    public RocksSettings {
        if (writeBufferBytes < MIB || blockCacheBytes < MIB) {
            throw new IllegalArgumentException("write buffer and block cache need at least 1 MiB each, got "
                    + writeBufferBytes + " and " + blockCacheBytes + " bytes");
        }
    }

    /** As {@link #DEFAULT}, by the name that configuration looks for. */
    public static RocksSettings defaults() {
        return DEFAULT;
    }
}
